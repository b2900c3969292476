"""`banco enrol`: asked twice, never shown, and nothing written that was not right."""

import grp
import io
import os
import pty
import signal
import stat
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from select import select

import pytest

from console.command_line.main import main, make_parser
from console.configuration import whole_file
from console.configuration.person_names import load_names
from console.configuration.places import PEOPLE_FILE
from console.line.access.people import (
    MOST_PEOPLE,
    hash_people,
    load_people,
    read_changes,
    save_people,
    today,
)
from console.office.enrol import PeopleFile, change_own_pin
from console.rules.codes import Duty
from console.rules.structs import replace
from console.service.supervision.process_end import ExitStatus
from console.service.supervision.stop_signals import SAME_SIGNAL_S
from jackpot.ledger.folder import sync_folder
from tests.console.line.access.login_bench import PIN, WRONG, enrol
from tests.console.running_table import BANCO, ENVIRONMENT
from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

MOST_PRESSES = 20
Say = Callable[..., int]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.toml"


@pytest.fixture
def banco_enrol(file: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """`banco enrol ARGUMENTS --file FILE` with these lines in its pipe."""

    def say(*arguments: str, lines: tuple[str, ...] = (PIN, PIN)) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return main(["enrol", *arguments, "--file", str(file)])

    return say


def test_somebody_is_enrolled(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert banco_enrol("anna", "--duty", "technician") == 0
    assert capsys.readouterr().out == f"anna, technician, is enrolled in {file}\n"
    people = load_people(file)
    assert people["anna"].duties == (Duty.TECHNICIAN,)
    assert people["anna"].pin.matches(PIN)
    assert people["anna"].pin_since == today()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_both_duties_and_a_second_person(banco_enrol: Say, file: Path) -> None:
    both = ("--duty", "floor-manager", "--duty", "technician", "--duty", "technician")
    assert banco_enrol("anna", *both) == 0
    assert banco_enrol("bea", "--duty", "floor-manager", lines=(WRONG, WRONG)) == 0
    people = load_people(file)
    assert people["anna"].duties == (Duty.FLOOR_MANAGER, Duty.TECHNICIAN)
    assert people["anna"].pin.matches(PIN)
    assert people["bea"].pin.matches(WRONG)


NEW = "739151"


@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        ("anna", (WRONG, NEW, NEW), "name or PIN is wrong: 'anna'"),
        ("bea", (PIN, NEW, NEW), "name or PIN is wrong: 'bea'"),
        ("anna", (PIN, PIN, PIN), "that is the present PIN"),
        ("anna", (PIN, "123456", "123456"), "go up or down by one step"),
        ("anna", (PIN, NEW, WRONG), "two different PINs"),
        (None, (), "NAME is missing; example: banco pin anna"),
    ],
)
def test_nobody_changes_a_pin_without_the_present_one(
    name: str | None,
    lines: tuple[str, ...],
    says: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    enrol(file, "anna")
    before = file.read_bytes()
    monkeypatch.setattr("console.office.enrol.WRONG_PAUSE_S", 0.0)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert change_own_pin(PeopleFile(file, simulated=False), name) == 2
    assert says in capsys.readouterr().err
    assert file.read_bytes() == before


def test_somebody_changes_the_own_pin(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The duties stay, and everybody else is as before."""
    enrol(file, "anna", "bea")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{NEW}\n{NEW}\n"))
    assert change_own_pin(PeopleFile(file, simulated=False), "anna") == 0
    people = load_people(file)
    assert people["anna"].duties == (Duty.TECHNICIAN,)
    assert people["anna"].pin.matches(NEW)
    assert people["bea"].pin.matches(PIN)
    assert (people["anna"].pin_since, people["bea"].pin_since) == (today(), None)


def test_a_forgotten_pin_is_given_anew_and_the_duties_stay(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    banco_enrol("anna", "--duty", "floor-manager")
    capsys.readouterr()
    assert banco_enrol("anna", lines=(WRONG, WRONG)) == 0
    assert capsys.readouterr().out == f"anna, floor-manager, has a new PIN in {file}\n"
    assert load_people(file)["anna"].duties == (Duty.FLOOR_MANAGER,)
    assert not load_people(file)["anna"].pin.matches(PIN)
    assert load_people(file)["anna"].pin.matches(WRONG)


@pytest.mark.parametrize(
    ("arguments", "lines", "message"),
    [
        (("bea",), (PIN, PIN), "for what? banco enrol bea --duty technician"),
        ((), (PIN, PIN), "NAME is missing; example: banco enrol anna --duty technician"),
        (("Bea R", "--duty", "technician"), (PIN, PIN), "Bea R: a name is 1 to 24 of a to z"),
        (("bea", "--duty", "technician"), (PIN, WRONG), "these are two different PINs"),
        (("bea", "--duty", "technician"), ("1234567a", PIN), "a PIN is 6 to 12 digits"),
        (("bea", "--duty", "technician"), ("123456", "123456"), "digits that are all the same"),
        (("bea", "--duty", "technician"), (PIN,), "once more: (no answer)"),
        (("bea", "--duty", "technician"), (), "PIN for bea: (no answer)"),
        (("--remove", "bea"), (), "bea is not enrolled in "),
        (("--remove",), (), "NAME is missing"),
    ],
)
def test_what_is_not_right_changes_nothing(
    arguments: tuple[str, ...],
    lines: tuple[str, ...],
    message: str,
    banco_enrol: Say,
    file: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    enrol(file, "anna")
    before = file.read_bytes()
    assert banco_enrol(*arguments, lines=lines) == 2
    assert capsys.readouterr().err.startswith(message)
    assert file.read_bytes() == before


def test_a_file_that_cannot_be_read_is_not_written_over(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("[anna]\n")
    for arguments in (("bea", "--duty", "technician"), ("--remove", "anna"), ("--list",)):
        assert banco_enrol(*arguments) == 2
        assert f"{file}: [anna]: " in capsys.readouterr().err
    assert file.read_text("utf-8") == "[anna]\n"


def test_somebody_is_removed_and_who_is_left_is_listed(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert banco_enrol("--list") == 0
    assert capsys.readouterr().out == f"nobody is enrolled in {file}\n"
    banco_enrol("bea", "--duty", "floor-manager", "--duty", "technician")
    banco_enrol("anna", "--duty", "technician")
    capsys.readouterr()
    assert banco_enrol("--list") == 0
    anna, bea = (load_people(file)[name].number for name in ("anna", "bea"))
    listed = f"bea: floor-manager, technician, number {bea}, PIN of {today()}\n"
    first = f"anna: technician, number {anna}, PIN of {today()}\n"
    assert capsys.readouterr().out == first + listed
    assert banco_enrol("--remove", "anna") == 0
    assert list(load_people(file)) == ["bea"]
    capsys.readouterr()
    gone = f"anna: no longer enrolled, number {anna}; --erase takes the name away\n"
    assert banco_enrol("--list") == 0
    assert capsys.readouterr().out == listed + gone
    assert banco_enrol("--erase", "anna") == 0
    assert banco_enrol("--list") == 0
    assert capsys.readouterr().out.endswith(f"\n{listed}")
    assert "anna" not in file.with_name("people-names.toml").read_text("utf-8")


def test_a_name_is_erased_only_after_the_person_is_removed_and_only_one(
    banco_enrol: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    banco_enrol("anna", "--duty", "technician")
    assert banco_enrol("--erase", "anna") == 2
    assert "anna is enrolled: first banco enrol --remove anna" in capsys.readouterr().err
    assert banco_enrol("--erase", "bea") == 2
    assert "'bea' is no name to be erased" in capsys.readouterr().err
    banco_enrol("--remove", "anna")
    banco_enrol("anna", "--duty", "cashier")
    banco_enrol("--remove", "anna")
    capsys.readouterr()
    assert banco_enrol("--erase", "anna") == 2
    assert "several have had it, name one: " in capsys.readouterr().err


def test_whoever_was_enrolled_by_banco_0_1_0_gets_a_number_with_the_next_change(
    banco_enrol: Say, file: Path
) -> None:
    enrol(file, "anna", "bea")
    assert not load_people(file)["anna"].number
    banco_enrol("carlo", "--duty", "cashier")
    names = {one.number: name for name, one in load_people(file).items()}
    assert load_names(file.with_name("people-names.toml")) == names


def test_there_is_room_for_64(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enrol(file, *(f"n{number}" for number in range(MOST_PEOPLE)))
    assert banco_enrol("bea", "--duty", "technician") == 2
    assert "64 people are enrolled already" in capsys.readouterr().err
    assert banco_enrol("n7") == 0
    assert len(load_people(file)) == MOST_PEOPLE


def test_only_root_writes_a_tables_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["enrol", "anna", "--duty", "technician"]) == 2
    message = f"only root writes {PEOPLE_FILE}: give the command with sudo\n"
    assert capsys.readouterr().err == message
    assert main(["enrol", "--remove", "anna"]) == 2
    assert capsys.readouterr().err == message


def test_at_a_real_table_only_root_enrols_whatever_the_file(
    banco_enrol: Say,
    tmp_path: Path,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "table.toml").write_text("not readable", "utf-8")
    monkeypatch.setattr("console.office.table_of_ledger.TABLE_FILE", tmp_path / "table.toml")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert banco_enrol("anna", "--duty", "technician") == 2
    assert capsys.readouterr().err == f"only root writes {file}: give the command with sudo\n"
    assert not file.exists()


def test_a_tables_people_are_for_the_services_group(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(name: str) -> grp.struct_group:
        raise KeyError(name)

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(grp, "getgrnam", nobody)
    assert main(["enrol", "anna", "--duty", "technician"]) == 2
    assert capsys.readouterr().err == "there is no group banco: install the table first\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
def test_a_rooms_people_stay_for_the_group_of_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/how-to/room.md makes the file first"""
    file, rooms = tmp_path / "room-people.toml", 64_003
    file.touch(0o640)
    os.chown(file, 0, rooms)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{PIN}\n"))
    assert main(["enrol", "anna", "--duty", "technician", "--file", str(file)]) == 0
    status = file.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (0, rooms, 0o640)


def test_a_simulation_has_people_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{PIN}\n"))
    assert main(["enrol", "anna", "--duty", "technician", "--sim"]) == 0
    assert list(load_people(tmp_path / "banco" / "simulation" / "people.toml")) == ["anna"]


@pytest.mark.parametrize(
    "wrong",
    [
        ("--remove", "--list"),
        ("anna", "--duty", "croupier"),
        ("anna", "--sim", "--file", "people.toml"),
    ],
)
def test_what_contradicts_itself_is_not_understood(wrong: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["enrol", *wrong])
    assert raised.value.code == 2


@pytest.mark.parametrize("duty", list(Duty))
def test_every_duty_can_be_given(duty: Duty) -> None:
    assert make_parser().parse_args(["enrol", "anna", "--duty", duty.value]).duty == [duty.value]


# A disk that fails at the last


@pytest.mark.parametrize(
    ("arguments", "fails", "then"),
    [
        (("bea", "--duty", "cashier"), "people-names.toml", ()),
        (("bea", "--duty", "cashier"), "people.toml", ("enrolled",)),
        (("bea", "--duty", "cashier"), "people-changes.jsonl", ("enrolled",)),
        (("anna",), "people.toml", ("new-pin",)),
        (("--remove", "anna"), "people.toml", ("removed",)),
        (("--remove", "anna"), "people-changes.jsonl", ("removed",)),
        (("--erase", "carlo"), "people-names.toml", ("erased",)),
    ],
)
def test_a_change_that_the_file_holds_is_noted_though_its_folder_is_not_synced(
    arguments: tuple[str, ...],
    fails: str,
    then: tuple[str, ...],
    banco_enrol: Say,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("anna", "carlo"):
        banco_enrol(name, "--duty", "technician")
    banco_enrol("--remove", "carlo")
    before, noted = file.read_bytes(), len(read_changes(file))
    wanted = file.with_name(fails)
    inode = wanted.stat().st_ino

    def fail_once(folder: Path) -> None:
        if wanted.stat().st_ino != inode:
            monkeypatch.setattr(whole_file, "sync_folder", sync_folder)
            raise OSError(5, "Input/output error", str(folder))

    monkeypatch.setattr(whole_file, "sync_folder", fail_once)
    capsys.readouterr()
    assert banco_enrol(*arguments, lines=(NEW, NEW)) == 2
    undone = "Input/output error; it is written, but a power cut may undo that"
    assert capsys.readouterr().err.endswith(f"{wanted}: {undone}\n")
    made = read_changes(file)[noted:]
    assert tuple(one.change.value for one in made) == then
    assert [one.sha256 for one in made] == [hash_people(file)] * len(made)
    assert (file.read_bytes() == before) == (then in ((), ("erased",)))


def test_a_change_that_cannot_be_noted_is_told_as_made(
    banco_enrol: Say, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    banco_enrol("anna", "--duty", "technician")
    noted = read_changes(file)
    in_the_way = file.with_name(".people-changes.jsonl.new")
    in_the_way.mkdir()
    for arguments, enrolled in (
        (("bea", "--duty", "cashier"), {"anna", "bea"}),
        (("--remove", "bea"), {"anna"}),
        (("--erase", "bea"), {"anna"}),
    ):
        capsys.readouterr()
        assert banco_enrol(*arguments) == 2
        assert capsys.readouterr().err.startswith(
            f"it is changed, but by whom cannot be noted, and will not be on record: {in_the_way}: "
        )
        assert set(load_people(file)) == enrolled
        assert read_changes(file) == noted
    assert list(load_names(file.with_name("people-names.toml")).values()).count("") == 1


@pytest.mark.parametrize("at", ["people-names.toml", "people.toml", "people-changes.jsonl"])
@pytest.mark.parametrize(
    ("arguments", "change", "says"),
    [
        (("bea", "--duty", "cashier"), "enrolled", "bea, cashier, is enrolled in"),
        (("anna",), "new-pin", "anna, technician, has a new PIN in"),
        (("--remove", "anna"), "removed", "anna is no longer enrolled in"),
    ],
)
def test_ctrl_c_while_it_is_written_takes_effect_once_it_is_noted(
    at: str,
    arguments: tuple[str, ...],
    change: str,
    says: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The signal comes after the file is replaced, before its folder is synced."""
    enrol(file, "anna")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{NEW}\n{NEW}\n"))
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    synced: list[str] = []

    def sync_interrupted(folder: Path) -> None:
        synced.append(max(folder.iterdir(), key=lambda one: one.stat().st_mtime_ns).name)
        if synced[-1] == at:
            os.kill(os.getpid(), signal.SIGINT)
        sync_folder(folder)

    monkeypatch.setattr(whole_file, "sync_folder", sync_interrupted)
    assert main(["enrol", *arguments, "--file", str(file)]) == ExitStatus.INTERRUPTED
    assert synced == ["people-names.toml", "people.toml", "people-changes.jsonl"]
    assert [one.change.value for one in read_changes(file)] == [change]
    assert read_changes(file)[-1].sha256 == hash_people(file)
    assert (out.getvalue(), err.getvalue()) == (f"{says} {file}\n", "")


# By two


BY_TWO = "\n[people]\nenrol_by_two = true\n"


@pytest.fixture
def own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A real table's list on this machine, whose table asks for two; anna is enrolled."""
    file, table = tmp_path / "people.toml", tmp_path / "table.toml"
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
    table.write_text(text + BY_TWO, "utf-8")
    monkeypatch.setattr("console.office.enrol.PEOPLE_FILE", file)
    monkeypatch.setattr("console.office.table_of_ledger.TABLE_FILE", table)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(grp, "getgrnam", lambda _: grp.getgrgid(os.getgid()))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n{PIN}\n"))
    assert main(["enrol", "anna", "--duty", "cashier"]) == 0
    return file


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
def test_who_is_enrolled_confirms_the_next_one(
    own_table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is enrolled by root alone, and nobody is asked when somebody leaves."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"anna\n{PIN}\n{NEW}\n{NEW}\n"))
    assert main(["enrol", "bea", "--duty", "technician"]) == 0
    assert load_people(own_table)["bea"].pin.matches(NEW)
    anna = load_people(own_table)["anna"].number
    assert main(["enrol", "--remove", "anna"]) == 0
    by = [one.by for one in read_changes(own_table)]
    assert by == [f"uid {os.getuid()}", anna, f"uid {os.getuid()}"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
def test_whose_pin_is_too_old_confirms_nobody(
    own_table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the list says how old each PIN is; the own one can still be changed."""
    table = own_table.with_name("table.toml")
    table.write_text(table.read_text("utf-8") + "pin_age_days = 90\n", "utf-8")
    people = load_people(own_table)
    old = today() - timedelta(days=91)
    save_people(own_table, {"anna": replace(people["anna"], pin_since=old)})

    def give(*words: str, lines: tuple[str, ...] = ()) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return main(words)

    bea = ("enrol", "bea", "--duty", "technician")
    assert give(*bea, lines=("anna", PIN, NEW, NEW)) == 2
    assert "this PIN is too old: change it first, with banco pin anna" in capsys.readouterr().err
    assert list(load_people(own_table)) == ["anna"]
    assert give("enrol", "--list") == 0
    assert f", PIN of {old}, too old\n" in capsys.readouterr().out
    assert give("pin", "anna", lines=(PIN, NEW, NEW)) == 0
    assert give(*bea, lines=("anna", NEW, PIN, PIN)) == 0
    capsys.readouterr()
    assert give("enrol", "--list") == 0
    last_day = today() + timedelta(days=90)
    assert capsys.readouterr().out.count(f", PIN of {today()}, opens until {last_day}\n") == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
@pytest.mark.parametrize(
    ("whom", "lines"),
    [
        (("bea", "--duty", "cashier"), ("anna", WRONG, NEW, NEW)),
        (("bea", "--duty", "cashier"), ("bea", NEW, NEW, NEW)),
        (("bea", "--duty", "cashier"), (NEW, NEW)),
    ],
)
def test_nobody_is_enrolled_whom_nobody_confirms(
    whom: tuple[str, ...],
    lines: tuple[str, ...],
    own_table: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = own_table.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["enrol", *whom]) == 2
    assert "name or PIN is wrong" in capsys.readouterr().err
    assert own_table.read_bytes() == before


# On a terminal


def read_until(terminal: int, wanted: bytes) -> bytes:
    """What the terminal shows until it has shown this."""
    shown = b""
    while wanted not in shown:
        ready, _, _ = select([terminal], [], [], DEADLINE_S)
        assert ready, shown
        shown += os.read(terminal, 1024)
    return shown


def press_ctrl_c(terminal: int, wanted: bytes) -> bytes:
    """What the terminal shows until it has shown this; Ctrl-C is pressed again if nothing happens.

    A signal that comes after Python's last look at its signals and before its read waits for the
    next one.
    """
    shown = b""
    for _ in range(MOST_PRESSES):
        os.write(terminal, b"\x03")
        while select([terminal], [], [], 2 * SAME_SIGNAL_S)[0]:
            shown += os.read(terminal, 1024)
            if wanted in shown:
                return shown
    raise AssertionError(shown)


def test_on_a_terminal_the_pin_is_not_shown(file: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*BANCO, "enrol", "anna", "--duty", "technician", "--file", str(file)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=ENVIRONMENT,
        start_new_session=True,  # without a terminal of its own it asks on this one
    ) as process:
        os.close(theirs)
        shown = read_until(ours, b"PIN for anna: ")
        os.write(ours, f"{PIN}\n".encode())
        shown += read_until(ours, b"once more: ")
        os.write(ours, f"{PIN}\n".encode())
        shown += read_until(ours, b"is enrolled in")
        assert process.wait(DEADLINE_S) == 0
    os.close(ours)
    assert PIN.encode() not in shown
    assert load_people(file)["anna"].pin.matches(PIN)


def test_ctrl_c_leaves_everything_as_it_was(file: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["setsid", "--ctty", *BANCO, "enrol", "anna", "--duty", "technician", "--file", str(file)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=ENVIRONMENT,
    ) as process:
        os.close(theirs)
        try:
            read_until(ours, b"PIN for anna: ")
            shown = press_ctrl_c(ours, b"nothing was changed")
            assert process.wait(DEADLINE_S) == ExitStatus.INTERRUPTED
        finally:
            process.kill()
    os.close(ours)
    assert b"Traceback" not in shown
    assert not file.exists()
