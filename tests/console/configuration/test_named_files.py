"""Files that a person names: devices without an end, nests, long numbers, other encodings."""

import os
import shutil
import subprocess
from pathlib import Path

import cobs
import pytest

from console.command_line.main import main
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    NOTED,
    configuration,
)
from tests.deadlines import DEADLINE_S

Capture = pytest.CaptureFixture[str]

NESTED = "a = " + "[" * 3000 + "]" * 3000
LONG = "9" * 5000
LONG_IN_HEXADECIMAL = "0x" + "f" * 5000


def check(file: Path | str, capsys: Capture) -> tuple[int, str, str]:
    """`banco check FILE`: its exit status, and what it says."""
    status = main(["check", str(file)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (NESTED, "it is nested too deeply"),
        (f"a = {LONG}", "is not TOML that can be read: a number is too large"),
        (f"a = {LONG_IN_HEXADECIMAL}", "a: the number is too large"),
        (f"a = {{b = [1, {{c = {LONG_IN_HEXADECIMAL}}}]}}", "a.b.c: the number is too large"),
        (f"{'a.' * 3_000}a = 1", "there is no key a"),
        (b"\xff", "is not UTF-8 text (wrong at byte 0): save it as UTF-8"),
        ('kind = "simulation"'.encode("utf-16"), "is not UTF-8 text (UTF-16): save it as UTF-8"),
        ("#" * 300_000, "is longer than 262144 bytes"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_told(
    content: str | bytes, message: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "table.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    status, _, err = check(file, capsys)
    assert status == 2
    assert err.startswith(f"{file}: ")
    assert message in err
    assert len(err) < 400


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("/dev/zero", "cannot be read: it is a pipe or a device, not a file"),
        ("none.toml", "cannot be read: No such file or directory"),
        ("/", "cannot be read: Is a directory"),
        ("/dev/null/table.toml", "cannot be read: Not a directory"),
    ],
)
def test_what_is_no_configuration_is_told(file: str, message: str, capsys: Capture) -> None:
    assert check(file, capsys) == (2, "", f"{file}: {message}\n")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path, capsys: Capture) -> None:
    """As an editor on Windows writes it."""
    file = configuration(tmp_path / "table.toml")
    file.write_text(file.read_text(), "utf-8-sig")
    assert check(file, capsys)[0] == 0


def test_a_configuration_comes_from_standard_input(tmp_path: Path) -> None:
    with configuration(tmp_path / "table.toml").open("rb") as content:
        done = subprocess.run(
            [*BANCO, "check", "/dev/stdin"],
            stdin=content,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            env=ENVIRONMENT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, NOTED)


def test_a_library_without_its_compiled_part_is_noted(tmp_path: Path) -> None:
    (source,) = cobs.__path__
    shutil.copytree(source, tmp_path / "cobs", ignore=shutil.ignore_patterns("*.so"))
    paths = f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
    done = subprocess.run(
        [*BANCO, "check", configuration(tmp_path / "table.toml")],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=ENVIRONMENT | {"PYTHONPATH": paths},
        check=False,
    )
    assert (done.returncode, "in order" in done.stdout) == (0, True)
    assert done.stderr.startswith("note: the library cobs is here without its compiled part")


READING = [
    ("check", "pipe"),
    ("play", "pipe"),
    ("run", "--sim", "--config", "pipe"),
    ("room", "--config", "pipe"),
    ("report", "--config", "pipe"),
    ("declare", "--config", "pipe", "round-void"),
    ("enrol", "--list", "--file", "pipe"),
    ("key", "show", "pipe"),
    ("ledger", "key", "--show", "pipe"),
    ("ledger", "check-export", "pipe", "--key", "pipe"),
    ("ledger", "repair", ".", "--seal", "pipe"),
    ("witness", "audit", ".", "--key", "pipe"),
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_pipe_that_nobody_writes_is_not_waited_for(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    done = subprocess.run(
        [*BANCO, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        cwd=tmp_path,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 2
    assert "it is a pipe or a device, not a file" in done.stderr


ENDLESS = "/dev/zero"


@pytest.mark.parametrize(
    "words",
    [
        ("play", ENDLESS),
        ("run", "--sim", "--config", ENDLESS),
        ("report", "--config", ENDLESS),
        ("declare", "--config", ENDLESS, "round-void"),
        ("enrol", "--list", "--file", ENDLESS),
        ("ledger", "key", "--show", ENDLESS),
        ("ledger", "check-export", ENDLESS, "--key", ENDLESS),
        ("ledger", "repair", ".", "--seal", ENDLESS),
        ("ledger", "verify", ".", "--archive", ENDLESS, "--key", ENDLESS),
        ("ledger", "show", ENDLESS),
    ],
    ids=" ".join,
)
def test_a_device_without_an_end_is_not_read_to_its_end(
    words: tuple[str, ...], capsys: Capture
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_table_is_no_room(tmp_path: Path, capsys: Capture) -> None:
    file = configuration(tmp_path / "table.toml")
    assert main(["room", "--config", str(file)]) == 2
    err = capsys.readouterr().err
    assert "kind: 'simulation'; a room's is 'room'; a table is started with banco run" in err
