"""Files that a person names: only files are read, only new ones written, and errors name them."""

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.named_files import open_regular, write_new
from tests.deadlines import DEADLINE_S


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"content")
    with open_regular(file) as opened:
        assert opened.read() == b"content"


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """Nobody writes the pipe: an ordinary open would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with closing(socket.socket(socket.AF_UNIX)) as bound:
        bound.bind(str(tmp_path / "socket"))
        places = (Path("/dev/zero"), tmp_path / "pipe", tmp_path / "socket", tmp_path)
        for place in places:
            with pytest.raises(OSError, match=str(place)):
                open_regular(place)


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"of somebody")
    link.symlink_to(tmp_path / "missing")
    for place in (file, link):
        with pytest.raises(FileExistsError, match=place.name):
            write_new(place, b"new")
    assert (file.read_bytes(), link.exists()) == (b"of somebody", False)


FULL = """
import resource, signal, sys
from pathlib import Path
from jackpot.named_files import write_new
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    write_new(Path(sys.argv[1]), bytes(1000))
except OSError as error:
    print(error.filename)
"""


def test_a_disk_without_room_is_told_with_the_file_s_name(tmp_path: Path) -> None:
    """A limit of 100 bytes stands for the disk: the write fails alike."""
    file = tmp_path / "file"
    run = [sys.executable, "-c", FULL, str(file)]
    done = subprocess.run(run, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.stdout == f"{file}\n"
    assert not file.exists()
