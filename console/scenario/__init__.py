"""The language in which a table is tried: its lines, its stage, and what is seen of it."""
