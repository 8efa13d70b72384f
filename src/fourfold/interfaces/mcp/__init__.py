"""The MCP server: Fourfold for coding agents, over stdio or streamable HTTP (see docs/mcp.md)."""
