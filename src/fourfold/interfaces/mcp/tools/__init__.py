"""The tools: one module each for a family of questions; each takes the workspace and checked arguments."""
