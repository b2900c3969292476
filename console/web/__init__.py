"""The pages: cabinet, sign and supervisor's, served by a process beside the service."""
