"""`banco ledger archive` and what reads a ledger afterwards, as a house types it."""

import io
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from console.bordereau.nights import nights
from console.command_line.main import main
from console.configuration.table_plan import TablePlan
from console.office.ledger.archive import archive_or_report_failure, first_kept
from console.rules.link import Tie
from console.rules.records import restore_recovered
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.ledger.ledger import Ledger, newest_record, read_records, verify
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.archive import ArchiveRequest, ArchiveResult, last_before
from jackpot.trust.seal import newest_noted
from jackpot.trust.signing import load_private, load_public, public_file
from tests.console.bordereau.played_nights import RandomTable
from tests.console.real_table import ANNA, ROSSI, enrol_both, type_command
from tests.console.table import Table
from tests.jackpot.exports import rechain, sign_anew
from tests.jackpot.money import damage
from tests.jackpot.test_folder import assert_given, give

pytestmark = pytest.mark.sampled(of=2)

ACTS = 4_000

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def three_nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some nights, many snapshots, and a second copy."""
    folder = tmp_path_factory.mktemp("nights") / "ledger"
    RandomTable(folder, Random(11)).play(ACTS)
    return folder


@pytest.fixture
def ledger(three_nights: Path, tmp_path: Path) -> Path:
    shutil.copytree(three_nights, tmp_path / "second")
    return Path(shutil.copytree(three_nights, tmp_path / "ledger"))


@pytest.fixture
def key(tmp_path: Path, capsys: Capture) -> Path:
    """The house's private key, in another place than the table's ledger."""
    (tmp_path / "office").mkdir()
    file = tmp_path / "office/house.key"
    assert main(["ledger", "key", str(file)]) == 0
    capsys.readouterr()
    return file


def tell_records(ledger: Path, before: object) -> tuple[int, str]:
    """Which records can be archived, as the command says it: exit status, and text."""
    answer = io.StringIO()
    with redirect_stdout(answer):
        status = main(["ledger", "archive", str(ledger), "--before", str(before)])
    return status, answer.getvalue()


def export_elsewhere(ledger: Path, key: Path, last: object, *options: object) -> Path:
    """The signed file, made from a copy of the ledger where the house's private key is."""
    out, copy = ledger.parent / "old.jsonl", key.parent / "copy"
    shutil.copytree(ledger, copy)
    words = ["--key", key, "--out", out, "--to", last, *options]
    with redirect_stdout(io.StringIO()):
        assert main(["ledger", "export", str(copy), *map(str, words)]) == 0
    shutil.rmtree(copy)
    return out


def give_archive(
    ledger: Path, key: Path, *options: object, typed: tuple[str, ...] = (ANNA, ROSSI)
) -> int:
    """Archive with the house's public key, as anna and rossi, who type their PINs."""
    people = enrol_both(ledger.parent / "people.toml")
    words = ["--export", ledger.parent / "old.jsonl", "--key", public_file(key)]
    names = ["--people", people, "--by", "anna", "--and", "rossi"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("".join(f"{pin}\n" for pin in typed)))
        return main(["ledger", "archive", str(ledger), *map(str, (*words, *names, *options))])


def archive(
    ledger: Path,
    key: Path,
    *options: object,
    before: object = 99_999,
    typed: tuple[str, ...] = (ANNA, ROSSI),
) -> int:
    """Ask what can be archived, export it elsewhere, archive it with the public key alone."""
    status, answer = tell_records(ledger, before)
    if status != 0:
        return status
    found = re.search(r" --to (\d+) ", answer)
    assert found is not None
    export_elsewhere(ledger, key, found[1])
    return give_archive(ledger, key, *options, typed=typed)


def run_archive(ledger: Path, *words: object) -> int:
    return main(["ledger", *map(str, words), str(ledger)])


def print_nights(ledger: Path, count: int) -> list[str]:
    """The last nights' bordereaux, as the command prints them."""
    stretches = [night.stretch for night in nights(ledger) if night.stretch.closed][:count]
    return [f"{one.after} {one.last}" for one in stretches]


def test_old_nights_go_and_everything_reads_on(ledger: Path, key: Path, capsys: Capture) -> None:
    before = list(read_records(ledger, limit=-1))
    two = print_nights(ledger, 2)
    rounds = {one.round for one in before}
    assert main(["report", "--last", "--format", "json", str(ledger)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert archive(ledger, key) == 0
    lines = capsys.readouterr().out.splitlines()
    last = verify(ledger).anchor.seq
    out = ledger.parent / "old.jsonl"
    fingerprint = load_public(public_file(key)).fingerprint
    assert lines[0] == f"{out}: records 1 to {last}"
    assert lines[1] == f"it must be signed with the key {fingerprint}"
    assert lines[2] == f"records 1 to {last} are in {out} alone: read back, signed and in order"
    assert last > 500
    *left, record = read_records(ledger, limit=-1)
    assert left == before[last:]
    assert (record.kind, record.round) == ("archived", before[-1].round)
    act = record.body["act"]
    assert isinstance(act, dict)
    assert (act["by"], act["second"], act["key"]) == ("anna", "rossi", fingerprint)
    assert left[0].kind == "snapshot"
    assert print_nights(ledger, 2) == two
    assert main(["report", "--last", "--format", "json", str(ledger)]) == 0
    assert json.loads(capsys.readouterr().out) == printed
    assert run_archive(ledger, "verify") == 0
    assert f"records 1 to {last} are in the archive " in capsys.readouterr().out
    assert run_archive(ledger, "rebuild") == 0
    for number in sorted(rounds)[-3:]:
        assert run_archive(ledger, "replay", number) == 0
    assert run_archive(ledger, "show", "--limit", 0) == 0
    assert "records to " in capsys.readouterr().out
    assert run_archive(ledger, "export", "--key", key, "--out", ledger.parent / "rest.jsonl") == 0
    assert capsys.readouterr().out.startswith(f"{ledger.parent}/rest.jsonl: table ")


def test_a_start_knows_the_same(ledger: Path, key: Path) -> None:
    with closing(Ledger.open(ledger)) as opened:
        state, balances = restore_recovered(opened.recovered), opened.balances
    assert archive(ledger, key) == 0
    with closing(Ledger.open(ledger)) as opened:
        assert (restore_recovered(opened.recovered), opened.balances) == (state, balances)
        assert opened.recovered.boot == 2


def test_two_whole_nights_and_two_whole_rounds_stay(ledger: Path, key: Path) -> None:
    """However much is asked for"""
    kept = [night for night in nights(ledger) if night.stretch.closed][1]
    newest = newest_record(ledger)
    assert newest is not None
    assert archive(ledger, key, before=newest.seq) == 0
    assert verify(ledger).anchor.seq < kept.stretch.after
    assert newest.round - 2 in {one.round for one in read_records(ledger, limit=-1)}
    assert [one for one in nights(ledger) if one.stretch.closed][:2] == [
        one for one in nights(ledger.parent / "second") if one.stretch.closed
    ][:2]


def test_what_is_asked_to_stay_stays(ledger: Path, key: Path) -> None:
    assert archive(ledger, key, before=700) == 0
    anchor = verify(ledger).anchor
    assert 256 < anchor.seq < 700
    first = next(iter(read_records(ledger, limit=1)))
    assert (first.seq, first.kind) == (anchor.seq + 1, "snapshot")


def expect_refusal(capsys: Capture, status: int, why: str) -> None:
    error = capsys.readouterr().err
    assert status == 2
    assert error.startswith("not to be done: ")
    assert why in error


class InterruptedConnection(sqlite3.Connection):
    """Behind the commit that deletes: a key is pressed, or the disk fails after it has written."""

    why: BaseException = KeyboardInterrupt()
    deleted = False

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        cursor = super().execute(sql, parameters)
        self.deleted = self.deleted or sql.startswith("DELETE")
        if self.deleted and sql == "COMMIT":
            raise self.why
        return cursor


class FailingAfterCommit(InterruptedConnection):
    why = sqlite3.OperationalError("disk I/O error")


class InterruptedBeforeCommit(InterruptedConnection):
    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        if sql.startswith("DELETE"):
            raise self.why
        return super().execute(sql, parameters)


def interrupt_archiving(
    ledger: Path, key: Path, how: type[InterruptedConnection]
) -> tuple[ArchiveResult | None, Path]:
    last = last_before(ledger, 700, 700)
    asked = ArchiveRequest(last, export_elsewhere(ledger, key, last), "", "anna", "rossi", 7)
    opened, public = partial(sqlite3.connect, factory=how), load_public(public_file(key))
    return archive_or_report_failure(ledger, asked, public, connect=opened), asked.file


@pytest.mark.parametrize("how", [InterruptedConnection, FailingAfterCommit])
def test_an_archive_that_breaks_off_behind_its_commit_says_to_keep_the_file(
    ledger: Path, key: Path, capsys: Capture, how: type[InterruptedConnection]
) -> None:
    """To be told that it is not done, somebody would delete the only file with the records"""
    done, out = interrupt_archiving(ledger, key, how)
    assert done is None
    report = verify(ledger)
    assert report.problems == ()
    assert capsys.readouterr().err.startswith(
        f"the records up to {report.anchor.seq} are in {out}, and no more in the ledger: keep"
    )


def test_an_archive_that_breaks_off_before_is_not_done(ledger: Path, key: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt_archiving(ledger, key, InterruptedBeforeCommit)
    assert verify(ledger).anchor.seq == 0


def test_the_private_key_is_not_at_the_table(ledger: Path, key: Path) -> None:
    """Nor is it taken there, by mistake"""
    last = last_before(ledger, 700, 700)
    export_elsewhere(ledger, key, last)
    with_private = type_command(
        *("ledger", "archive", str(ledger), "--export", str(ledger.parent / "old.jsonl")),
        *("--key", str(key), "--by", "anna", "--and", "rossi"),
    )
    assert (with_private.status, "is no public key in PEM" in with_private.complaints) == (2, True)
    key.unlink()
    assert give_archive(ledger, key) == 0
    assert verify(ledger).anchor.seq == last
    assert archives(ledger, key, [ledger.parent / "old.jsonl"]) == 0


def test_which_records_can_be_archived_is_told_while_the_table_plays(ledger: Path) -> None:
    with closing(Ledger.open(ledger)) as opened:
        head = opened.head
        status, answer = tell_records(ledger, 700)
    last = last_before(ledger, 700, 700)
    assert (status, answer.splitlines()[0]) == (0, f"records 1 to {last} can be archived")
    assert answer.splitlines()[-1] == (
        f"banco ledger export --key house.key --to {last} --out ARCHIVE COPY"
    )
    assert verify(ledger).head == head


def test_what_cannot_be_done_is_told(ledger: Path, key: Path, capsys: Capture) -> None:
    head = verify(ledger).head
    for before, why in (
        (100, "nothing to archive: the ledger begins with"),
        ("last year", "write a year such as 2026, a day"),
        ("1999", "nothing to archive"),
    ):
        expect_refusal(capsys, tell_records(ledger, before)[0], why)
    expect_refusal(capsys, tell_records(ledger.parent / "none", 700)[0], "there is no ledger in")
    expect_refusal(capsys, give_archive(ledger, key), "No such file")
    last = last_before(ledger, 700, 700)
    out = export_elsewhere(ledger, key, last)
    no_key = ["--export", str(out), "--by", "anna", "--and", "rossi"]
    expect_refusal(capsys, run_archive(ledger, "archive", *no_key), "--export needs --key FILE")
    expect_refusal(capsys, give_archive(ledger.parent / "none", key), "there is no ledger in")
    expect_refusal(capsys, give_archive(ledger, key.with_name("no.key")), "No such file")
    with closing(Ledger.open(ledger)):
        expect_refusal(capsys, give_archive(ledger, key), "is open already, elsewhere")
    out.write_text("of last year")
    expect_refusal(capsys, give_archive(ledger, key), "line 1 is not the first of an export")
    assert (verify(ledger).head, verify(ledger).anchor.seq) == (head, 0)


def test_a_file_that_ends_elsewhere_is_told_where_it_may_end(
    ledger: Path, key: Path, capsys: Capture
) -> None:
    """Not in the middle, and not within the last nights"""
    last = last_before(ledger, 700, 700)
    for ends in (last + 1, 700):
        out = export_elsewhere(ledger, key, ends)
        why = f"{out} ends with record {ends}; this ledger can be archived up to record {last}"
        expect_refusal(capsys, give_archive(ledger, key), why)
        out.unlink()
    newest = newest_record(ledger)
    assert newest is not None
    out = export_elsewhere(ledger, key, newest.seq)
    most = last_before(ledger, newest.seq, first_kept(ledger))
    expect_refusal(capsys, give_archive(ledger, key), f"archived up to record {most}: ")
    assert verify(ledger).anchor.seq == 0


def test_a_forged_file_is_refused(ledger: Path, key: Path, capsys: Capture) -> None:
    """Changed after it was signed; or other records, which the house's key has signed"""
    last = last_before(ledger, 700, 700)
    out = export_elsewhere(ledger, key, last)
    true = out.read_bytes()
    assert b'\\"FLUSH\\"' in true
    out.write_bytes(true.replace(b'\\"FLUSH\\"', b'\\"POKER\\"', 1))
    expect_refusal(capsys, give_archive(ledger, key), "was changed, or the one before it")
    forged = rechain(out.read_bytes().splitlines(keepends=True))
    out.write_bytes(sign_anew(forged, load_private(key)))
    expect_refusal(capsys, give_archive(ledger, key), f"its record {last} is not the ledger's")
    assert verify(ledger).anchor.seq == 0


def test_a_file_that_somebody_else_has_signed_is_shown(
    ledger: Path, key: Path, capsys: Capture
) -> None:
    """Two people who bring a public key of their own: what is on record is not the house's"""
    other = key.with_name("other.key")
    assert main(["ledger", "key", str(other)]) == 0
    out = export_elsewhere(ledger, other, last_before(ledger, 700, 700))
    expect_refusal(capsys, give_archive(ledger, key), "signed with the key")
    assert give_archive(ledger, other) == 0
    capsys.readouterr()
    assert archives(ledger, key, [out]) == 1
    assert f"not {load_public(public_file(key)).fingerprint}" in capsys.readouterr().out
    *_, record = read_records(ledger, kind="archived")
    act = record.body["act"]
    assert isinstance(act, dict)
    assert act["key"] == load_public(public_file(other)).fingerprint


@pytest.mark.parametrize(
    ("typed", "more", "why"),
    [
        ((ANNA,), (), "no answer"),
        ((ANNA, ANNA), (), "name or PIN is wrong"),
        ((ROSSI, ROSSI), (), "name or PIN is wrong"),
        ((ANNA, ANNA), ("--and", "anna"), "the second is another one"),
    ],
)
def test_nothing_is_archived_without_two_people(
    ledger: Path,
    key: Path,
    capsys: Capture,
    typed: tuple[str, ...],
    more: tuple[str, ...],
    why: str,
) -> None:
    expect_refusal(capsys, archive(ledger, key, *more, typed=typed), why)
    assert verify(ledger).anchor.seq == 0


def test_two_nights_are_all_there_is(tmp_path: Path, key: Path, capsys: Capture) -> None:
    RandomTable(tmp_path / "few", Random(3)).play(200)
    expect_refusal(
        capsys, archive(tmp_path / "few", key), "the last 2 whole nights stay in the ledger"
    )


def test_an_old_seal_must_not_lose_its_record(ledger: Path, key: Path, capsys: Capture) -> None:
    seal = TwoSlots(ledger.parent / "seal")
    (ninth,) = read_records(ledger, after=8, limit=1)
    seal.make({"table": "t", "seq": 9, "hash": ninth.hash, "wall": ""})
    export_elsewhere(ledger, key, last_before(ledger, 700, 700))
    expect_refusal(
        capsys, give_archive(ledger, key, "--seal", seal.path), "of record 9, before the last one"
    )
    noted = newest_noted(ledger)
    seal.write({"table": "t", "seq": noted.head.seq, "hash": noted.head.hash, "wall": ""})
    assert give_archive(ledger, key, "--seal", seal.path) == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes as somebody else")
def test_what_root_has_archived_stays_the_services(ledger: Path, key: Path) -> None:
    second = ledger.with_name("second")
    for folder in (ledger, second):
        give(folder)
    assert archive(ledger, key, "--mirror", second) == 0
    for folder in (ledger, second):
        assert_given(folder)


def test_the_second_copy_is_archived_as_well(ledger: Path, key: Path, capsys: Capture) -> None:
    second = ledger.parent / "second"
    assert archive(ledger, key, "--mirror", second) == 0
    assert "goes on after record" in capsys.readouterr().out.splitlines()[-1]
    assert verify(second).anchor == verify(ledger).anchor
    assert verify(second).head == verify(ledger).head
    assert main(["ledger", "repair", str(ledger), "--mirror", str(second)]) == 0
    assert "Nothing is to be restored." in capsys.readouterr().out


def test_a_copy_that_is_not_in_order_keeps_what_it_has(
    ledger: Path, key: Path, capsys: Capture
) -> None:
    second = ledger.parent / "second"
    damage(second, "UPDATE journal SET body = '[]' WHERE seq = 17")
    assert archive(ledger, key, "--mirror", second) == 1
    last_line = capsys.readouterr().out.splitlines()[-1]
    assert "still has these records: " in last_line
    assert "record 17 was changed" in last_line
    assert verify(ledger).sound


# The archive beside the ledger


def archives(ledger: Path, key: Path, files: Sequence[Path]) -> int:
    words = [word for file in files for word in ("--archive", file)]
    return run_archive(ledger, "verify", "--key", f"{key}.pub", *words)


def test_the_archive_ends_where_the_ledger_begins(ledger: Path, key: Path, capsys: Capture) -> None:
    out = ledger.parent / "old.jsonl"
    assert archive(ledger, key, before=700) == 0
    older_file = out.rename(ledger.parent / "older.jsonl")
    assert archives(ledger, key, [older_file]) == 0
    assert archive(ledger, key) == 0
    capsys.readouterr()
    assert archives(ledger, key, [older_file, out]) == 0
    assert "the archive is signed with this key" in capsys.readouterr().out
    assert archives(ledger, key, [out]) == 0
    for files, why in (
        ([older_file], "older.jsonl ends with record"),
        ([out, older_file], "older.jsonl begins with record 1, not where"),
    ):
        assert archives(ledger, key, files) == 1
        assert why in capsys.readouterr().out


def test_another_file_is_not_taken_for_it(ledger: Path, key: Path, capsys: Capture) -> None:
    """The same records, signed a second time: not the file that is on record"""
    anchor_file, again = ledger.parent / "old.jsonl", ledger.parent / "again.jsonl"
    assert archive(ledger, key) == 0
    last = verify(ledger).anchor.seq
    second = ledger.parent / "second"
    assert run_archive(second, "export", "--key", key, "--out", again, "--to", last) == 0
    assert archives(ledger, key, [again]) == 1
    assert "again.jsonl is another file than the one on record" in capsys.readouterr().out
    anchor_file.write_bytes(anchor_file.read_bytes().replace(b"snapshot", b"snapshut", 1))
    assert archives(ledger, key, [anchor_file]) == 1
    assert "was changed" in capsys.readouterr().out


def test_an_archive_that_cannot_be_checked(ledger: Path, key: Path, capsys: Capture) -> None:
    assert run_archive(ledger, "verify", "--archive", "x.jsonl") == 2
    assert "--archive needs --key" in capsys.readouterr().err
    assert archives(ledger, key, [ledger.parent / "none.jsonl"]) == 2
    assert "the archive cannot be checked: " in capsys.readouterr().err


def test_what_the_centre_of_a_linked_jackpot_may_ask_for_stays(tmp_path: Path) -> None:
    """LINK 3.12: an archived record could not be shown, and the table would be LINK_FORKED"""
    paused = ("press GAME_OVER", "press COIN_IN", "press GAME_OVER", "press COIN_IN")
    plan = TablePlan(link="house")
    with machine_in_virtual_time(plan, tmp_path, rehearsed=Tie.SPLIT) as machine:
        table = Table(plan, machine)
        table.play("press GAME_OVER", "token 1", "press COIN_IN", "wait 1s")
        table.play(*paused, "declare tray 1")
        for _ in range(4):  # nights without a token: the centre is told nothing but beats
            table.play(*paused, "declare tray 0")
        folder = machine.disk.folder
    answered = [one.seq for one in read_records(folder, limit=-1) if one.kind == "link-answered"]
    whole_nights = [night.stretch.after for night in nights(folder)]
    assert whole_nights[1] > answered[-1]
    assert first_kept(folder) == answered[-2] - 1
