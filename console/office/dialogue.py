"""The dialogue of `declare` and `correct` with a person, on any terminal, and with the table."""

from typing import Protocol

from console.line.requests import AnyRequest, Done
from console.texts.language import Language
from jackpot.failures import Refused


class NothingDone(Refused):
    """Nothing was done; the text, in the person's language, says why."""


class Dialogue(Protocol):
    """Asks a person and the table. Each method may raise its terminal's own errors."""

    @property
    def language(self) -> Language:
        """The person's language."""

    async def request(self, request: AnyRequest) -> Done:
        """Send an act to the table. Raises Unreachable; for a refusal, the dialogue's own error."""

    async def say(self, *lines: str) -> None:
        """Print whole lines."""

    async def ask(self, question: str, *, hidden: bool = False) -> str:
        """Ask for a line; a `hidden` one, such as a PIN, is not shown while it is typed."""

    async def confirm(self, question: str) -> bool:
        """Ask for yes or no, and show the keys; anything except yes is no."""
