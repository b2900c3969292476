"""What a number in the cabinet's file can be; one beyond it would fit no frame of a board."""

from typing import Annotated

from msgspec import Meta

Byte = Annotated[int, Meta(ge=0, le=0xFF)]
Count = Annotated[int, Meta(ge=0, le=0xFFFF)]
Number = Annotated[int, Meta(ge=0, le=0x7FFFFFFF)]
"""With numbers left above it: each boot counts one more."""
