"""The local line: what may be asked of a running table from its own machine, and who answers."""
