"""Two thousand damaged ledgers; 12,000: `make corruptions` (docs/soak.md)."""

from pathlib import Path
from random import Random

import pytest

from tests.jackpot.corruptions import KINDS, tried
from tests.jackpot.damage_judged import Found, Judge, Missed
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import Sound, sound_ledger

SHARE = 6


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return sound_ledger(tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_ledger_is_detected_or_harmless(
    sound: Sound, name: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("hypothesis_seed")
    tally = tried(sound, name, seed, SHARE, tmp_path / "tried")
    assert tally.missed == []
    assert tally.found.total() == len(range(seed % SHARE, KINDS[name].times, SHARE))


def test_two_thousand_are_tried() -> None:
    assert sum(kind.times for kind in KINDS.values()) // SHARE >= 2_000


@pytest.mark.parametrize("files", ["closed", "killed"])
def test_a_sound_ledger_is_found_harmless(sound: Sound, files: str, tmp_path: Path) -> None:
    folder: Folder = getattr(sound, files)
    assert Judge(sound, tmp_path / "tried").judge(folder) is Found.HARMLESS


def test_an_old_ledger_without_its_seal_would_be_missed(sound: Sound, tmp_path: Path) -> None:
    """The judge against himself: what no chain can show, he sees"""
    old = Random(1).choice(sound.older)
    with pytest.raises(Missed, match="with another state"):
        Judge(sound, tmp_path / "tried").judge(old)
