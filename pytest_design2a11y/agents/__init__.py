"""The server for agents that write pages, by the Model Context Protocol."""
