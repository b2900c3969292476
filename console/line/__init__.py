"""The local line: a socket of the service, its requests, and who may ask for what."""
