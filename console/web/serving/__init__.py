"""The process that serves the pages; the service never reads from the network."""
