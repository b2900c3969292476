"""The ledger commands, and what people do by name on the machine itself."""
