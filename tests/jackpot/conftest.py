"""A house's key, ledgers of an evening to export and to archive, and a place for an export."""

from pathlib import Path

import pytest

from jackpot.trust.signing import PrivateKey, load_private, make_pair
from tests.jackpot.money import an_evening


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> PrivateKey:
    file = tmp_path_factory.mktemp("keys") / "house.key"
    make_pair(file)
    return load_private(file)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Ten records: the opening, four tokens, a snapshot (6), four tokens."""
    folder = tmp_path / "ledger"
    an_evening(folder, tokens=8, snapshot_after=4)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "caribbean-1.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An opening, tokens 1 to 3, a snapshot (5), tokens 4 to 6."""
    an_evening(tmp_path / "ledger", tokens=6, snapshot_after=3)
    return tmp_path / "ledger"
