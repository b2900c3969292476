"""The terminal: keys, line editing, output, and the port."""
