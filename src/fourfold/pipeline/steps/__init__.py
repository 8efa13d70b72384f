"""The steps that retrieval pipelines are made of, one file a family."""
