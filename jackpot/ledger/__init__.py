"""The ledger: a journal of hashed records in SQLite, written, read and verified."""
