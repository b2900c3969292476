"""ccTalk, the protocol of coin acceptors (docs/cctalk.md): frames, the bus, descriptions."""
