"""A model of the centre, in memory: it answers as the real one (docs/link-rules.md, 2 to 4)."""
