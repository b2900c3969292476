"""The release that a program belongs to: its signed list of files, and what differs from it."""
