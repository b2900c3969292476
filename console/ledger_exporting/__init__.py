"""`banco ledger key`, `export`, `check-export`: the record as a signed file for the auditors."""
