"""A table's configuration: its keys, what they must be to each other, and its file."""
