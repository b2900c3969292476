"""The technician's line: a terminal, the commands typed at it, and what they print."""
