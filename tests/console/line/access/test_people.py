"""The file of people: whole, closed to others, and clear about what is wrong in it."""

import os
import stat
from datetime import date
from pathlib import Path

import pytest

from console.configuration import whole_file
from console.configuration.named_files import why_untrusted
from console.configuration.person_names import is_name
from console.configuration.whole_file import NameNotSynced, Owner, write_whole
from console.line.access.people import LONGEST_FILE, MOST_PEOPLE, Enrolled, load_people, save_people
from console.line.access.pins import STANDARD, hash_pin
from console.rules.codes import Duty
from jackpot.failures import Refused
from tests.console.line.access.login_bench import CHEAP, PIN, enrol

BOTH = (Duty.FLOOR_MANAGER, Duty.TECHNICIAN)
ENTRY = f"""
[anna]
duties = ["technician"]
n = 2
r = 1
p = 1
salt = "{"0a" * 16}"
hash = "{"0b" * 32}"
"""


def test_what_is_written_is_read(tmp_path: Path) -> None:
    people = {
        "anna": Enrolled((Duty.TECHNICIAN,), hash_pin(PIN, CHEAP)),
        "r2-d2": Enrolled(BOTH, hash_pin("471109", STANDARD), "10000001", date(2026, 11, 28)),
    }
    file = tmp_path / "people.toml"
    save_people(file, people)
    assert load_people(file) == people
    assert load_people(file)["r2-d2"].pin.matches("471109")


def test_without_a_file_nobody_is_enrolled(tmp_path: Path) -> None:
    assert load_people(tmp_path / "people.toml") == {}


def test_no_pin_stands_there_and_nobody_else_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    enrol(file, "anna")
    assert PIN not in file.read_text("utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["a", "anna", "anna-2", "x" * 24])
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "Anna", "2anna", "-a", "471108", "x" * 25, "a b", "à", "a\n"])
def test_what_is_no_name(name: str) -> None:
    """A PIN typed in the wrong place never is one: it would stand on record."""
    assert not is_name(name)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("anna = [", "is not TOML"),
        ("[anna]\n[anna]", "is not TOML"),
        (ENTRY.replace("[anna]", '["Anna Rossi"]'), "'Anna Rossi': a name is 1 to 24"),
        (
            ENTRY.replace("technician", "croupier"),
            "[anna]: duties[0]: cannot be",
        ),
        (ENTRY.replace('["technician"]', "[]"), "[anna]: duties: name at least one"),
        (ENTRY.replace('["technician"]', '["technician", "technician"]'), "[anna]: duties: "),
        (ENTRY.replace("n = 2", "n = 1000"), "[anna]: n is a power of two, not 1000"),
        (ENTRY.replace("n = 2", "n = 1048576"), "[anna]: a check would take more than 64 MiB"),
        (
            ENTRY.replace("n = 2", "n = 65536"),
            "[anna]: n is less than 65536 where r is 1, not 65536",
        ),
        (ENTRY.replace("r = 1", "r = 170000"), "[anna]: a check would take more than 64 MiB"),
        (ENTRY.replace("n = 2", 'n = "2"'), "[anna]: n: write a whole number, not text in quotes"),
        (ENTRY.replace("n = 2\n", ""), "[anna]: n is missing"),
        (ENTRY.replace('"0a', '"0'), "[anna]: salt: 32 hexadecimal digits are expected"),
        (ENTRY.replace('"0b', '"xy'), "[anna]: hash: 64 hexadecimal digits are expected"),
        (f'{ENTRY}pin = "471108"', "[anna]: there is no key pin"),
        ("anna = 1", "[anna]: write a section, not a whole number"),
        ("\n".join(f"[a{n}]" for n in range(MOST_PEOPLE + 1)), "holds more than 64 people"),
        ("#" * (LONGEST_FILE + 1), "is longer than"),
        (b"\xff", "is not UTF-8 text (wrong at byte 0)"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    wrong: str | bytes, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "people.toml"
    file.write_text(ENTRY)
    assert list(load_people(file)) == ["anna"]
    file.write_bytes(wrong if isinstance(wrong, bytes) else wrong.encode())
    with pytest.raises(Refused) as raised:
        load_people(file)
    assert str(raised.value).startswith(f"{file}: {expected}")


@pytest.mark.parametrize("mode", [0o660, 0o602, 0o666])
def test_a_file_that_others_may_write_is_refused(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    enrol(file, "anna")
    file.chmod(mode)
    with pytest.raises(Refused, match=rf"others .* may write it \(mode {mode:04o}\)"):
        load_people(file)
    file.chmod(0o640)
    assert list(load_people(file)) == ["anna"]


def test_a_file_is_roots_or_our_own() -> None:
    assert why_untrusted(0o100640, 0, 999) is None
    assert why_untrusted(0o100640, 999, 999) is None
    assert "belongs to user 1000" in str(why_untrusted(0o100640, 1000, 999))


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    enrol(file, "anna")
    in_the_way = tmp_path / ".people.toml.new"
    in_the_way.mkdir()
    with pytest.raises(OSError, match=r"people\.toml\.new") as raised:
        enrol(file, "bea")
    assert not isinstance(raised.value, NameNotSynced)
    assert list(load_people(file)) == ["anna"]


def test_a_write_whose_name_is_not_synced_says_that_the_file_is_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_synced(folder: Path) -> None:
        raise OSError(5, "Input/output error", str(folder))

    file = tmp_path / "people.toml"
    enrol(file, "anna")
    monkeypatch.setattr(whole_file, "sync_folder", not_synced)
    with pytest.raises(NameNotSynced, match="it is written, but a power cut may undo that"):
        enrol(file, "bea")
    assert list(load_people(file)) == ["bea"]


def test_what_an_interrupted_write_left_is_no_hindrance(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    (tmp_path / ".people.toml.new").write_text("half")
    enrol(file, "anna")
    assert [found.name for found in tmp_path.iterdir()] == ["people.toml"]


def test_a_file_is_written_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    group = 12_345 if os.getuid() == 0 else os.getgroups()[-1]  # others may choose of theirs
    write_whole(file, b"x", mode=0o604, owner=Owner(os.getuid(), group))
    status = file.stat()
    assert (status.st_uid, status.st_gid) == (os.getuid(), group)
    assert stat.S_IMODE(status.st_mode) == 0o604
