"""Questions with known answers, mined from a repository itself: documentation, tests, commits, names, calls."""
