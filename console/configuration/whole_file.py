"""Replaces a small file so that a power cut leaves the old one or the new one, whole."""

import os
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from jackpot.ledger.folder import sync_folder


class Owner(Struct, frozen=True):
    """The user and group that a file belongs to."""

    user: int
    group: int


class NameNotSynced(OSError):
    """The file is the new one, but a power cut may bring back the old one."""


def write_whole(file: Path, content: bytes, *, mode: int, owner: Owner | None = None) -> None:
    """Replace the file, and sync both its content and its name.

    Raises NameNotSynced if that fails when the new file is in place already. After any other
    OSError the old one is still there.
    """
    made = file.with_name(f".{file.name}.new")
    made.unlink(missing_ok=True)
    try:
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as new:
            new.write(content)
            if owner is not None:
                os.fchown(descriptor, owner.user, owner.group)
            os.fchmod(descriptor, mode)
            new.flush()
            os.fsync(descriptor)
        made.replace(file)
    except OSError:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise
    try:
        sync_folder(file.parent)
    except OSError as error:
        what = f"{error.strerror}; it is written, but a power cut may undo that"
        raise NameNotSynced(error.errno, what, str(file)) from error
