"""Rounds, money and the jackpot's course, counted from the record for the supervisor's page."""
