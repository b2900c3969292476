"""How the service itself fares: figures, its statistics line, its journal, metrics."""
