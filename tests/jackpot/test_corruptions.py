"""A thousand damaged ledgers; 14,318: `make corruptions` (docs/dev/soak.md)."""

import json
from pathlib import Path
from random import Random

import pytest

from jackpot.ledger.schema import FILE
from tests.jackpot.corruptions import try_kind
from tests.jackpot.damage_judge import DamageMissed, Judge, Verdict
from tests.jackpot.damage_kinds import KINDS, by_hand, without_seal
from tests.jackpot.damaged_files import page_pairs
from tests.jackpot.damaged_rows import NEITHER, RowEditor, with_hand
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import SoundLedger, sound_ledger

SHARE = 14


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> SoundLedger:
    return sound_ledger(tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_ledger_is_detected_or_harmless(
    sound: SoundLedger, name: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    tally = try_kind(sound, name, seed, SHARE, tmp_path / "tried")
    assert tally.missed == []
    assert tally.found.total() == len(range(seed % SHARE, KINDS[name].times, SHARE))


def test_every_page_copied_onto_every_other(sound: SoundLedger, tmp_path: Path) -> None:
    """One of them leaves the snapshot in the index and takes it out of the journal"""
    name = "every page copied onto every other"
    assert KINDS[name].times == len(page_pairs(sound))
    tally = try_kind(sound, name, 0, 1, tmp_path / "tried")
    assert tally.missed == []


def test_a_thousand_are_tried() -> None:
    assert sum(kind.times for kind in KINDS.values()) // SHARE >= 1_000


@pytest.mark.parametrize("files", ["closed", "killed"])
def test_a_sound_ledger_is_found_harmless(sound: SoundLedger, files: str, tmp_path: Path) -> None:
    folder: Folder = getattr(sound, files)
    assert Judge(sound, tmp_path / "tried").judge(folder) is Verdict.HARMLESS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"CREATE TABLE identity", b"CREATE TABLE \xa0dentity"),  # quoted in SQLite's complaint
        (b'"phase":"PLAYING"', b'"phase":"PL\xd4YING"'),  # no text in a column of text
        (b'"phase":"PLAYING"', b'"phase":"PL\x00YING"'),
    ],
)
def test_what_is_no_text_is_damage_and_no_crash(
    sound: SoundLedger, old: bytes, new: bytes, tmp_path: Path
) -> None:
    content = sound.closed[FILE]
    assert old in content
    judge = Judge(sound, tmp_path / "tried")
    found = judge.judge(sound.closed | {FILE: content.replace(old, new)})
    assert found in (Verdict.AT_START, Verdict.BEHIND)


@pytest.mark.parametrize(
    "column", ["seq", "hash", "balances", "anchor_seq", "anchor_hash", "anchor_balances"]
)
@pytest.mark.parametrize("value", ["NULL", "7", "'x'", "x'00'"])
def test_anything_may_stand_where_the_head_does(
    sound: SoundLedger, column: str, value: str, tmp_path: Path
) -> None:
    """As a page that was written elsewhere leaves it: SQLite's own checks are off"""

    def write(editor: RowEditor) -> None:
        editor.execute("PRAGMA writable_schema = ON")
        editor.execute(
            "UPDATE sqlite_schema SET sql = replace(replace(sql, ' NOT NULL', ''), 'STRICT', '')"
            " WHERE name = 'meta'"
        )
        editor.execute("PRAGMA writable_schema = RESET")
        editor.execute(f"UPDATE meta SET {column} = {value}")

    judge = Judge(sound, tmp_path / "tried")
    found = judge.judge(with_hand(sound, Random(1), write))
    assert found in (Verdict.AT_START, Verdict.BEHIND)


@pytest.mark.parametrize("place", ["changes", "decisions"])
@pytest.mark.parametrize("other", NEITHER, ids=str)
def test_a_record_that_verifies_and_cannot_be_understood_locks_the_table(
    sound: SoundLedger, place: str, other: object, tmp_path: Path
) -> None:
    """Nobody else knows better: there is no seal"""

    def write(editor: RowEditor) -> None:
        change = "UPDATE journal SET body = json_set(body, ?, json(?)) WHERE seq = ?"
        editor.execute(change, (f"$.{place}", json.dumps(other), editor.last))
        editor.hash_all(editor.last)

    folder = without_seal(by_hand(write))(sound, Random(1))
    assert Judge(sound, tmp_path / "tried").judge_forged(folder) is Verdict.AT_START


def test_an_old_ledger_without_its_seal_would_be_missed(sound: SoundLedger, tmp_path: Path) -> None:
    """The judge against himself: what no chain can show, he sees"""
    old = Random(1).choice(sound.older)
    with pytest.raises(DamageMissed, match="with another state"):
        Judge(sound, tmp_path / "tried").judge(old)
