"""Training of the intent classifier."""
