"""The commands of the tournament jackpot: its cash desks', and its wins.

See docs/how-to/tournament.md.
"""
