"""Questions about structure: definitions, references, impact, context, routes, overview, syntax patterns."""
