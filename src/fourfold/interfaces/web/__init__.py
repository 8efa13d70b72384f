"""The web page: server-rendered, one script of ours, no build step; search works without JavaScript."""
