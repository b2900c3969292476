"""Files that a person names: read as UTF-8 and as TOML within bounds, or an error that says why.

And whether a file is believed: who owns it, and who else may write it.
"""

import stat
import tomllib
from pathlib import Path
from typing import Any, BinaryIO

from console.texts import file_texts
from console.texts.language import Language, Words
from jackpot.failures import Refused
from jackpot.named_files import open_regular

LARGEST_INTEGER = 2**63 - 1
"""As TOML has it."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""How a file begins that an editor has saved as what it calls Unicode."""


class FileUnusable(Refused):
    """A file cannot be used; the text has a line for each mistake.

    `file`: named before each; "" until who knows the file names it. `language`: the text's; a
    mistake that has not been translated is in English.
    """

    def __init__(
        self, *mistakes: str | Words, file: str = "", language: Language = Language.EN
    ) -> None:
        self.mistakes, self._file = mistakes, file
        super().__init__(self.in_(language))

    def in_(self, language: Language | None) -> str:
        """The text in this language; None: in its own."""
        if language is None:
            return str(self)
        texts = (one if isinstance(one, str) else one.in_(language) for one in self.mistakes)
        return "\n".join(f"{self._file}: {text}" if self._file else text for text in texts)

    def in_file(self, file: Path, language: Language = Language.EN) -> "FileUnusable":
        """The same mistakes, of the file with this name."""
        return FileUnusable(*self.mistakes, file=str(file), language=language)


def read_file(file: Path, most: int) -> str:
    """The text of a file of at most `most` bytes. Raises FileUnusable."""
    try:
        with open_regular(file) as opened:
            return read_open_file(opened, most)
    except OSError as error:
        raise describe_unreadable(error) from error


def read_open_file(opened: BinaryIO, most: int) -> str:
    """The text of an open file, without a byte order mark. Raises FileUnusable, OSError."""
    content = opened.read(most + 1)  # not all of it: a device may have no end
    if len(content) > most:
        raise FileUnusable(file_texts.TOO_LONG.fill(most))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wide = content.startswith(UTF_16)
        what = file_texts.UTF_16 if wide else file_texts.NOT_UTF_8.fill(error.start)
        raise FileUnusable(what) from error


def describe_unreadable(error: OSError) -> FileUnusable:
    """A file that cannot be opened or read."""
    return FileUnusable(file_texts.UNREADABLE.fill(error.strerror or error))


def why_untrusted(mode: int, owner: int, own_user: int) -> str | None:
    """Return why the file is not trusted; None if only root or our own user could write it."""
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write it (mode {stat.S_IMODE(mode):04o}): chmod 640"
    if owner not in (0, own_user):
        return f"it belongs to user {owner}, neither root nor the reader: chown root:banco"
    return None


def why_not_roots(mode: int, owner: int) -> str | None:
    """Return why the file is not trusted; None if only root could write it."""
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than its owner may write it (mode {stat.S_IMODE(mode):04o}): chmod 644"
    if owner != 0:
        return f"it belongs to user {owner}, not to root: chown root:root"
    return None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises FileUnusable."""
    try:
        content = tomllib.loads(text)
    except RecursionError as error:
        raise FileUnusable(file_texts.TOO_DEEP) from error
    except tomllib.TOMLDecodeError as error:
        raise FileUnusable(file_texts.NOT_TOML.fill(error)) from error
    except ValueError as error:  # Python reads no integer of so many digits
        raise FileUnusable(file_texts.NUMBER_TOO_LARGE) from error
    _check_integers(content)
    return content


def _check_integers(content: dict[str, Any]) -> None:
    """Refuse integers too large to be printed. Raises FileUnusable."""
    parts: list[tuple[str, Any]] = list(content.items())
    while parts:
        key, value = parts.pop()
        if isinstance(value, dict):
            parts += [(f"{key}.{name}", one) for name, one in value.items()]
        elif isinstance(value, list):
            parts += [(key, one) for one in value]
        elif isinstance(value, int) and abs(value) > LARGEST_INTEGER:
            raise FileUnusable(file_texts.KEY_TOO_LARGE.fill(key))
