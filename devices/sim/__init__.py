"""A simulated cabinet, exact down to the bytes and the pins."""
