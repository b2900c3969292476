"""The simulated cabinet on a terminal, or fed from a pipe."""
