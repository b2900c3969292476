"""The round at a linked table: what differs from a table with its own jackpot.

docs/reference/link-rules.md, sections 3 and 4.
"""
