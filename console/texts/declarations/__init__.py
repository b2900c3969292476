"""What the floor manager declares: one row for each declaration (docs/dev/adding.md)."""
