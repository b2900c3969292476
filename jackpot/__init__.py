"""What a jackpot owes and can prove: money, the ledger, and what others are shown as proof."""
