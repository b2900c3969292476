"""Our own boards (docs/wire-protocol.md): frames, messages, the link, reference firmware."""
