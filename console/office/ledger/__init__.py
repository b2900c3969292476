"""Commands that read and repair a ledger."""
