"""Weights fitted on questions with known answers."""
