"""What other users of the machine, one person alone and an older ledger cannot do at a real table.

It is begun anew as docs/how-to/install.md says, with second copy, seal, and a key in a file.
"""

import json
import re
from random import Random
from shlex import quote

from console.office.ledger.archive import NIGHTS_KEPT
from devices.roles import Button
from jackpot.trust.signing import public_file
from tests.console.link.certificates import Authority
from tests.open_folder import make_open_folder
from tests.rig.image.banco import PIN
from tests.rig.machine.journal import fetch_ledger
from tests.rig.machine.table import Table
from tests.rig.parts.ports import start_with
from tests.rig.parts.round import play_round
from tests.rig.parts.set_back import (
    ACCEPT,
    BOTH,
    CASHIER,
    COPY,
    LEDGER,
    set_back_late,
    set_ledger_back,
)
from tests.rig.parts.witness import DROP_INS, KEY_FOLDER, SEAL, banco, place_certificate, place_file

SERVICE, ROOM = "banco", "banco-room"

BEGIN = (
    "systemctl stop banco",
    f"runuser -u banco -- sh -c 'cd {LEDGER} && mkdir before && mv ledger.* lock before/'",
    "install -m 644 /usr/share/banco/tables/caribbean-stud.toml /etc/banco/table.toml",
    f"install -d -o banco -g banco {COPY} /media/seal",
    f"install -m 644 /usr/share/banco/media.conf /usr/share/banco/key.conf {DROP_INS}/",
    "systemctl daemon-reload",
    f"install -d -m 700 -o banco -g banco {KEY_FOLDER}",
    "runuser -u banco -- banco key make /etc/banco/table.toml",
    f"printf '{PIN}\\n{PIN}\\n' | banco enrol {CASHIER} --duty cashier",
    f"printf '{PIN}\\n{PIN}\\n' | banco ledger begin --as {' --and '.join(BOTH)}",
)
"""Section 5 of the page, and a cashier."""

SECRETS = (
    *(f"{folder}/ledger.db" for folder in (LEDGER, COPY)),
    *(SEAL, f"{KEY_FOLDER}/table.key", f"{KEY_FOLDER}/counter", "/etc/banco/people.toml"),
)
"""Some of what is tried: all files of the table's folders are."""

PROGRAM, LIST = "/usr/local/lib/try_files.py", "/usr/local/lib/files_to_try"
FIND = f"find {LEDGER} {KEY_FOLDER} {COPY} /media/seal -type f; ls /etc/banco/people.toml"
TRY_FILES = f"""
import json
def try_file(path):
    try:
        open(path, "rb").close()
    except OSError as error:
        return error.strerror
    return "opened"
print("files", json.dumps({{path: try_file(path) for path in open("{LIST}").read().split()}}))
"""
DENIED = "Permission denied"
DROP_IN = f"[Service]\nExecStartPre=python3 {PROGRAM}\n"

ROOM_FILES = {
    "certificate": "/etc/banco/room.crt",
    "key": "/etc/banco/room.key",
    "root": "/etc/banco/centre-ca.crt",
}
ROOM_SECTION = f"""kind = "room"
people = "/etc/banco/room-people.toml"
attempts = "/var/lib/banco-room/wrong-pins.json"
signs = ["stud"]
[centre]
hosts = ["192.0.2.1"]
{"".join(f'{name} = "{file}"{chr(10)}' for name, file in ROOM_FILES.items())}"""
VISIT = "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:8080/sign').status)"

OWN_FOLDER = "/srv/own"
OWN, OWN_TABLE = f"{OWN_FOLDER}/people.toml", f"{OWN_FOLDER}/table.toml"
INVENTED = ("mallory", "eve")
MAKE_OWN = (
    f"install -d -o banco -g banco {OWN_FOLDER}",
    *(
        f"printf '{PIN}\\n{PIN}\\n' | banco enrol {one} --duty cashier --file {OWN}"
        for one in INVENTED
    ),
    f"chown banco:banco {OWN}",
    f"sed 's/production/bench/' /etc/banco/table.toml > {OWN_TABLE}",
)
"""A list of people that somebody brings, and a configuration of their own."""

NOT_ITS_FILE = "is this machine's table's: /etc/banco/table.toml says how it is kept"
REFUSAL = "at a real table only /etc/banco/people.toml counts"

PUBLIC, ARCHIVED = f"{OWN_FOLDER}/house.key.pub", f"{OWN_FOLDER}/old.jsonl"
ARCHIVE = f"ledger archive {LEDGER} --export {ARCHIVED} --key {PUBLIC}"

COUNTS = 270
"""Of the tray: so many records that a snapshot is among them, from which a ledger can begin."""


async def try_guards(table: Table, random: Random) -> None:
    """All of it, in an order in which the table need not be begun twice."""
    for line in BEGIN:
        await table.guest.sh(line, 300)
    await hold_begun_for_nobody(table)
    await refuse_own_lists(table)
    await table.guest.sh("systemctl start banco", 120)
    await table.wait_for_service()
    await table.wait_for_strangers()
    await table.enrol_boards()
    await keep_room_apart(table)
    await archive_with_two(table, random)
    await set_ledger_back(table, random)
    await set_back_late(table)


# Other users of the machine


async def hold_begun_for_nobody(table: Table) -> None:
    """What root has begun is the service's to read, and nobody else's."""
    await table.guest.sh(f"printf %s {quote(TRY_FILES)} > {PROGRAM}; {{ {FIND}; }} > {LIST}")
    text = await table.guest.sh(f"stat -c '%n %a' {COPY}/* /media/seal/*")
    open_to_all = [line for line in text.splitlines() if not line.endswith("0")]
    table.report.hold("begun by root: copy and seal have no mode for others", not open_to_all, text)
    for user, result in ((SERVICE, "opened"), ("nobody", DENIED), (ROOM, DENIED)):
        tried = await table.guest.sh(f"runuser -u {user} -- python3 {PROGRAM}")
        hold_tried(
            table, f"the user {user}, ledger, copy, seal, key, people: {result}", tried, result
        )


def hold_tried(table: Table, step: str, text: str, result: str) -> None:
    """Put on record whether every file was tried with this result."""
    found: dict[str, str] = json.loads(text.partition(" ")[2])
    others = {path: seen for path, seen in found.items() if seen != result}
    fine = not others and found.keys() >= set(SECRETS)
    table.report.hold(step, fine, others or f"{len(found)} files")


async def keep_room_apart(table: Table) -> None:
    """The room's unit serves as a user of its own, who reads nothing of the table's."""
    with make_open_folder() as folder:
        await place_certificate(table, Authority(folder, "house"), "room", ROOM_FILES, ROOM)
    await table.guest.sh(
        f"printf %s {quote(ROOM_SECTION)} > /etc/banco/room.toml; "
        f"install -m 640 -g {ROOM} /dev/null /etc/banco/room-people.toml; "
        f"banco check /etc/banco/room.toml; {{ {FIND}; }} > {LIST}",
        120,
    )
    text = await start_with(table, ROOM, DROP_IN)
    tried = next((line for line in text.splitlines() if line.startswith("files ")), "files {}")
    hold_tried(table, f"in its unit the user {ROOM} opens nothing of the table's", tried, DENIED)

    async def is_served() -> bool:
        status, text = await table.guest.run(f"python3 -c {quote(VISIT)}")
        return status == 0 and text == "200"

    await table.wait("the room serves its sign", is_served, 30)
    user = await table.guest.sh(f"stat -c %U /proc/{await table.read_unit('MainPID', ROOM)}")
    table.report.hold("as its own user", user == ROOM, user)
    await table.guest.sh(f"systemctl stop {ROOM}", 60)


# One person alone


async def refuse_own_lists(table: Table) -> None:
    """As the service's user, with names of one's own: nobody is enrolled, nothing is done."""
    for line in MAKE_OWN:
        await table.guest.sh(line, 60)
    before = await read_head(table)
    new = f"{OWN_FOLDER}/new.toml"
    await table.hold_refused(
        f"enrol {INVENTED[0]} --duty technician --file {new}", "only root writes"
    )
    own, both = f"--people {OWN}", f"--by {' --and '.join(INVENTED)}"
    begin = f"ledger begin --as {' --and '.join(INVENTED)}"
    await table.hold_refused(f"{begin} {own}", "--people")
    await table.hold_refused(f"{ACCEPT} {both} {own}", REFUSAL)
    await table.hold_refused(f"{ACCEPT} {both} {own} --config {OWN_TABLE}", NOT_ITS_FILE)
    status, _ = await table.guest.run(f"test -e {new}")
    after = await read_head(table)
    table.report.hold("nothing of it was done", (status, after) == (1, before), after)


async def archive_with_two(table: Table, random: Random) -> None:
    """Some nights are played; to archive the oldest takes two people's PINs."""
    await play_night(table, random)
    await count_tray(table, COUNTS)
    for _ in range(NIGHTS_KEPT):
        await play_night(table, random)
    await table.guest.sh("systemctl stop banco", 60)
    await export_elsewhere(table)
    before = await read_head(table)
    first, second = BOTH
    brought = f"--by {' --and '.join(INVENTED)} --people {OWN}"
    await table.hold_refused(f"{ARCHIVE} {brought}", REFUSAL)
    again = (PIN, first, PIN)
    await table.hold_refused(f"{ARCHIVE} --by {first}", "is the first person", again)
    wrong = (PIN, PIN[::-1])
    await table.hold_refused(f"{ARCHIVE} --by {first} --and {second}", "PIN is wrong", wrong)
    after = await read_head(table)
    table.report.hold("nothing was archived", after == before, after)
    status, text = await table.give_command(f"{ARCHIVE} --by {first} --and {second}")
    table.report.hold("two people with their PINs archive", status == 0, text[-300:])
    await table.guest.sh("systemctl start banco", 120)
    await table.wait_for_service()
    await table.wait_for_devices()


async def export_elsewhere(table: Table) -> None:
    """The house, which has the private key, signs an export of a copy, and carries it back."""
    with make_open_folder() as folder:
        copy, key, out = folder / "copy", folder / "house.key", folder / "old.jsonl"
        await fetch_ledger(table.guest, copy)
        await banco(table, "ledger", "key", key)
        answer = await banco(table, "ledger", "archive", copy, "--before", "2099")
        (last,) = re.findall(r"records 1 to (\d+) can be archived", answer)
        bounds = ("--to", last, "--out", out)
        await banco(table, "ledger", "export", "--key", key, *bounds, copy)
        await place_file(table, public_file(key), PUBLIC)
        await place_file(table, out, ARCHIVED)
    await table.guest.sh(f"chown banco:banco {OWN_FOLDER}/*")


async def count_tray(table: Table, counts: int) -> None:
    """A floor manager counts the tray, so many times: with the last one the night is over."""
    wishes = [{"ask": "declare", "words": "tray 3", "really": True}] * counts
    answer = await table.do_as("floor-manager", *wishes)
    table.report.hold(f"the tray is counted, {counts} times", answer["answer"] == "done", answer)


async def play_night(table: Table, random: Random) -> None:
    """A round, then the table is closed and the tray counted."""
    await play_round(table, random)
    await table.press(Button.GAME_OVER)
    await table.wait_for_phase("BETTING")
    await table.press(Button.COIN_IN)
    await table.wait_for_phase("PAUSED")
    await count_tray(table, 1)


async def read_head(table: Table) -> str:
    """Number and hash of the ledger's last record."""
    text = await table.guest.sh(f"runuser -u banco -- banco ledger verify {LEDGER}", 300)
    return text.splitlines()[0]
