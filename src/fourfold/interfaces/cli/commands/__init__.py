"""One module a command; each holds its click command as ``command``."""
