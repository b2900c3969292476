"""The roles of a cabinet's devices, one small interface each, and their drivers."""
