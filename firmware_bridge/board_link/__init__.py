"""Our own boards (docs/reference/wire-protocol.md): frames, messages, the link, reference
firmware.
"""
