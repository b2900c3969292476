"""What every wire protocol raises for bytes or values that are no message of it."""


class ProtocolError(ValueError):
    """An invalid message; the text says what is wrong and what would be right."""
