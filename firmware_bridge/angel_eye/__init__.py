"""The reading shoe's serial protocol (docs/reference/angel-eye.md): frames, commands, reports."""
