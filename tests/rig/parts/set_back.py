"""A ledger that is set back: found at the start, or as soon as somebody who knows more answers."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from shlex import quote

from console.service.counterparts import NAMES
from devices.roles import Button, KeyPosition, Lamp
from tests.console.link.servers import Server
from tests.rig.image.banco import PEOPLE, PIN
from tests.rig.machine.table import Status, Table, faults_of, has_links
from tests.rig.parts.round import lamps_are, play_round
from tests.rig.parts.stick import findings_of
from tests.rig.parts.witness import KEY_FOLDER, PUBLIC_KEY, SEAL, count_heads, open_house

LEDGER, COPY, MEDIA = "/var/lib/banco", "/media/second/banco", "/media"
SEAL_FOLDER, AWAY = "/media/seal", "/media/away"
NEWEST_HEAD = "its newest signed head has the counter"
CORRUPT, CHANGED = "LEDGER_CORRUPT", "COUNTERPART_CHANGED"

BOTH = tuple(PEOPLE)
"""Who begins the ledger, archives, and answers for a seal."""

CASHIER = "bianchi"

ACCEPT = f"ledger repair {LEDGER} --seal {SEAL} --accept 'an older one was put back' --really"
VERIFY = f"ledger verify --table-key {KEY_FOLDER}/{PUBLIC_KEY}"

PLAYED_ON = "/srv/played-on"
PLAY_ON = f"""
import sys, time
from contextlib import closing
from pathlib import Path
from msgspec.structs import asdict
from jackpot.trust.heads_on_record import KIND
from jackpot.ledger.journal import Entry
from jackpot.trust.key_stores.file import FileStore
from jackpot.ledger.ledger import Ledger
from jackpot.trust.signed_head import sign_head
from jackpot.trust.counterpart import Noted
store = FileStore(Path("{KEY_FOLDER}"))
with closing(Ledger.open(Path("{PLAYED_ON}"))) as ledger:
    ledger.begin(ledger.recovered.boot + 1)
    noted = Noted(ledger.head, ledger.recovered.tail[-1].wall)
    head = sign_head(store, noted, table="caribbean-1", counter=store.read_counter() + 1)
    act = {{**asdict(head), "store": "file"}}
    body = {{"act": act, "outcome": "done"}}
    newest = ledger.recovered.tail[-1]
    ledger.commit([Entry(KIND, newest.round, 0, newest.wall, newest.settings_version, body)])
"""
"""What a program that compares nothing would have done: sign on from the older ledger."""

COPY_RUNNING = (
    "python3 -c \"import sqlite3; sqlite3.connect('file:{LEDGER}/ledger.db?mode=ro', uri=True)"
    ".backup(sqlite3.connect('/srv/running{LEDGER}/ledger.db'))\"; "
    "chown banco:banco-ledger /srv/running{LEDGER}/ledger.db"
).replace("{LEDGER}", LEDGER)
"""As SQLite copies what is being written to."""

LONGEST_SOUGHT_S = 60.0
"""A lost witness is tried again every 30 s."""

NO_LAMP_S = 3.0


async def set_ledger_back(table: Table, random: Random) -> None:
    """An older ledger, copy and seal deleted, the boards without power: only the key knows."""
    await stop(table)
    await save(table, "older")
    await start(table)
    await play_round(table, random)
    before = await table.status()
    await stop(table)
    await save(table, "true")
    await put_back(table, "older", LEDGER)
    await table.guest.sh(f"rm -r {COPY}/* {SEAL_FOLDER}/*; sync")
    await table.guest.cut_power()
    table.boards.switch(False)
    table.boards.switch(True)
    await table.guest.boot()
    await table.wait_for_service()
    await table.wait_until("an older ledger, copy and seal deleted: LEDGER_CORRUPT", is_corrupt)
    await hold_log(table, "the key's counter has found it", NEWEST_HEAD)
    await hold_no_invitation(table)
    await refuse_one_alone(table)
    await name_what_is_missing(table)
    await answer_for_it(table, before)


async def refuse_one_alone(table: Table) -> None:
    """Neither on the line nor with a command, nor after a restart."""
    await table.turn_key(KeyPosition.S)
    await table.wait_for_phase("SERVICE")
    await hold_still_locked(table, "a technician alone does not clear it")
    await table.guest.sh("systemctl restart banco", 120)
    await table.wait_for_service()
    await hold_still_locked(table, "nor after a restart")
    await stop(table)
    first, _ = BOTH
    await table.hold_refused(f"{ACCEPT} --by {first}", "two people")
    await table.hold_refused(f"{ACCEPT} --by {first} --and {first}", "is the first person")


async def hold_still_locked(table: Table, step: str) -> None:
    """A technician clears the lock, and it stays."""
    answer = await table.do_as_technician({"ask": "clear", "fault": CORRUPT})
    status = await table.status()
    refused = answer.get("code") == "STILL_FAULTY"
    table.report.hold(step, refused and is_corrupt(status), answer)


async def name_what_is_missing(table: Table) -> None:
    """`verify` with the public key, the true seal, and the older ledger as it was signed on."""
    status, text = await table.give_command(f"{VERIFY} --seal {place_of('true', SEAL)} {LEDGER}")
    fine = status == 1 and "is missing: it is one that the table's key has signed" in text
    table.report.hold("`banco ledger verify` with the true seal names what is missing", fine, text)
    await table.guest.sh(
        f"cp -a {place_of('older', LEDGER)} {PLAYED_ON}; cd {PLAYED_ON}; "
        f"PYTHONPATH=/usr/lib/banco/current python3 -P -c {quote(PLAY_ON)}; "
        f"chown -R banco {PLAYED_ON}",
        120,
    )
    status, text = await table.give_command(f"{VERIFY} {PLAYED_ON}")
    fine = status == 1 and "what was signed between them is not in this ledger" in text
    table.report.hold("one that was played on: it names the gap of the counter", fine, text)


async def answer_for_it(table: Table, before: Status) -> None:
    """Two people begin the seal anew; what was deleted takes two as well. The table plays on."""
    status, text = await table.give_command(f"{ACCEPT} --by {' --and '.join(BOTH)}")
    table.report.hold("two people begin the seal anew", status == 0, text[-300:])
    await start(table, linked=False)
    await clear_damage(table)
    await table.wait_until(
        "then the technician clears it; the deleted copy stays: COUNTERPART_CHANGED",
        lambda status: not is_corrupt(status) and CHANGED in faults_of(status),
    )
    wish = {"ask": "clear", "fault": CHANGED}
    for second in ({}, {"second": BOTH[0], "pin": PIN}, {"second": BOTH[1], "pin": PIN}):
        answer = await table.do_as_technician({**wish, **second})
        fine = answer["answer"] == "no" and CHANGED in faults_of(await table.status())
        who = second.get("second", "nobody")
        table.report.hold(f"technician and {who}: COUNTERPART_CHANGED stays", fine, answer)
    await table.do_as_technician({**wish, "second": CASHIER, "pin": PIN})
    await table.turn_key(KeyPosition.R)
    after = await table.wait_until(
        "technician and cashier clear it, the table is there",
        lambda status: not faults_of(status),
        60,
    )
    older = float(after["accounts"]["jackpot"]) < float(before["accounts"]["jackpot"])
    table.report.hold("it goes on with the older jackpot", older, after["accounts"])
    status, text = await table.give_command(f"ledger show {LEDGER} --kind seal-accepted")
    named = all(name in text for name in BOTH)
    table.report.hold("and both names are on record", named, text[-300:])


# Whoever knows more answers late


async def set_back_late(table: Table) -> None:
    """By less than the key counts: the seal's medium, and the witness outside, answer late."""
    await stop(table)
    await start(table)
    await invite(table)
    await set_back_without_seal(table)
    async with open_house(table) as (server, _):
        await invite(table)
        await set_back_without_witness(table, server)


async def set_back_without_seal(table: Table) -> None:
    """An older ledger of this start, which has the key's counter, and the seal's medium away."""
    await wait_for_head(table)
    await save(table, "running")
    await table.guest.sh(f"rm {place_of('running', LEDGER)}/ledger.db*; {COPY_RUNNING}", 60)
    for _ in range(3):
        await table.press_for_record()
    await stop(table)
    await save(table, "later")
    await put_back(table, "running", LEDGER)
    await table.guest.sh(f"rm {COPY}/*; mv {SEAL_FOLDER} {AWAY}")
    await start(table)
    await hold_not_found(table, "without the seal nothing tells: it invites")

    async def mount() -> None:
        await table.guest.sh(f"mv {AWAY} {SEAL_FOLDER}")

    await hold_found_late(table, "seal", mount)
    await put_right(table, "later", LEDGER, COPY)


async def set_back_without_witness(table: Table, server: Server) -> None:
    """Every medium and the key's counter, too, while the house's server is down."""
    folders = (LEDGER, KEY_FOLDER, COPY, SEAL_FOLDER)
    await stop(table)
    await save(table, "earlier")
    before = count_heads(server)
    await start(table)

    async def is_seen() -> bool:
        await table.press_for_record()
        return count_heads(server) > before

    await table.wait("the house has a head of later play", is_seen, 60)
    await stop(table)
    await save(table, "later")
    await asyncio.to_thread(server.stop)
    await put_back(table, "earlier", *folders)
    await start(table)
    await hold_not_found(table, "all is set back, the house is down: it invites")
    await table.wait_until(
        "it says WITNESS_LOST", lambda status: "WITNESS_LOST" in findings_of(status), 30
    )
    await hold_found_late(table, "witness", partial(asyncio.to_thread, server.start))
    await put_right(table, "later", *folders)


async def hold_not_found(table: Table, step: str) -> None:
    """The table takes tokens: what it can ask agrees with the ledger."""
    await table.wait(step, partial(lamps_are, table, Lamp.INVITE), 60)
    faults = faults_of(await table.status())
    table.report.hold("and knows of no damage", CORRUPT not in faults, faults)


async def hold_found_late(table: Table, name: str, come: Callable[[], Awaitable[None]]) -> None:
    """A witness that knows more comes. Nobody acts, nobody asks the table, and it locks."""
    who = NAMES[name]
    await come()
    begun = time.monotonic()
    step = f"{who} answers: the lamps go out, though nobody acts"
    await table.wait(step, partial(lamps_are, table, Lamp.DARK), LONGEST_SOUGHT_S)
    table.report.note(f"{who} to dark lamps, s", time.monotonic() - begun)
    await table.wait_until("the table says LEDGER_CORRUPT", is_corrupt)
    await hold_log(table, "the log names who has found it", f"{who}: ")


async def put_right(table: Table, name: str, *folders: str) -> None:
    """The true files come back; a technician clears the lock, and the table invites again."""
    await stop(table)
    await put_back(table, name, *folders)
    await start(table, linked=False)
    await table.turn_key(KeyPosition.S)
    await table.wait_for_phase("SERVICE")
    await clear_damage(table)
    await table.turn_key(KeyPosition.R)
    await table.wait_until("the true files are back, all is well", is_well, 60)


# What is done to it, and seen of it


async def clear_damage(table: Table) -> None:
    """A technician clears the lock; again later, while the ledger is still being read."""

    async def is_cleared() -> bool:
        answer = await table.do_as_technician({"ask": "clear", "fault": CORRUPT})
        return bool(answer["answer"] == "done")

    await table.wait("the technician clears it", is_cleared, 60)


async def stop(table: Table) -> None:
    """Stop the service."""
    await table.guest.sh("systemctl stop banco", 60)


async def start(table: Table, *, linked: bool = True) -> None:
    """Start the service; `linked`: its devices are there."""
    await table.guest.sh("systemctl start banco", 120)
    await table.wait_for_service()
    if linked:
        await table.wait_for_devices()


def place_of(name: str, path: str) -> str:
    """Where a file or folder is kept under this name."""
    return f"/srv/{name}{path}"


async def save(table: Table, name: str) -> None:
    """Keep ledger, key and media as they are."""
    await table.guest.sh(
        f"rm -rf /srv/{name}; mkdir -p /srv/{name}; "
        f"cp -a --parents {LEDGER} {KEY_FOLDER} {MEDIA} /srv/{name}"
    )


async def put_back(table: Table, name: str, *folders: str) -> None:
    """What was kept under this name is in these folders; the lock beside the ledger stays."""
    for folder in folders:
        files = "ledger.db*" if folder == LEDGER else "*"
        await table.guest.sh(
            f"rm -rf {folder}/{files}; cp -a {place_of(name, folder)}/{files} {folder}/; sync"
        )


async def invite(table: Table) -> None:
    """GAME OVER, with the key at R: the slot lamps invite."""
    await table.press(Button.GAME_OVER)
    await table.wait("the slot lamps invite", partial(lamps_are, table, Lamp.INVITE))


async def wait_for_head(table: Table) -> None:
    """The key's counter is on record: the ledger has a head of this start."""

    async def is_on_record() -> bool:
        _, text = await table.give_command(
            f"ledger show {LEDGER} --kind started --kind head-signed --last 1"
        )
        return "head-signed" in text.splitlines()[-1]

    await table.wait("a head of this start is on record", is_on_record, 30)


async def hold_log(table: Table, step: str, words: str) -> None:
    """The service has given this reason since the machine has booted."""
    text = await table.guest.sh("journalctl -b -u banco -o cat --no-pager")
    lines = [line for line in text.splitlines() if words in line]
    table.report.hold(step, bool(lines), lines[-1:])


async def hold_no_invitation(table: Table) -> None:
    """A button invites nobody."""
    await table.press(Button.GAME_OVER)
    await asyncio.sleep(NO_LAMP_S)
    lamps = {lamp.value for lamp in table.boards.rail.lamps().values()}
    table.report.hold("GAME OVER: no slot lamp invites", Lamp.INVITE.value not in lamps, lamps)


def is_corrupt(status: Status) -> bool:
    """Whether the table is locked by its ledger."""
    return CORRUPT in faults_of(status)


def is_well(status: Status) -> bool:
    """Whether there is no fault, and every device is there."""
    return not faults_of(status) and has_links(status)
