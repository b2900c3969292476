"""The words of the technician's line, in both languages."""
