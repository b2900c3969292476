"""The link: the centre of a jackpot that several tables share, and a table's way to it."""
