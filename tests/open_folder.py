"""A folder that everybody may enter: a server of PostgreSQL that root starts runs as nobody."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def make_open_folder() -> Iterator[Path]:
    """Until the end of the block. pytest's own folders are its user's alone."""
    with tempfile.TemporaryDirectory(prefix="banco-pg-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
