"""The table from outside: hands, eyes, and the plug."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from devices.panel_wiring import PanelWiring
from devices.roles import Button, KeyPosition
from tests.rig.image.banco import PEOPLE, PIN
from tests.rig.layout import PROVED
from tests.rig.machine.boards import DEVICES, Boards
from tests.rig.machine.guest import Guest, GuestFailed
from tests.rig.report import RigReport

Status = dict[str, Any]

CLOSED, OPEN = 0, 1
WIRING = PanelWiring()
CONTACTS = {contact.value.upper(): line for contact, line in WIRING.contacts().items()}
HELD_S = 0.12
TIMES_TYPED = 3
POLL_S = 0.25
"""Each look costs the guest, which is slow enough."""
PATIENCE = 6
"""Deadlines are those of a machine with nothing else to do: a busy one gets a multiple."""

BOARD_KEYS = "/var/lib/banco/board-keys.json"

MONEY = ("tray", "jackpot", "reserve", "house", "pending", "paid")


class NotSeen(Exception):
    """What had to become so did not; the rest of its part is not played."""

    def __init__(self, step: str, saw: str) -> None:
        super().__init__(step, saw)
        self.step, self.saw = step, saw


class Table:
    """A cabinet with its machine in it; `report` takes what was seen."""

    def __init__(self, guest: Guest, boards: Boards, report: RigReport) -> None:
        self.guest, self.boards, self.report = guest, boards, report

    # What people do

    async def press(self, button: Button, held_s: float = HELD_S) -> None:
        """Push a button of the panel, and let it go."""
        await self.guest.ask({"press": CONTACTS[button.value.upper()], "s": held_s})

    async def turn_key(self, position: KeyPosition) -> None:
        """Turn the key from wherever it is."""
        old = [line for line in WIRING.key if line in self.guest.closed]
        new = CONTACTS[position.value]
        if old != [new]:
            await self.set_contacts(dict.fromkeys(old, OPEN))
            await self.set_contacts({new: CLOSED})

    async def enrol_boards(self) -> None:
        """A technician enrols the boards of a new table, with the key at S; it is PAUSED then."""
        await self.turn_key(KeyPosition.S)
        status = await self.wait_for_phase("SERVICE")
        await self.do_as_technician(
            *(
                {"ask": "enrol-board", "device": found["device"], "boards": found["boards"]}
                for found in status["boards"]
            )
        )
        status = await self.wait_until("the boards are enrolled", has_enrolled_boards)
        if "BOARD_CHANGED" in faults_of(status):  # a slow board took its key after the deadline
            await self.do_as_technician({"ask": "clear", "fault": "BOARD_CHANGED"})
        await self.turn_key(KeyPosition.R)
        await self.wait_for_phase("PAUSED")  # in SERVICE every button is refused

    async def hold_proofs(self) -> None:
        """The boards have taken their keys, and have proved them."""
        keys = json.loads(await self.guest.sh(f"cat {BOARD_KEYS}"))
        confirmed = {device: key["confirmed"] for device, key in keys.items()}
        fine = confirmed == dict.fromkeys(PROVED, True)
        self.report.hold("rail and shuffler have proved their keys", fine, confirmed)

    async def do_as_technician(self, *wishes: dict[str, Any]) -> Status:
        """What a technician does on the line, the key at S; what the last wish is answered."""
        return await self.do_as("technician", *wishes)

    async def do_as(self, duty: str, *wishes: dict[str, Any]) -> Status:
        """What somebody with this duty does on the line; what the last wish is answered.

        On a busy machine the list of people may not be read in time: then he types his PIN again.
        """
        name = next(name for name, own in PEOPLE.items() if own == duty)
        words = [{"ask": "enter", "name": name, "pin": PIN}, *wishes]
        answer = await self.guest.ask({"line": words})
        for _ in range(TIMES_TYPED - 1):
            if answer["answer"] == "no" and "has not answered for" in answer["why"]:
                answer = await self.guest.ask({"line": words})
        return answer

    async def give_command(self, words: str, typed: Sequence[str] = (PIN, PIN)) -> tuple[int, str]:
        """Give a command of `banco` as the service's user, and type PINs; status and output."""
        lines = "".join(f"{one}\\n" for one in typed)
        return await self.guest.run(f"printf '{lines}' | runuser -u banco -- banco {words}", 300)

    def let_key_go(self) -> None:
        """A key between two positions snaps to R."""
        if self.guest.closed.isdisjoint(WIRING.key):
            self.guest.closed.add(CONTACTS[KeyPosition.R.value])

    async def press_for_record(self) -> None:
        """Press what is harmless in every phase, and goes on record."""
        await self.press(Button.COMBINATION_5)

    async def set_contacts(self, levels: dict[int, int]) -> None:
        """Close or open contacts; they stay so over a cut."""
        for line, level in levels.items():
            (self.guest.closed.add if level == CLOSED else self.guest.closed.discard)(line)
        await self.guest.ask({"pull": {str(line): level for line, level in levels.items()}})

    # What people see

    async def status(self) -> Status:
        """What the table says on its local line."""
        return await self.guest.ask({"line": [{"ask": "status"}]})

    async def levels(self, lines: tuple[int, ...]) -> list[int]:
        """What is on these GPIO lines."""
        levels = (await self.guest.ask({"levels": True}))["levels"]
        return [levels[line] for line in lines]

    async def is_active(self, unit: str = "banco") -> bool:
        """Whether systemd calls the unit active."""
        _, text = await self.guest.run(f"systemctl is-active {unit}")
        return text == "active"

    async def read_unit(self, name: str, unit: str = "banco") -> str:
        """A property of the unit, as systemd shows it."""
        return await self.guest.sh(f"systemctl show -p {name} --value {unit}")

    # What has to become so

    async def wait_until(
        self, step: str, is_so: Callable[[Status], bool], seconds: float = 15
    ) -> Status:
        """Wait for a state of the table; what it then says. Raises NotSeen."""
        status: Status = {}

        async def is_seen() -> bool:
            nonlocal status
            status = await self.status()
            return is_so(status)

        await self.wait(step, is_seen, seconds, lambda: brief(status))
        return status

    async def wait(
        self,
        step: str,
        is_so: Callable[[], Awaitable[bool]],
        seconds: float = 15,
        saw: Callable[[], object] = lambda: "",
    ) -> None:
        """Wait until it is so, and put on record what was seen. Raises NotSeen."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds * PATIENCE
        failure = ""
        while True:
            try:
                if await is_so():
                    self.report.hold(step, True, saw())
                    return
                failure = ""
            except GuestFailed as error:
                failure = str(error)
            if loop.time() > end:
                raise NotSeen(step, f"not within {seconds * PATIENCE:g} s: {saw()} {failure}")
            await asyncio.sleep(POLL_S)

    async def wait_for_devices(self, seconds: float = 60) -> Status:
        """Panel, rail, display and shuffler are there."""
        return await self.wait_until("all devices are connected", has_links, seconds)

    async def wait_for_strangers(self, seconds: float = 60) -> Status:
        """Every device answers; the boards are not connected before they have proved a key."""
        return await self.wait_until("all devices answer", has_answers, seconds)

    async def wait_for_service(self, seconds: float = 90) -> None:
        """systemd has got READY from the service.

        The local line answers before; until then systemd is not asked, for that costs a start of
        systemctl each time, and the service is late for it.
        """

        async def is_ready() -> bool:
            await self.status()
            return await self.is_active()

        await self.wait("banco is active", is_ready, seconds)

    async def hold_first_start(self) -> None:
        """The service did not fail once before, for lines that udev had not yet given it."""
        restarts = await self.read_unit("NRestarts")
        self.report.hold("the service's first start was enough", restarts == "0", restarts)

    async def hold_refused(self, words: str, why: str, typed: Sequence[str] = (PIN, PIN)) -> None:
        """The service's user is refused this command of `banco`, for this reason."""
        status, text = await self.give_command(words, typed)
        self.report.hold(f"refused: `banco {words}`", status != 0 and why in text, text[-300:])

    async def wait_for_phase(self, phase: str, seconds: float = 15) -> Status:
        """The table is in this phase."""
        return await self.wait_until(
            f"phase {phase}", lambda status: status.get("phase") == phase, seconds
        )


def has_enrolled_boards(status: Status) -> bool:
    """Whether every board that answers is enrolled, proves its key if it has one, and is there."""
    boards = [board for found in status["boards"] for board in found["boards"]]
    return (
        len(boards) == len(PROVED)
        and all(found["standing"] == "enrolled" for found in status["boards"])
        and not any(board.get("unproven") for board in boards)
        and has_links(status)
    )


def has_answers(status: Status) -> bool:
    """Whether every board has answered, and every other device is connected."""
    answered = {found["device"] for found in status["boards"]}
    return answered == set(PROVED) and all(
        up or name in answered for name, up in status["devices_up"].items()
    )


def has_links(status: Status) -> bool:
    """Whether every device is connected."""
    up = status.get("devices_up", {})
    return len(up) == len(DEVICES) + 1 and all(up.values())


def faults_of(status: Status) -> list[str]:
    """The codes of the faults that are present."""
    return [fault["fault"] for fault in status["faults"]]


def brief(status: Status) -> str:
    """A status in a few words."""
    if "phase" not in status:
        return str(status)
    faults = faults_of(status)
    down = [name for name, up in status["devices_up"].items() if not up]
    accounts = status["accounts"]
    words = [status["phase"], f"round {status['round']}", f"seats {status['seats']}"]
    words += [f"jackpot {accounts['jackpot']}", f"paid {accounts['paid']}"]
    words += [f"faults {faults}"] * bool(faults) + [f"not connected {down}"] * bool(down)
    return ", ".join(words)
