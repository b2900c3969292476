"""A rehearsal's centre, in memory: it answers a table as the real one
(docs/reference/link-rules.md).
"""
