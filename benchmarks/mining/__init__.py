"""Questions made from documentation that is then taken out of the code."""
