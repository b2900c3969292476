"""The supervisor's page: its login and sessions, and the questions it asks of the record."""
