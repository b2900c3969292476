"""A running table with a key: what it signs, on record and in its seal, and what it locks for."""

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from console.command_line.main import main
from console.line.client import LineClient
from console.line.requests import AskStatus, No, SignHead, Status
from jackpot.ledger.ledger import read_records, verify
from jackpot.trust.head_signer import HeadSigner
from jackpot.trust.heads_on_record import check_heads, head_on_record
from jackpot.trust.key_stores.file import FileStore
from jackpot.trust.seal_file import SealFile
from jackpot.trust.seal_signing import SealSigning
from jackpot.trust.signed_head import check_head
from jackpot.trust.signed_nights import SignedNights, nights_file, read_heads
from jackpot.trust.signing import load_public
from tests.console.real_table import ANNA, ROSSI, Ended, enrol_both, type_command
from tests.console.running_table import (
    configuration,
    running,
)
from tests.deadlines import DEADLINE_S
from tests.jackpot.forged_chain import forge_chain


@dataclass(frozen=True)
class SignedFiles:
    """A table's configuration, and where its ledger, seal and key lie."""

    file: Path
    ledger: Path
    seal: Path
    public: Path

    @property
    def folder(self) -> Path:
        """Where all of them are."""
        return self.seal.parent

    async def have_head_signed(self) -> int:
        """`banco key sign`, at the running table."""
        ended = await asyncio.to_thread(type_command, "key", "sign", str(self.file))
        assert ended.out.startswith("the table has signed "), ended
        return ended.status

    def export(self, name: str, ledger: Path | None = None) -> Ended:
        """`banco ledger export`, with the house's key."""
        key = self.folder / "house.key"
        if not key.exists():
            assert type_command("ledger", "key", str(key)).status == 0
        words = ["--key", key, "--out", self.folder / name, ledger or self.ledger]
        return type_command("ledger", "export", *map(str, words))

    def check_export(self, name: str, *words: object) -> Ended:
        """`banco ledger check-export`, with the house's public key."""
        key = ("--key", self.folder / "house.key.pub")
        words = (self.folder / name, *key, *words)
        return type_command("ledger", "check-export", *map(str, words))

    @property
    def heads(self) -> list[int]:
        """The counters of the heads on record."""
        records = read_records(self.ledger, kind="head-signed")
        return [head_on_record(record).counter for record in records]


@pytest.fixture
def files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> SignedFiles:
    (tmp_path / "table").mkdir()
    file = configuration(tmp_path / "table" / "table.toml")
    seal, key = tmp_path / "seal", tmp_path / "key"
    more = f'[key]\nstore = "file"\nfolder = "{key}"\n[ledger]\nseal = "{seal}"'
    file.write_text(file.read_text("utf-8").replace("[ledger]", more), "utf-8")
    assert main(["key", "make", str(file)]) == 0
    capsys.readouterr()
    return SignedFiles(file, tmp_path / "table" / "ledger", seal, key / "table.key.pub")


def test_heads_are_put_on_record_and_an_older_seal_locks_the_table(files: SignedFiles) -> None:
    async def night() -> None:
        async with running(files.file.parent, "--sim", "--config", files.file) as table:
            await table.do("press game_over")
            older = files.seal.read_bytes()
            client = LineClient(files.file.parent / "line")
            status = await client.ask(AskStatus())
            assert isinstance(status, Status)
            assert status.key_store == "file"
            assert await files.have_head_signed() == 0
            exported = await asyncio.to_thread(files.export, "night.jsonl")
            assert (exported.status, exported.complaints) == (0, "")
            again = await client.ask(SignHead())
            client.close()
            assert isinstance(again, No), again
            assert again.code == "WAIT"
            assert await files.have_head_signed() == 0, "that is enough"
            await table.do("press coin_in", "declare tray 0")
            table.say("quit")
            assert await table.wait_for_end() == 0
        files.seal.write_bytes(older)
        async with running(files.file.parent, "--sim", "--config", files.file) as table:
            async with asyncio.timeout(DEADLINE_S):
                while (await table.do("press game_over"))["faults"] != ["LEDGER_CORRUPT"]:
                    pass
            await table.until_complained("the seal is an older one: its counter is 1")

    asyncio.run(night())
    assert files.heads[:2] == [1, 2]
    public = load_public(files.public)
    report = check_heads(files.ledger, public)
    assert (report.heads, report.problems) == (len(files.heads), ())
    (night_head,) = read_heads(nights_file(files.seal))
    check_head(night_head, public)
    assert night_head.counter == 3
    (counted,) = read_records(files.ledger, kind="tray-counted")
    assert night_head.seq >= counted.seq
    assert_a_chain_computed_anew_is_found_out(files)
    assert_seal_can_be_begun_anew(files)


def assert_a_chain_computed_anew_is_found_out(files: SignedFiles) -> None:
    """In a ledger with its second copy, and in an export of it that the house has signed."""
    of_key = ("--table-key", files.public)
    true = files.check_export("night.jsonl", *of_key)
    assert true.status == 0
    assert "the key is in a file, without a TPM" in true.out
    sound = type_command("ledger", "verify", str(files.ledger), *map(str, of_key))
    assert (sound.status, "the key is in a file, without a TPM" in sound.out) == (0, True)
    forged = Path(shutil.copytree(files.ledger, files.folder / "forged"))
    forge_chain(forged, """UPDATE journal SET wall = 'never' WHERE seq = 2""")
    copied = Path(shutil.copytree(forged, files.folder / "copy"))
    for folder in (forged, copied):
        assert type_command("ledger", "verify", str(folder)).status == 0
        found = type_command("ledger", "verify", str(folder), *map(str, of_key))
        assert found.status == 1
        assert "is not the one that the table's key has signed" in found.out
    assert files.export("forged.jsonl", forged).status == 0
    assert files.check_export("forged.jsonl").status == 0
    found = files.check_export("forged.jsonl", *of_key)
    assert (found.status, "is not the one that the table's key has signed" in found.out) == (
        1,
        True,
    )


def assert_seal_can_be_begun_anew(files: SignedFiles) -> None:
    """Whoever answers for it needs the key for that: an unsigned seal would lock it again."""
    people = enrol_both(files.file.with_name("people.toml"))
    names = ["--by", "anna", "--and", "rossi", "--people", str(people)]
    accept = ["--accept", "the old one was put back", "--really", *names]
    repair = ["ledger", "repair", str(files.ledger), "--seal", str(files.seal), *accept]
    assert type_command(*repair, typed=(ANNA, ROSSI)).status == 2
    with_key = type_command(*repair, "--config", str(files.file), typed=(ANNA, ROSSI))
    assert with_key.status == 0
    key = files.public.parent
    signing = SealSigning(
        HeadSigner("cs-1", lambda: FileStore(key)), SignedNights(nights_file(files.seal))
    )
    compared = SealFile(files.seal, files.ledger, "cs-1", signing=signing).compare()
    assert compared.at == verify(files.ledger).head.seq
