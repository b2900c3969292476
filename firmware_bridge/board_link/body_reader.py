"""Reads the bodies of messages, most of which repeat the one before."""

from collections.abc import Callable
from typing import Generic, TypeVar

Content = TypeVar("Content")


class BodyReader(Generic[Content]):
    """Reads bodies with `read`; a repeated body is not read again."""

    __slots__ = ("_last", "_read")

    def __init__(self, read: Callable[[bytes], Content]) -> None:
        self._read = read
        self._last: tuple[bytes, Content] | None = None

    def read(self, body: bytes) -> Content:
        """The content of this body. Raises ProtocolError."""
        if self._last is None or self._last[0] != body:
            self._last = (body, self._read(body))
        return self._last[1]
