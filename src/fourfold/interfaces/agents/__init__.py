"""Registering Fourfold with coding agents: their configuration files and instruction files, edited and restored."""
