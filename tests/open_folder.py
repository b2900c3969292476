"""A folder that everybody may enter: a server of PostgreSQL that root starts runs as nobody."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def make_open_folder(on: Path | None = None) -> Iterator[Path]:
    """Until the end of the block. pytest's own folders are its user's alone.

    `on`: the folder that it is made in, on the disk that is wanted.
    """
    with tempfile.TemporaryDirectory(prefix="banco-pg-", dir=on) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
