"""Models that read a question and a piece of code together and say how well the one answers the other."""
