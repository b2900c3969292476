"""A key store in a TPM: the key is sealed there, and its counter outlives power and mischief."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.failures import KeyUnusable
from jackpot.trust.key_stores.tpm import AUTH, COUNTER_INDEX, KEY, TpmStore, make_tpm_store
from jackpot.trust.signing import load_public, public_file
from tests.deadlines import DEADLINE_S
from tests.jackpot.key_stores.software_tpm import SoftwareTpm


@pytest.fixture
def tpm(tmp_path: Path) -> Iterator[SoftwareTpm]:
    tpm = SoftwareTpm(tmp_path / "tpm")
    tpm.switch_on()
    yield tpm
    tpm.switch_off()


@pytest.fixture
def folder(tmp_path: Path, tpm: SoftwareTpm) -> Path:
    make_tpm_store(tmp_path / "key", tpm.device)
    return tmp_path / "key"


def open_store(folder: Path, tpm: SoftwareTpm) -> TpmStore:
    """With the time that a busy machine takes."""
    return TpmStore(folder, tpm.device, within_s=DEADLINE_S)


def test_key_and_counter_outlive_power(tpm: SoftwareTpm, folder: Path) -> None:
    store = open_store(folder, tpm)
    assert [store.read_counter(), store.raise_counter(), store.raise_counter()] == [0, 1, 2]
    tpm.switch_off()
    with pytest.raises(KeyUnusable, match="refuses tpm2_nvread"):
        store.read_counter()
    tpm.switch_on()
    again = open_store(folder, tpm)
    assert again.read_counter() == store.read_counter() == 2
    public = load_public(public_file(folder / KEY))
    assert public.accepts(again.sign(b"a head"), b"a head")
    assert again.public.fingerprint == public.fingerprint


def test_nothing_on_the_disk_is_the_key(folder: Path, tpm: SoftwareTpm, tmp_path: Path) -> None:
    """With the folder, but another TPM, or with the TPM, but without the folder, nobody signs."""
    other = SoftwareTpm(tmp_path / "other")
    other.switch_on()
    try:
        with pytest.raises(KeyUnusable, match="refuses tpm2_unseal"):
            open_store(folder, other)
    finally:
        other.switch_off()
    (folder / AUTH).write_text("guessed")
    with pytest.raises(KeyUnusable, match="refuses tpm2_unseal"):
        open_store(folder, tpm)


def test_a_counter_that_is_made_anew_is_never_lower(folder: Path, tpm: SoftwareTpm) -> None:
    """Whoever has the machine can delete it; what was signed then is still seen to be older."""
    store = open_store(folder, tpm)
    for _ in range(3):
        store.raise_counter()
    undefine = ["tpm2_nvundefine", COUNTER_INDEX, "-C", "o", "--tcti", tpm.device]
    subprocess.run(undefine, check=True, timeout=DEADLINE_S)
    define = ["-C", "o", "-s", "8", "-a", "authread|authwrite|no_da|nt=counter"]
    auth = ["-p", f"file:{folder / AUTH}", "--tcti", tpm.device]
    made = ["tpm2_nvdefine", COUNTER_INDEX, *define, *auth]
    subprocess.run(made, check=True, timeout=DEADLINE_S, capture_output=True)
    assert store.raise_counter() == 4


def test_it_is_never_made_again(folder: Path, tpm: SoftwareTpm, tmp_path: Path) -> None:
    for place in (folder, tmp_path / "another"):
        with pytest.raises(KeyUnusable, match="never overwritten"):
            make_tpm_store(place, tpm.device)
    assert not (tmp_path / "another" / AUTH).exists()
    assert open_store(folder, tpm).read_counter() == 0


def test_a_tpm_that_hangs_is_lost_within_the_deadline(folder: Path, tpm: SoftwareTpm) -> None:
    store = TpmStore(folder, tpm.device)
    tpm.hang(hung=True)
    with pytest.raises(KeyUnusable, match="has not answered tpm2_nvincrement within"):
        store.raise_counter()
    tpm.hang(hung=False)
    assert open_store(folder, tpm).raise_counter() in (1, 2)


def test_without_the_tools_their_package_is_named(
    folder: Path, tpm: SoftwareTpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(KeyUnusable, match="tpm2-tools"):
        TpmStore(folder, tpm.device)


def test_a_folder_without_its_password_is_named(folder: Path, tpm: SoftwareTpm) -> None:
    shutil.rmtree(folder)
    with pytest.raises(KeyUnusable, match="unseal"):
        TpmStore(folder, tpm.device)
