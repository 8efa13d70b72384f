"""How the weights of the file ranking are made: packages, questions mined from them, fitting."""
