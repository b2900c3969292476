"""Access to the local line: enrolled people, their PINs, and delays after wrong PINs."""
