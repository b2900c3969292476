"""The pure table: acts, state, games, outputs, records, the round. No clock, no I/O."""
