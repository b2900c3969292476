"""A key store of files: the key is the owner's alone, the counter only goes up."""

from pathlib import Path

import pytest

from jackpot.failures import KeyUnusable
from jackpot.ledger.two_slots import SLOT_BYTES
from jackpot.trust.key_stores.file import COUNTER, KEY, FileStore, make_file_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_file_store(tmp_path / "key")
    return tmp_path / "key"


def test_it_signs_with_its_key(folder: Path) -> None:
    store = FileStore(folder)
    assert store.public.accepts(store.sign(b"a head"), b"a head")
    assert not store.public.accepts(store.sign(b"a head"), b"another")


def test_the_counter_is_kept(folder: Path) -> None:
    assert [FileStore(folder).raise_counter() for _ in range(3)] == [1, 2, 3]
    assert FileStore(folder).read_counter() == 3


def test_nobody_else_may_read_it(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / KEY).chmod(0o640)
    with pytest.raises(KeyUnusable, match="others than its owner"):
        FileStore(folder)


def test_it_is_never_made_again(folder: Path) -> None:
    with pytest.raises(KeyUnusable, match="never overwritten"):
        make_file_store(folder)


@pytest.mark.parametrize("name", [KEY, COUNTER])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(KeyUnusable, match=name):
        FileStore(folder)


def test_a_damaged_counter_is_no_counter(folder: Path) -> None:
    (folder / COUNTER).write_bytes(bytes(2 * SLOT_BYTES))
    with pytest.raises(KeyUnusable, match="is damaged"):
        FileStore(folder)
