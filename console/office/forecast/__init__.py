"""What a prize table will cost and bring (docs/reference/prizes.md, section 3)."""
