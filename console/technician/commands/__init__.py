"""The commands of the technician's line: one file per subject, each with `COMMANDS`."""
