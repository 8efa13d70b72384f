"""From a question to a ranked answer."""
