"""Stages of building: each is made once, and again when what it was made from has changed."""

import hashlib
import os
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.rig.layout import ROOT


class StageFailed(Exception):
    """A stage could not be made; the text names it and its log."""


class Stages:
    """The stages of one folder; `say` is told each stage that was made, and how long it took."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        self._say = say
        folder.mkdir(parents=True, exist_ok=True)

    def make(self, name: str, made_from: str, build: Callable[["Log"], None]) -> str:
        """Build unless it was built from the same; returns a digest that later stages build on."""
        stamp = self.folder / f"{name}.made"
        digest = hashlib.sha256(f"{name} {made_from}".encode()).hexdigest()
        if stamp.exists() and stamp.read_text("utf-8") == digest:
            return digest
        stamp.unlink(missing_ok=True)
        begun = time.monotonic()
        log = Log(self.folder / f"{name}.log")
        try:
            build(log)
        except (OSError, subprocess.CalledProcessError) as error:
            raise StageFailed(f"{name}: {error}\n{log.tail()}\nsee {log.path}") from error
        stamp.write_text(digest, "utf-8")
        self._say(f"made {name} in {time.monotonic() - begun:.1f} s")
        return digest


class Log:
    """The log of a stage, and the commands that write to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("", "utf-8")

    def run(
        self,
        *command: str | Path,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        stdin: str = "",
    ) -> None:
        """Run a command to its end. Raises CalledProcessError."""
        with self.path.open("a", encoding="utf-8") as file:
            print("+", *command, file=file, flush=True)
            subprocess.run(
                [str(word) for word in command],
                check=True,
                cwd=cwd,
                env=env and {**os.environ, **env},
                input=stdin.encode(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def read(self, *command: str | Path, cwd: Path | None = None) -> str:
        """What a command prints. Raises CalledProcessError."""
        with self.path.open("a", encoding="utf-8") as file:
            print("+", *command, file=file, flush=True)
            return subprocess.run(
                [str(word) for word in command],
                check=True,
                cwd=cwd,
                text=True,
                stdout=subprocess.PIPE,
                stderr=file,
            ).stdout

    def run_inside(self, root: Path, *command: str | Path) -> None:
        """Run a command in a root folder that has /proc, as programs of systemd and dpkg want."""
        mount = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        self.run("unshare", "--mount", "sh", "-c", mount, root, *command)

    def tail(self, lines: int = 30) -> str:
        """The log's last lines."""
        return "\n".join(self.path.read_text("utf-8", "replace").splitlines()[-lines:])


def digest_of(paths: Iterable[Path]) -> str:
    """What files and folders of the project hold, and under which names."""
    digest = hashlib.sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                name, status = file.relative_to(ROOT), file.stat()
                digest.update(f"{name} {status.st_mode:o} {status.st_size}\n".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
