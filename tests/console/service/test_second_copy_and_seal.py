"""A running table whose ledger has a second copy and a seal: kills, a ledger set back, a repair."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from console.line.client import LineClient
from console.line.requests import AskStatus, Status
from jackpot.ledger.ledger import VerificationReport, read_records, verify
from jackpot.ledger.lock_file import LockFile
from jackpot.trust.seal import read_seal
from tests.console.real_table import ANNA, ROSSI, enrol_both
from tests.console.running_table import BANCO, ENVIRONMENT, RunningTable, configuration, running
from tests.console.test_run import IN_PLAY, READY_S, bet
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import damage

BY = ("--by", "anna", "--and", "rossi")


@dataclass(frozen=True)
class TableFiles:
    """A table's configuration, and where its ledger, second copy and seal lie."""

    file: Path
    ledger: Path
    second: Path
    seal: Path

    def run(self) -> Sequence[str | Path]:
        return ("--sim", "--config", self.file)

    def verify(self) -> VerificationReport:
        """The ledger's, when it, its second copy and its seal say the same."""
        report = verify(self.ledger)
        seal = read_seal(self.seal)
        assert report.sound
        assert verify(self.second) == report
        assert seal is not None
        assert (seal.table, seal.seq, seal.hash) == ("cs-1", report.head.seq, report.head.hash)
        return report


@pytest.fixture
def place(tmp_path: Path) -> TableFiles:
    second, seal = tmp_path / "media" / "second", tmp_path / "media" / "seal"
    second.mkdir(parents=True)
    (tmp_path / "table").mkdir()
    file = configuration(tmp_path / "table" / "table.toml")
    text = file.read_text("utf-8")
    more = f'[ledger]\nmirror = "{second}"\nseal = "{seal}"'
    file.write_text(text.replace("[ledger]", more), "utf-8")
    return TableFiles(file, tmp_path / "table" / "ledger", second, seal)


def repair(place: TableFiles, *more: str) -> subprocess.CompletedProcess[str]:
    command = [*BANCO, "ledger", "repair", str(place.ledger), "--mirror", str(place.second)]
    people = enrol_both(place.file.with_name("people.toml"))
    return subprocess.run(
        [*command, "--seal", str(place.seal), "--people", str(people), *more],
        input=f"{ANNA}\n{ROSSI}\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=ENVIRONMENT,
        check=False,
    )


async def leave(table: RunningTable) -> None:
    table.say("quit")
    assert await table.wait_for_end() == 0


async def begin(place: TableFiles) -> None:
    """The table has had its first start."""
    async with running(place.file.parent, *place.run()) as table:
        await leave(table)


async def find_codes(place: TableFiles) -> set[str]:
    """The findings that the technician's line tells."""
    client = LineClient(place.file.parent / "line")
    try:
        status = await client.ask(AskStatus())
    finally:
        client.close()
    assert isinstance(status, Status)
    return {finding.code for finding in status.findings}


def test_killed_again_and_again_the_copies_are_the_same_in_the_end(place: TableFiles) -> None:
    async def night() -> None:
        async with running(place.file.parent, *place.run()) as table:
            await bet(table)
            await table.kill()
        for _ in range(4):
            async with running(place.file.parent, *place.run()) as table:
                assert (table.first["phase"], table.first["faults"]) == ("PLAYING", [])
                await table.do("press flush", "press flush", "press flush")
                await table.kill()
        async with running(place.file.parent, *place.run()) as table:
            assert (table.first["phase"], table.first["faults"]) == ("PLAYING", [])
            await leave(table)

    asyncio.run(night())
    assert place.verify().records > 10


def test_a_ledger_set_back_locks_the_table_until_it_is_repaired(place: TableFiles) -> None:
    old = place.ledger.with_name("old")

    async def night() -> None:
        async with running(place.file.parent, *place.run()) as table:
            await table.do("press game_over")
            await leave(table)
        shutil.copytree(place.ledger, old)
        async with running(place.file.parent, *place.run()) as table:
            await table.do("token 3", "press coin_in")
            await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)
            await leave(table)
        report = place.verify()
        shutil.rmtree(place.ledger)
        shutil.copytree(old, place.ledger)
        async with running(place.file.parent, *place.run()) as table:
            assert table.first["faults"] == ["LEDGER_CORRUPT"]
            assert (await table.do("press game_over"))["refused"] == "LOCKED"
            await table.until_complained(f"its copy in {place.second} at {report.head.seq}")
            await asyncio.to_thread(repair_from, place, report)
            await table.do("key s", "clear ledger_corrupt")
            await table.until(lambda seen: not seen["faults"])
            await table.do("key r")
            await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)
            assert (await table.do("wait 10ms"))["jackpot"] == "10001.40"
            await leave(table)

    asyncio.run(night())
    assert place.verify().records > 0


def repair_from(place: TableFiles, report: VerificationReport) -> None:
    before = {file: file.read_bytes() for file in place.ledger.iterdir() if "shm" not in file.name}
    looked = repair(place)
    assert looked.returncode == 1
    assert f"To be done: {place.ledger} is made what {place.second} is." in looked.stdout
    assert {file: file.read_bytes() for file in before} == before
    done = repair(place, "--really", "--by", "anna")
    assert done.returncode == 0, done.stderr
    (status,) = read_records(place.ledger, kind="repaired")
    assert status.seq == report.head.seq + 1
    assert status.body["act"] == {
        "by": "anna",
        "kept": "ledger.db.damaged-1",
        "lost": None,
        "restored": "ledger",
    }


def test_ledger_and_copy_set_back_alike_lock_it_until_somebody_answers_for_it(
    place: TableFiles,
) -> None:
    media = place.second.with_name("second.old")

    async def night() -> None:
        async with running(place.file.parent, *place.run()) as table:
            await table.do("press game_over")
            await leave(table)
        shutil.copytree(place.ledger, place.ledger.with_name("old"))
        shutil.copytree(place.second, media)
        async with running(place.file.parent, *place.run()) as table:
            await table.do("press coin_in")
            await leave(table)
        for now, then in ((place.ledger, place.ledger.with_name("old")), (place.second, media)):
            shutil.rmtree(now)
            then.rename(now)
        async with running(place.file.parent, *place.run()) as table:
            assert table.first["faults"] == ["LEDGER_CORRUPT"]
            await table.until_complained("had been seen at 20")
        sealed = place.seal.read_bytes()
        assert repair(place).returncode == 1
        assert "the ledger ends at record" in repair(place).stdout
        for alone, why in (
            (("--by", "anna"), "two people, --by NAME --and NAME"),
            (("--by", "anna", "--and", "anna"), "anna is the first person"),
            (("--by", "carlo", "--and", "rossi"), "name or PIN is wrong"),
        ):
            refused = repair(place, "--accept", "backup put back", "--really", *alone)
            assert (refused.returncode, why in refused.stderr) == (2, True), refused.stderr
            assert place.seal.read_bytes() == sealed
        accepted = repair(place, "--accept", "backup put back", "--really", *BY)
        assert accepted.returncode == 0, accepted.stderr
        assert place.seal.with_name("seal.damaged-1").read_bytes() == sealed
        async with running(place.file.parent, *place.run()) as table:
            assert table.first["faults"] == ["LEDGER_CORRUPT"], "a technician clears it"
            await table.do("key s", "clear ledger_corrupt")
            await table.until(lambda seen: not seen["faults"])
            await leave(table)

    asyncio.run(night())
    assert place.verify().records > 0
    (status,) = read_records(place.ledger, kind="seal-accepted")
    assert isinstance(status.body["act"], dict)
    act = status.body["act"]
    assert (act["by"], act["second"], act["reason"]) == ("anna", "rossi", "backup put back")


def test_nothing_is_repaired_while_a_service_has_the_ledger(place: TableFiles) -> None:
    async def night() -> None:
        async with running(place.file.parent, *place.run()) as table:
            await bet(table)
            for more in (("--really", "--by", "anna"), ("--really",)):
                refused = await asyncio.to_thread(repair, place, *more)
                assert refused.returncode == 2
                assert "not to be done" in refused.stderr
            assert (await table.do("press flush"))["refused"] is None
            await leave(table)

    asyncio.run(night())
    assert LockFile(place.ledger / "lock").read() is None
    assert place.verify().records > 0
    damage(place.ledger, "UPDATE journal SET body = '[]' WHERE seq = 2")
    assert repair(place, "--really", "--by", "anna").returncode == 0
    lock = LockFile(place.ledger / "lock").read()
    assert lock is not None, "a technician must have seen it before anybody plays"
    assert lock.fault == "LEDGER_CORRUPT"


def test_witnesses_that_are_deleted_are_on_record_until_a_technician_clears_it(
    place: TableFiles,
) -> None:
    """Neither a second start nor their new beginning takes the fault away."""
    changed = ["COUNTERPART_CHANGED"]

    async def night() -> None:
        await begin(place)
        shutil.rmtree(place.second)
        place.second.mkdir()
        place.seal.unlink()
        async with running(place.file.parent, *place.run()) as table:
            await table.until(lambda seen: seen["faults"] == changed)
            await bet(table)
            await table.kill()
        async with running(place.file.parent, *place.run()) as table:
            assert (table.first["phase"], table.first["faults"]) == ("PLAYING", changed)
            place.seal.unlink()
            await table.do("press flush")
            await table.until(lambda _: place.seal.exists())
            await table.do("press flush", "press game_over", "press coin_in")
            await table.do("key s", "clear counterpart_changed")
            await table.until(lambda seen: not seen["faults"])
            await leave(table)

    asyncio.run(night())
    assert place.verify().records > 0
    acts = [record.body["act"] for record in read_records(place.ledger, kind="counterpart-changed")]
    assert sorted(str(act["why"]) for act in acts if isinstance(act, dict)) == [
        f"the seal {place.seal} was removed while the table ran",
        f"there is no seal {place.seal}",
        f"there is no second copy in {place.second}",
    ]


def test_without_its_media_it_plays_on_and_says_so(place: TableFiles) -> None:
    async def night() -> None:
        await begin(place)
        shutil.rmtree(place.second.parent)
        async with running(place.file.parent, *place.run()) as table:
            await bet(table)
            assert table.first["faults"] == []
            assert await find_codes(place) >= {"COPY_LOST", "SEAL_LOST"}
            await leave(table)

    asyncio.run(night())
    assert not place.second.parent.exists()


def test_a_new_table_does_not_begin_without_its_media(place: TableFiles) -> None:
    media = place.second.parent
    media.rename(media.with_name("unplugged"))

    async def night() -> None:
        async with running(place.file.parent, *place.run()) as table:
            assert table.first["faults"] == ["LEDGER_FAULT"]
            await table.until_complained("whether the table has begun is not known")
            media.with_name("unplugged").rename(media)
            await table.do("key s", "clear ledger_fault")
            await table.until(lambda seen: not seen["faults"])
            await leave(table)

    asyncio.run(night())
    assert place.verify().records > 0


def test_media_that_never_answer_hold_up_neither_start_nor_end(place: TableFiles) -> None:
    async def night() -> None:
        await begin(place)
        place.seal.unlink()
        os.mkfifo(place.seal)
        took: list[float] = []
        while not took or (min(took) > READY_S and len(took) < 5):  # others share the machine
            async with running(place.file.parent, *place.run()) as table:
                took.append(table.ready_s)
                await table.do("press game_over", "press coin_in")
                assert "NOT_COMPARED" in await find_codes(place)
                await leave(table)
        assert min(took) < READY_S

    asyncio.run(night())
    assert verify(place.second).head == verify(place.ledger).head
