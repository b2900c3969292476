"""The rake calculator: `banco rake`, the technician's line and the supervisor's page ask it."""
