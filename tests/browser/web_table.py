"""A simulated table that serves its pages, as a process of its own: `banco run --sim --web`."""

import os
import re
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.configuration.places import PEOPLE_FILE
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import hash_pin
from console.rules.codes import Duty
from console.rules.games import GAMES, Game, ShufflerKind
from tests.console.technician.terminal.programs import (
    BANCO,
    TableProcess,
    environment,
)
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

ADDRESS = re.compile(r"https?://127\.0\.0\.1:\d+")

ALL_SIMULATED = """
kind = "simulation"
table = "hall-7"
game = "{game}"
language = "{language}"
{money}
[ledger]
folder = "{folder}"
{panel}
{devices}
"""


TOURNAMENT = (
    'form = "tournament"\nhouse = "prestige"',
    """
late_registration = 1
[[step]]
minutes = 20
blinds = "100/200"
[[step]]
minutes = 20
blinds = "200/400"
ante = 50
[[step]]
break = 10
[[step]]
minutes = 20
blinds = "300/600"
""",
)
"""A poker table's settings, and the file of its structure."""

NO_CEILINGS = """[highest]
opening = "999999999.00"
base = "999999999.00"
"""
"""For amounts that are wider than their place."""


@dataclass(frozen=True)
class TableSettings:
    """What a table's configuration says beside its game and language.

    `centre`: of a linked jackpot; of a tournament's shared clock. `poker`: the lines of its
    section, and those of a tournament's structure file.
    `sign`: the lines of its section.
    """

    inspector: bool = False
    money: Mapping[str, str] = field(default_factory=dict)
    centre: str = ""
    poker: tuple[str, str] = ("", "")
    sign: str = ""


def write_configuration(folder: Path, game: Game, language: str, settings: TableSettings) -> Path:
    """Write a simulated table's configuration into its ledger's folder."""
    centre, poker = settings.centre, settings.poker
    money_lines = "".join(f'{key} = "{amount}"\n' for key, amount in settings.money.items())
    shared = '[clock]\ntournament = "night"' if poker[1] else '[link]\njackpot = "stud"'
    link = [f'{shared}\nhosts = ["{centre}"]'] if centre else []
    sign = [f"[sign]\n{settings.sign}"] if settings.sign else []
    devices = [f'[{device.value}]\ndriver = "simulated"' for device in sort_devices(game)]
    if game.shuffler is ShufflerKind.DECK and 'shuffler = "deck"' not in poker[0]:
        devices.remove('[shuffler]\ndriver = "simulated"')  # shuffled by hand
    if game.rail:
        devices.append(f'[rail]\ndriver = "simulated"\nkind = "{game.rail.value}"')
    text = ALL_SIMULATED.format(
        game=game.name,
        language=language,
        folder=folder,
        money=f"[money]\n{money_lines}" if money_lines else "",
        panel='[panel]\ndriver = "simulated"'
        + ("\ninspector = true" if settings.inspector else ""),
        devices="\n".join(devices + link + _poker_section(folder, *poker) + sign),
    )
    (folder / "limits.toml").write_text(NO_CEILINGS, "utf-8")
    file = folder / "table.toml"
    file.write_text(text, "utf-8")
    return file


def _poker_section(folder: Path, lines: str, structure: str) -> list[str]:
    if not lines and not structure:
        return []
    file = folder / "structure.toml"
    file.write_text(structure, "utf-8")
    named = f'structure = "{file}"' if structure else ""
    return [f"[poker]\n{lines}\n{named}"]


def name_prizes(file: Path, game: str, prizes: str) -> None:
    """Have the table's file name a prize file with this text."""
    (file.parent / "prizes.toml").write_text(prizes, "utf-8")
    named = f'game.name = "{game}"\ngame.prizes = "prizes.toml"'
    file.write_text(file.read_text("utf-8").replace(f'game = "{game}"', named), "utf-8")


def sort_devices(game: Game) -> list[Any]:
    """Those whose section names nothing but the driver."""
    rest = {device for device in game.devices if device.value not in {"panel", "rail"}}
    return sorted(rest, key=lambda device: device.value)


class WebTable:
    """A table whose pages are at `url`; it can be killed, and started again at the same address.

    What it complains of is in `log`. `do` has acts done at its pipe, to set the table for a test.
    """

    def __init__(self, folder: Path, file: Path, language: str) -> None:
        self.folder = folder
        self.file = file
        self.language = language
        self.log = folder / "table.log"
        self.url = ""
        self._listen = f"127.0.0.1:{free_port()}"
        self._process: subprocess.Popen[bytes] | None = None
        self._table: TableProcess | None = None

    def start(self) -> None:
        """Until its devices are up and its pages are served; where they were before, again."""
        since = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as complaints:
            self._process = subprocess.Popen(
                [*BANCO, "run", "--sim", "--config", self.file, "--web", self._listen, "--json"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=environment(self.folder),
            )
        self._table = TableProcess(self._process, self.log)
        self._table.read_snapshot()
        self.url = self._find_address(since)

    def do(self, *acts: str) -> dict[str, Any]:
        """Have these acts done; the table after the last of them."""
        assert self._table is not None
        return self._table.do(*acts)

    def play(self, *acts: str) -> dict[str, Any]:
        """The same, and nobody acts before the tokens have dropped, on a busy machine, too."""
        assert self._table is not None
        state: dict[str, Any] = {}
        for act in acts:
            state = self.do(act)
            if act == "press COIN_IN":
                state = self._table.until(
                    lambda now: now["phase"] not in {"BETTING", "COLLECTING"}, "wait 1ms"
                )
        return state

    def kill(self) -> None:
        """SIGKILL for it and the processes it started: no code of its own runs any more."""
        if self._process is not None and self._process.poll() is None:
            with kill_children(self._process.pid), self._process:
                self._process.kill()

    def enrol(self, name: str, duty: Duty, pin: str) -> None:
        """As `banco enrol` does it, for this table."""
        save_people(self.folder / PEOPLE_FILE.name, {name: Enrolled((duty,), hash_pin(pin))})

    def _find_address(self, since: int) -> str:
        """The address of its pages, from its log since `since`."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            lines = self.log.read_bytes()[since:].decode()
            if address := ADDRESS.search(lines):
                return address[0]
            self.do("wait 10ms")
        raise AssertionError(f"it serves no pages:\n{self.log.read_text('utf-8')}")


@contextmanager
def kill_children(pid: int) -> Iterator[None]:
    """Kill the processes that this one has started, at the end, and wait until they are gone.

    Until then they may write into the table's folder.
    """
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    handles = [os.pidfd_open(int(child)) for child in children]
    try:
        yield
        for handle in handles:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            assert select.select([handle], [], [], DEADLINE_S)[0], "a process of it does not end"
    finally:
        for handle in handles:
            os.close(handle)


Tables = Callable[..., WebTable]
"""The fixture `table`: starts a table of a game, in a language."""


@contextmanager
def serve_table(
    folder: Path,
    game: str = "caribbean-stud",
    language: str = "it",
    prizes: str = "",
    *,
    ledger: Path | None = None,
    before: Callable[[Path], None] | None = None,
    **settings: Any,
) -> Iterator[WebTable]:
    """One that runs, in a folder that is gone afterwards; `settings`: of `TableSettings`.

    `prizes`: the text of its prize file, if it has one. `ledger`: a folder whose ledger it goes on
    with. `before`: what is done with its configuration's file before it starts.
    """
    if ledger is not None:
        shutil.copytree(ledger, folder / "ledger")
    file = write_configuration(folder, GAMES[game], language, TableSettings(**settings))
    if prizes:
        name_prizes(file, game, prizes)
    if before is not None:
        before(file)
    table = WebTable(folder, file, language)
    try:
        table.start()
        yield table
    finally:
        table.kill()
        shutil.rmtree(folder)
