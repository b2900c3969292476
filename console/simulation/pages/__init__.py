"""What the pages of a simulated table can do besides showing it."""
