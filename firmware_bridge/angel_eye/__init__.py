"""The reading shoe's serial protocol (docs/angel-eye.md): frames, commands, reports."""
