"""The round at a linked table: what differs from a table with its own jackpot.

docs/link-rules.md, sections 3 and 4.
"""
