"""The service's own health: figures, the statistics line, the log, metrics."""
