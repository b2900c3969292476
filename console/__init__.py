"""The table: the round, the service, and the faces people see."""
