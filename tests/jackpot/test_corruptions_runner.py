"""The run of damaged ledgers itself: every edit edits, every miss can be repeated."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jackpot.ledger.journal import movements_in, transaction_of
from jackpot.ledger.schema import FILE
from tests.jackpot import corruptions
from tests.jackpot.damage_judge import DamageMissed, Verdict
from tests.jackpot.damage_kinds import KINDS, Kind
from tests.jackpot.damaged_rows import RowEditor, with_hand
from tests.jackpot.database_structure import structure_of
from tests.jackpot.sound_ledger import SoundLedger, sound_ledger

EDITS = 2_000


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> SoundLedger:
    return sound_ledger(tmp_path_factory.mktemp("sound"))


def find_edits(
    sound: SoundLedger, edit: Callable[[RowEditor], int]
) -> list[tuple[tuple[Any, ...], ...]]:
    """The record before and after, of so many edits, each of the sound ledger."""
    found: list[tuple[tuple[Any, ...], ...]] = []

    def edit_again_and_again(editor: RowEditor) -> None:
        records = {row[0]: row for row in editor.execute("SELECT * FROM journal")}
        for _ in range(EDITS):
            editor.execute("SAVEPOINT sound")
            seq = edit(editor)
            after = editor.execute("SELECT * FROM journal WHERE seq = ?", (seq,)).fetchone()
            found.append((records[seq], after))
            editor.execute("ROLLBACK TO sound")
            editor.execute("RELEASE sound")

    with_hand(sound, Random(12), edit_again_and_again)
    return found


def test_every_edit_of_a_record_changes_it(sound: SoundLedger) -> None:
    assert all(before != after for before, after in find_edits(sound, RowEditor.edit_any))


def test_other_money_is_still_transactions(sound: SoundLedger) -> None:
    """Else the damage would end the run: a posting of nothing is none"""
    for before, after in find_edits(sound, RowEditor.move_other_money):
        assert before != after
        for movement in movements_in(after[8]):
            transaction_of(movement)


def test_the_structure_of_a_file_is_a_small_part_of_it(sound: SoundLedger) -> None:
    content = sound.closed[FILE]
    structure = structure_of(content)
    assert set(range(100)) < set(structure) < set(range(len(content)))
    assert len(structure) < len(content) / 20
    texts = (b"caribbean", b"seat-6", b"PLAYING", b"CREATE TABLE")
    assert not [text for text in texts if content.index(text) in structure]


def test_seeds_are_drawn_from_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert corruptions.seeds_from(5, 1) == [5]
    drawn = corruptions.seeds_from(5, 80)
    assert len(set(drawn)) == 80
    assert corruptions.seeds_from(5, 80) == drawn != corruptions.seeds_from(6, 80)
    kind = "the lock of an open table"
    assert corruptions.main([kind, "--seeds", "2", "--seed", "5", "--share", "60"]) == 0
    *each, last = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "{" in line]
    assert [one["of"] for one in each] == corruptions.seeds_from(5, 2)
    assert (last["seed"], last["seeds"], last["ledgers"], last["missed"]) == (5, 2, 10, 0)


def test_what_is_missed_can_be_repeated(
    sound: SoundLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage that is none, of a kind that must lock the table"""
    monkeypatch.setitem(KINDS, "none", Kind(lambda sound, _: sound.closed, 1, locks=True))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tally = corruptions.try_kind(sound, "none", 7, 1, tmp_path / "tried")
    assert tally.found == {Verdict.MISSED: 1}
    (message,) = tally.missed
    (kept,) = tmp_path.glob("banco-missed-*")
    assert f"make corruptions AGAIN={kept}" in message
    assert "make corruptions SEED=7" in message
    with pytest.raises(DamageMissed, match="nothing was found"):
        corruptions.again(kept)
