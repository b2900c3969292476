"""`banco ledger`: reading a ledger without changing it, also while the table runs."""
