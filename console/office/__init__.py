"""The ledger commands, the bordereau, and what people do by name on the machine itself."""
