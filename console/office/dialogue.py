"""One person and the table's line, as `declare` and `correct` need them, wherever the person is."""

from typing import Protocol

from console.line.requests import AnyRequest, Done
from console.texts.language import Language, Words

SHOWN = Words("Farebbe questo:", "This is what it would do:")
NOTHING = Words("Niente è stato fatto.", "Nothing was done.")
RECORDED = Words("Fatto, è nel registro.", "Done, it is on record.")


class NothingDone(Exception):
    """Nothing was done; the text, in the person's language, says why."""


class Dialogue(Protocol):
    """Asks the person and the table. Every method may raise what its terminal raises at its end."""

    @property
    def language(self) -> Language:
        """The person's language."""

    async def request(self, request: AnyRequest) -> Done:
        """Send an act to the table. Raises Unreachable, and an error of its own for a refusal."""

    async def say(self, *lines: str) -> None:
        """Print whole lines."""

    async def ask(self, question: str, *, hidden: bool = False) -> str:
        """Ask for a line; `hidden`: a PIN, not shown while it is typed."""

    async def confirm(self, question: str) -> bool:
        """Ask for a yes; the dialogue adds which keys answer. Anything but a yes is a no."""
