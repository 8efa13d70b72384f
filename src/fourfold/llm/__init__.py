"""Language models behind one protocol; no network unless the user configured an endpoint."""
