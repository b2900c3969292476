"""The terminal: keys and lines typed at it, what is painted on it, and the port it is at."""
