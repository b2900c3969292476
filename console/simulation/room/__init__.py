"""A room's servers on one machine: a primary and its synchronous standby."""
