"""The facts of a file that a call graph needs: references, imports, types of variables."""
