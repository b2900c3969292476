"""`banco ledger show`: what is chosen, and the three shapes it is told in."""

import csv
import io
import json
import os
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from console.command_line.main import main
from console.configuration.places import simulation_folder
from console.office.ledger.show import Extent, show_records
from jackpot.ledger.selection import Selection
from jackpot.money.amounts import format_units
from tests.console.office.ledger.reading import folder_of, ledger, tamper
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
)
from tests.console.table import Table, table_in
from tests.deadlines import DEADLINE_S

Capture = pytest.CaptureFixture[str]

NOBODY = 65534


def show_numbers(table: Table, capsys: Capture, *words: str) -> list[int]:
    """The numbers of the records a selection shows."""
    assert ledger(table, "show", "--json", *words) == 0
    return [json.loads(line)["seq"] for line in capsys.readouterr().out.splitlines()]


def test_each_filter_narrows_what_is_shown(table: Table, capsys: Capture) -> None:
    records = table.records
    assert show_numbers(table, capsys) == [one.seq for one in records]
    assert show_numbers(table, capsys, "--round", "1") == [
        one.seq for one in records if one.round == 1
    ]
    assert show_numbers(table, capsys, "--kind", "key", "--kind", "hand-void") == [
        one.seq for one in records if one.kind in ("key", "hand-void")
    ]
    assert show_numbers(table, capsys, "--refused") == [
        one.seq for one in records if one.body.get("outcome") == "refused"
    ]
    assert show_numbers(table, capsys, "--money") == [
        one.seq for one in records if one.transactions
    ]
    assert show_numbers(table, capsys, "--money", "--round", "1", "--kind", "rail") == [
        one.seq for one in records if one.transactions and one.kind == "rail"
    ]
    assert show_numbers(table, capsys, "--after", "20") == [
        one.seq for one in records if one.seq > 20
    ]


def test_times_are_beginnings_of_labels_and_both_inclusive(table: Table, capsys: Capture) -> None:
    records = table.records
    second = "2000-01-01T00:00:00.4"
    within = [one.seq for one in records if one.wall.startswith(second)]
    assert within
    assert show_numbers(table, capsys, "--since", second, "--until", second) == within
    assert show_numbers(table, capsys, "--since", second) == [
        one.seq for one in records if one.wall >= second
    ]
    everything = [one.seq for one in records]
    assert show_numbers(table, capsys, "--until", "2000-01-01") == everything
    assert show_numbers(table, capsys, "--since", "2000-01-01 00:00") == everything
    assert show_numbers(table, capsys, "--since", "2000-01-02") == []
    assert show_numbers(table, capsys, "--until", "1999") == []


NO_TIMES = ("yesterday", "2000-01-01T00:00:00+01:00", "21:30", "2000-1-1")
LIKE_TIMES = ("2026-11-22T25:00", "2026-11-22T23:60", "2026-02-30", "2026-13", "0000")
"""They look like times, and there are none such."""


@pytest.mark.parametrize("time", [*NO_TIMES, *LIKE_TIMES])
def test_what_is_no_time_of_a_label_is_refused(time: str, table: Table, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        ledger(table, "show", "--since", time)
    assert "not a time such as" in capsys.readouterr().err


def test_a_kind_that_there_is_not_is_refused(table: Table, capsys: Capture) -> None:
    assert ledger(table, "show", "--kind", "button", "--kind", "nokind") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(
        "no kind 'nokind'; there are archived, award-verified, begun, board"
    )
    assert show_numbers(table, capsys, "--kind", "archived") == []


def test_a_limit_says_that_there_is_more_and_how_to_go_on(table: Table, capsys: Capture) -> None:
    assert ledger(table, "show", "--limit", "3", "--json") == 0
    assert capsys.readouterr().err == "3 records; there are more: --after 3\n"
    count = len(table.records)
    for limit in ("0", str(count)):
        assert ledger(table, "show", "--limit", limit, "--json") == 0
        output = capsys.readouterr()
        assert (len(output.out.splitlines()), output.err) == (count, "")


def numbers_in(text: str) -> list[int]:
    """The numbers of a table's records, as they stand."""
    return [int(row.split()[0]) for row in text.splitlines()[1:] if row.split()[0].isdigit()]


def test_the_table_begins_with_the_newest(table: Table, capsys: Capture) -> None:
    every = [one.seq for one in table.records]
    assert ledger(table, "show") == 0
    assert numbers_in(capsys.readouterr().out) == every[::-1]
    assert ledger(table, "show", "--limit", "3") == 0
    output = capsys.readouterr()
    assert numbers_in(output.out) == every[:-4:-1]
    assert output.err == "the newest 3; there are more: --last N, or --limit 0 for all\n"
    assert ledger(table, "show", "--after", str(every[-3])) == 0
    assert numbers_in(capsys.readouterr().out) == every[-2:]


def test_the_last_ones_are_the_newest_in_every_form(table: Table, capsys: Capture) -> None:
    every = [one.seq for one in table.records]
    assert show_numbers(table, capsys, "--last", "3") == every[-3:]
    assert ledger(table, "show", "--last", "3") == 0
    output = capsys.readouterr()
    assert numbers_in(output.out) == every[:-4:-1]
    assert output.err == ""
    assert show_numbers(table, capsys, "--last", "1", "--refused") == [
        [one.seq for one in table.records if one.body.get("outcome") == "refused"][-1]
    ]


def test_further_records_are_printed_as_they_come(table: Table, capsys: Capture) -> None:
    waits = iter([("token 5",), (), ("key JPL", "key R")])

    def pause() -> None:
        table.play(*next(waits))

    extent = Extent(last=2, follows=True)
    before = [one.seq for one in table.records]
    with pytest.raises(StopIteration):
        show_records(Path(folder_of(table)), Selection(), extent, "table", pause)
    shown = numbers_in(capsys.readouterr().out)
    assert shown == [one.seq for one in table.records if one.seq >= before[-2]]
    assert len(shown) > 4


def test_the_simulations_ledger_is_shown_without_its_folder(
    table: Table, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = simulation_folder()
    folder.parent.mkdir(parents=True)
    folder.symlink_to(folder_of(table))
    assert main(["ledger", "show", "--sim", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(table.records)
    with pytest.raises(SystemExit):
        main(["ledger", "show", "--sim", str(folder)])


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (60, 12)])
def test_the_table_fits_its_terminal(columns: int, rows: int, table: Table) -> None:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (rows, columns))
    shown = subprocess.run(
        [*BANCO, "ledger", "show", folder_of(table)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        timeout=DEADLINE_S,
        check=True,
        text=True,
    )
    os.close(theirs)
    lines = os.read(ours, 100_000).decode().splitlines()
    os.close(ours)
    assert max(map(len, lines)) <= columns
    assert len(lines) <= rows - 2
    newest = len(table.records)
    assert numbers_in("\n".join(lines))[0] == newest
    assert ("there are more" in shown.stderr) == (rows < newest)


def test_the_table_is_for_people(table: Table, capsys: Capture) -> None:
    assert ledger(table, "show", "--round", "1") == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    at = heading.index("what came of it")
    assert {row[at - 1 : at + 1].strip() == row[at : at + 1].strip() for row in rows} == {True}
    output = {row[heading.index("act") : at].strip(): row[at:] for row in reversed(rows)}
    assert output["press JPOT"] == "pending flush x2, 100.02 each; jackpot -100.02"
    assert output["declare hand-void 3 returned"].endswith("hand void 3; jackpot -1.40")
    assert output["declare hand-void 3 returned"].startswith("by ")


def test_a_key_between_two_positions_is_shown_as_a_scenario_says(
    table: Table, capsys: Capture
) -> None:
    table.play("key between")
    assert ledger(table, "show", "--kind", "key") == 0
    assert "key between" in capsys.readouterr().out.splitlines()[1]


def test_csv_is_read_by_a_csv_reader_and_adds_up(table: Table, capsys: Capture) -> None:
    assert ledger(table, "show", "--format", "csv") == 0
    text = capsys.readouterr().out
    assert text.count("\r\n") == text.count("\n") == len(table.records) + 1
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [int(row["seq"]) for row in rows] == [one.seq for one in table.records]
    assert [row["refusal"] for row in rows if row["outcome"] == "refused"] == ["NO_COMBINATION"]
    for account, units in table.state.balances.to_dict().items():
        cents = sum(round(float(row[account]) * 100) for row in rows if row[account])
        assert cents * 10_000 == units
    adopted = next(row for row in rows if row["kind"] == "settings")
    assert json.loads(adopted["act"])["settings"]["game"] == "caribbean-stud"


def test_parts_of_a_cent_are_told_exactly() -> None:
    output = [format_units(units) for units in (0, 10_000, -2_000_000, 666_600, -1, 1_400_000)]
    assert output == ["0.00", "0.01", "-2.00", "0.6666", "-0.000001", "1.40"]


def test_a_record_steers_no_terminal(table: Table, capsys: Capture) -> None:
    tamper(table, "UPDATE journal SET kind = ? WHERE seq = 5", "\x1b[2Jgone")
    assert ledger(table, "show") == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert "?[2Jgone" in output


def test_a_folder_without_a_ledger_is_said(table: Table, capsys: Capture) -> None:
    nowhere = str(table.machine.disk.folder / "nowhere")
    assert main_on(nowhere) == 2
    assert nowhere in capsys.readouterr().err


def main_on(folder: str) -> int:
    from console.command_line.main import main

    return main(["ledger", "show", folder])


@pytest.mark.parametrize("reading", ["verify", "show", "rebuild"])
def test_a_ledger_that_cannot_be_opened_is_told_why(
    reading: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").touch()
    for folder, why in (
        (tmp_path / "none", f"there is no folder {tmp_path / 'none'}"),
        (tmp_path, f"there is no ledger.db in {tmp_path}"),
        (tmp_path / "file", f"{tmp_path / 'file' / 'ledger.db'}: Not a directory"),
    ):
        assert main(["ledger", reading, str(folder)]) == 2
        assert capsys.readouterr().err == f"{folder}: the ledger cannot be read: {why}\n"


@pytest.mark.parametrize(
    ("mode", "why"), [(0, "Permission denied"), (0o555, "this user may not write in its folder")]
)
def test_without_the_right_to_it_that_is_told(mode: int, why: str, capsys: Capture) -> None:
    with TemporaryDirectory() as place:  # nobody but root may look into pytest's own
        Path(place).chmod(0o755)
        with table_in(Path(place)) as table:
            folder = Path(folder_of(table))
        (folder / "ledger.db").chmod(0o644)
        folder.chmod(mode)
        with somebody_elses():
            status = main(["ledger", "show", str(folder)])
        folder.chmod(0o755)
    output = capsys.readouterr().err
    assert status == 2
    assert output.startswith(f"{folder}: the ledger cannot be read: ")
    assert why in output


@contextmanager
def somebody_elses() -> Iterator[None]:
    """What is done meanwhile is done by a user for whom rights count; for root they do not."""
    ours = os.geteuid()
    if ours == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(ours)
