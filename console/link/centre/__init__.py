"""The centre: its schema in PostgreSQL, and its calls (docs/reference/link-rules.md, 2 and 3)."""
