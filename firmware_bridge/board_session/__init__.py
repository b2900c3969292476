"""Our own boards (docs/reference/wire-protocol.md): frames, messages, the session, reference
firmware.
"""
