"""What can be typed at the technician's line: one file a subject, each exports `COMMANDS`."""
