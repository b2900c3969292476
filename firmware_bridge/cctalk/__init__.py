"""ccTalk, the protocol of coin acceptors (docs/reference/cctalk.md): frames, the bus,
descriptions.
"""
