"""The supervisor's page: the questions it asks of the record."""
