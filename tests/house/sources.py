"""The project's own files, as the house rules see them."""

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("console", "devices", "firmware_bridge", "jackpot")
BUILT = {"build", "dist", "__pycache__"}


def python_files(*folders: str) -> list[Path]:
    """The modules under these folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def product() -> list[Path]:
    """The modules that are installed at a table."""
    return python_files(*PACKAGES)


def everything() -> Iterator[Path]:
    """Every file of the project, but what was made from others and what only an editor keeps."""
    for folder, below, names in os.walk(ROOT):
        below[:] = [
            name for name in below if name not in BUILT and (name == ".ci" or name[0] != ".")
        ]
        yield from (
            Path(folder) / name
            for name in names
            if not name.endswith((".pyc", ".swp")) and name != ".git"  # a work tree has a file
        )


@cache
def tree(path: Path) -> ast.Module:
    """What the module says; each is parsed once, and nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def place(path: Path, line: int = 1) -> str:
    """FILE:LINE, as an editor opens it."""
    return f"{path.relative_to(ROOT)}:{line}"
