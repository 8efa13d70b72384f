"""Cutters for what is not code: prose by heading, notebooks by cell, configuration by section."""
