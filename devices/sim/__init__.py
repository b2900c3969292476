"""The same cabinet without hardware, down to the bytes and the pins."""
