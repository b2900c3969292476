"""The local line: the service's local socket, its requests, and what each person may do."""
