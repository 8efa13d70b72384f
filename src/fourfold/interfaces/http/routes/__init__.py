"""The routes below ``/api/v1``, by what they are about."""
