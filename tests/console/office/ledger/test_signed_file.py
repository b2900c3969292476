"""`banco ledger key`, `export`, `check-export`, as a house and its auditor type them."""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from console.command_line.main import main
from jackpot.ledger.ledger import read_records, verify
from tests.console.office.ledger.reading import a_table, folder_of, tamper
from tests.console.table import Table
from tests.deadlines import DEADLINE_S
from tests.house.documents import blocks, page, rows

__all__ = ["a_table"]

BANCO = "import sys; from console.command_line.main import main; sys.exit(main(sys.argv[1:]))"
WITHOUT_THE_LIBRARY = f"import sys; sys.modules['cryptography'] = None; {BANCO}"


@pytest.fixture
def key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = str(tmp_path / "house.key")
    assert main(["ledger", "key", file]) == 0
    capsys.readouterr()
    return file


@pytest.fixture
def out(tmp_path: Path) -> str:
    return str(tmp_path / "night.jsonl")


def export(table: Table, key: str, out: str, *options: str) -> int:
    return main(["ledger", "export", "--key", key, "--out", out, *options, folder_of(table)])


def check(out: str, key: str) -> int:
    return main(["ledger", "check-export", out, "--key", f"{key}.pub"])


def test_a_night_is_exported_while_the_table_plays_and_checked_without_it(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(table, key, out) == 0
    head = verify(table.machine.disk.folder).head
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{out}: table simulated, records 1 to {head.seq}"
    assert check(out, key) == 0
    found = capsys.readouterr().out.splitlines()
    assert found[0].startswith("table simulated, written 20")
    assert found[0].endswith("from the ledger's first record on")
    assert found[2] == f"before the first is 0 {'0' * 64}"
    assert f"the last is {head.seq} {head.hash}" == found[3] == printed[1]
    assert found[4:10] == printed[2:]
    assert found[-1] == "the signature, the chain, the postings and the balances are in order"


def test_a_part_says_that_it_is_one(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(table, key, out, "--from", "3", "--to", "9") == 0
    assert check(out, key) == 0
    printed = capsys.readouterr().out
    assert "a part of the ledger\nrecords 3 to 9, 7 of them\nbefore the first is 2 " in printed


def test_a_part_by_the_clock(table: Table, key: str, out: str) -> None:
    before = verify(table.machine.disk.folder).head.seq
    table.play("wait 2m", "press COIN_IN", "wait 2m", "press GAME_OVER")
    *_, closed, opened = read_records(table.machine.disk.folder, kind="button")
    minute = closed.wall[:16]
    assert export(table, key, out, "--from", minute.replace("T", " "), "--to", minute) == 0
    header = json.loads(Path(out).read_text("utf-8").splitlines()[0])
    assert before < header["first"] <= closed.seq <= header["last"] < opened.seq


@pytest.mark.parametrize("bound", ["yesterday", "-1", "20-11-2026", "2026-11-20T25", "1 2"])
def test_a_bound_that_is_none_is_told(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str], bound: str
) -> None:
    assert export(table, key, out, f"--from={bound}") == 2
    assert capsys.readouterr().err.startswith("not to be done: ")
    assert not Path(out).exists()


def test_a_changed_file_is_named_and_is_status_1(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    export(table, key, out)
    file = Path(out)
    file.write_bytes(file.read_bytes().replace(b"FLUSH", b"POKER", 1))
    assert check(out, key) == 1
    problems = [
        line for line in capsys.readouterr().out.splitlines() if line.startswith("NOT IN ORDER: ")
    ]
    assert re.match(r"NOT IN ORDER: line \d+: record \d+ was changed", problems[0])
    assert "the signature is not that of this key" in problems[-1]


def test_a_ledger_that_was_changed_is_not_signed(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(table, "UPDATE journal SET round = 7 WHERE seq = 9")
    assert export(table, key, out) == 2
    assert "not to be done: record 9 was changed" in capsys.readouterr().err
    assert not Path(out).exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"", "line 1 is not the first of an export")],
)
def test_what_cannot_be_read_is_status_2(
    key: str, out: str, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    if content is not None:
        Path(out).write_bytes(content)
    assert check(out, key) == 2
    assert message in capsys.readouterr().err


def test_a_file_steers_no_terminal(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    export(table, key, out)
    file = Path(out)
    file.write_bytes(file.read_bytes().replace(b'"simulated"', rb'"\u001b[2J\ud83c\udccf"', 1))
    assert check(out, key) == 1
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "table ?[2J" in printed


# Keys


def test_a_pair_and_its_fingerprint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "house.key")
    assert main(["ledger", "key", file]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert main(["ledger", "key", "--show", f"{file}.pub"]) == 0
    assert last == f"fingerprint {capsys.readouterr().out.strip()}"
    assert main(["ledger", "key", file]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_key_that_others_may_read_signs_nothing(
    table: Table, key: str, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(key).chmod(0o644)
    assert export(table, key, out) == 2
    assert "others than its owner" in capsys.readouterr().err
    assert not Path(out).exists()


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("tre carte\ntre carte\n", 0),
        ("tre carte\ndue carte\n", 2),
        ("\n", 2),
        ("tre carte\n", 2),
        ("", 2),
    ],
    ids=["twice", "two", "empty", "once", "nothing"],
)
def test_a_passphrase_is_typed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, status: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    file = tmp_path / "house.key"
    assert main(["ledger", "key", "--passphrase", str(file)]) == status
    assert file.exists() == (status == 0)


def test_a_passphrase_is_asked_for_where_it_is_needed(
    table: Table, tmp_path: Path, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = str(tmp_path / "house.key")
    monkeypatch.setattr(sys, "stdin", io.StringIO("a b\na b\n"))
    assert main(["ledger", "key", "--passphrase", key]) == 0
    for typed, status in (("", 2), ("a\n", 2), ("a b\n", 0)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert export(table, key, out) == status
    assert check(out, key) == 0


def test_a_passphrase_is_not_shown_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    file = tmp_path / "house.key"
    command = [sys.executable, "-c", BANCO, "ledger", "key", "--passphrase", str(file)]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        seen = read_until(ours, b"passphrase: ")
        os.write(ours, b"tre carte\n")
        seen += read_until(ours, b"once more: ")
        os.write(ours, b"tre carte\n")
        seen += read_until(ours, b"fingerprint ")
        assert process.wait(DEADLINE_S) == 0
    os.close(ours)
    assert b"tre carte" not in seen
    assert b"ENCRYPTED" in file.read_bytes()


def read_until(descriptor: int, end: bytes) -> bytes:
    seen = b""
    while end not in seen:
        assert select.select([descriptor], [], [], DEADLINE_S)[0], seen
        seen += os.read(descriptor, 1_000)
    return seen


def test_without_the_library_it_is_told_and_nothing_else_misses_it(table: Table, out: str) -> None:
    def banco(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITHOUT_THE_LIBRARY, "ledger", *words]
        return subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=DEADLINE_S
        )

    done = banco("check-export", out, "--key", "house.key.pub")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "check-export needs the library cryptography, which is not installed" in done.stderr
    assert banco("rebuild", folder_of(table)).returncode == 0


# The auditors' page


def test_the_program_on_the_page_checks_a_file_without_banco(
    table: Table, key: str, out: str
) -> None:
    program = page("docs/how-to/check_export.py")

    def by_hand() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-c", program, out, f"{key}.pub"]
        return subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=DEADLINE_S
        )

    export(table, key, out)
    report = verify(table.machine.disk.folder)
    head, balances = by_hand().stdout.splitlines()
    assert head == f"{report.head.seq} {report.head.hash}"
    assert json.loads(balances) == report.balances.to_dict()
    right = Path(out).read_bytes()
    Path(out).write_bytes(right.replace(b"FLUSH", b"POKER", 1))
    assert by_hand().returncode != 0


def test_the_lines_on_the_page_are_those_of_a_file(table: Table, key: str, out: str) -> None:
    export(table, key, out)
    lines = [json.loads(line) for line in Path(out).read_text("utf-8").splitlines()]
    shown = [
        json.loads(line) for line in blocks(page("docs/how-to/audit.md"), "json")[0].splitlines()
    ]
    assert [list(line) for line in shown] == [
        list(line) for line in (lines[0], lines[1], lines[-2], lines[-1])
    ]
    documented = {
        name for row in rows(page("docs/how-to/audit.md")) for name in re.findall(r"\w+", row[0])
    }
    assert {name for line in shown for name in line} <= documented
