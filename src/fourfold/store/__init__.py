"""Where an index lives: the contract that every store keeps, and the local store."""
