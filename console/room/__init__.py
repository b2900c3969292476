"""`banco room`: the sign of a linked jackpot, and the overview of its tables, read only."""
