"""The commands of the tournament jackpot: its cash desks', and its wins.

docs/how-to/tournament.md.
"""
