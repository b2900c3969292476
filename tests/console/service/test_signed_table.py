"""A running table with a key: what it signs, on record and in its seal, and what it locks for."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from console.command_line import main
from console.line.client import LineClient
from console.line.requests import AskStatus, Done, No, SignHead, Status
from jackpot.head_signer import HeadSigner
from jackpot.heads_on_record import check_heads, head_on_record
from jackpot.key_stores.file import FileStore
from jackpot.ledger import read_records, verify
from jackpot.seal import SealFile
from jackpot.seal_signing import SealSigning
from jackpot.signed_head import check_head
from jackpot.signed_nights import SignedNights, nights_file, read_heads
from jackpot.signing import load_public
from tests.console.real_table import ANNA, ROSSI, enrol_both, type_command
from tests.console.running_table import DEADLINE_S, configuration, running


@dataclass(frozen=True)
class SignedFiles:
    """A table's configuration, and where its ledger, seal and key lie."""

    file: Path
    ledger: Path
    seal: Path
    public: Path

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
            signed, again = await client.ask(SignHead()), await client.ask(SignHead())
            client.close()
            assert isinstance(signed, Done), signed
            assert isinstance(again, No), again
            assert again.code == "WAIT"
            await table.do("press coin_in", "declare tray 0")
            table.say("quit")
            assert await table.wait_for_end() == 0
        files.seal.write_bytes(older)
        async with running(files.file.parent, "--sim", "--config", files.file) as table:
            async with asyncio.timeout(DEADLINE_S):
                while (await table.do("press game_over"))["faults"] != ["LEDGER_CORRUPT"]:
                    pass
            assert "the seal is an older one: its counter is 1" in table.complaints.read_text()

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
    assert_seal_can_be_begun_anew(files)


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
