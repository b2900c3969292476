"""`banco fleet`: what each table of a house runs, and how its machine does (docs/how-to/fleet.md).

At a table it says this of the table itself. Elsewhere it asks each table for that, by ssh.
"""

import asyncio
import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct, UnsetType
from msgspec.structs import replace

from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.places import find_simulated_table
from console.configuration.sections import Configuration, DatabaseSection
from console.configuration.version import name_program
from console.line.client import LineClient, Unreachable
from console.line.requests import AskStatus, Status
from console.link.alarms import CERTIFICATE_WARNING_DAYS, DAY_S
from console.office.dialogue import TableChoice, find_socket
from console.office.table_of_ledger import TABLE_FILE
from console.release.running import describe_unfinished
from console.texts.catalogue.findings import HOTTEST_C, LEAST_FREE_MB
from console.texts.layout import columns, format_duration
from jackpot.failures import Refused
from jackpot.foreign_text import escape_controls

IN_ORDER, FOUND = 0, 1

SSH = ("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "--")
ASKED = ("banco", "fleet", "--json")
ANSWER_S = 60.0
AT_ONCE = 8
LONGEST_ANSWER = 256 * 1024

WORN_PERCENT = 80
COPY_LATE_S = 60.0

LIFE_STEP_PERCENT = 10
LIVES = range(1, 12)
"""What a medium says of its wear: in steps of a tenth; 11: beyond what it was made for."""

TITLES = ("table", "build", "settings", "up", "C", "MB free", "worn %", "copy late s", "days")

BLOCK_DEVICES = Path("/sys/dev/block")


class FleetTable(Struct, frozen=True):
    """What a table says of itself. None, and "": it is not known, or there is none.

    `build`: the release, as its list names it, or the program. `digest`: of the release's list.
    `configuration`: SHA-256 of what is in force. `boards`: the image that each has, by kind and
    serial number. `up_s`: of the service. `worn_percent`: of the medium with the ledger, by the
    medium's own word. `copy_late_s`: for how long records have been missing from the second copy.
    `certificates`: the days that each file has left. `problems`: what is wrong by its own word.
    """

    table: str
    build: str
    digest: str = ""
    configuration: str = ""
    boards: Mapping[str, str] = {}
    up_s: int | None = None
    temperature_c: float | None = None
    free_mb: float | None = None
    worn_percent: int | None = None
    copy_late_s: float | None = None
    certificates: Mapping[str, int] = {}
    faults: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class FleetRow(Struct, frozen=True):
    """A table as it was asked for, and what a person should look at."""

    asked: str
    table: FleetTable | None
    marks: tuple[str, ...]


def describe_table(choice: TableChoice, now: datetime) -> FleetTable:
    """What the table on this machine is, as far as it can be known."""
    configuration, problems = None, list[str]()
    found = FleetTable("?", name_program())
    file = find_simulated_table() if choice.simulated else choice.config or TABLE_FILE
    if file is not None:
        try:
            configuration = load_configuration(file)
            worn = read_wear(Path(configuration.ledger.folder))
            found = replace(found, table=configuration.table, worn_percent=worn)
        except FileUnusable as error:
            problems.append(str(error))
    try:
        found = add_status(found, asyncio.run(_ask_status(find_socket(choice))))
    except (FileUnusable, Unreachable) as error:
        problems.append(str(error))
    days, unread = _count_days(configuration, now)
    problems += [*unread, *filter(None, [describe_unfinished()])]
    return replace(found, certificates=days, problems=(*found.problems, *problems))


async def _ask_status(socket: Path) -> Status:
    """Raises Unreachable."""
    client = LineClient(socket)
    try:
        answer = await client.ask(AskStatus())
    finally:
        client.close()
    if not isinstance(answer, Status):
        raise Unreachable(f"{socket}: {answer}")
    return answer


def add_status(found: FleetTable, status: Status) -> FleetTable:
    """The table, with what its service says."""
    release, health = status.release, status.health
    problems = ["the second copy is lost"] if health.get("copy_lost") else []
    found = replace(found, build=status.version)
    if not isinstance(release, UnsetType):
        boards = {f"{one.kind} {one.serial}": one.image for one in release.images.values()}
        found = replace(found, boards=boards)
        problems += [release.problem] if release.problem else []
        if release.changes:
            newest = release.changes[-1]
            found = replace(found, build=newest.version, digest=newest.digest)
    return replace(
        found,
        table=status.table,
        configuration=status.configuration_sha256,
        up_s=status.up_s,
        temperature_c=health.get("temperature_c"),
        free_mb=health.get("disk_free_mb"),
        copy_late_s=health.get("copy_late_s"),
        faults=tuple(fault.fault for fault in status.faults),
        problems=tuple(problems),
    )


def read_wear(folder: Path, devices: Path = BLOCK_DEVICES) -> int | None:
    """How much of its life the folder's medium has used, in percent; None: it does not say.

    An eMMC tells the kernel (eMMC 5.0, `life_time`); an SD card tells nobody.
    """
    try:
        device = os.stat(folder).st_dev
        at = (devices / f"{os.major(device)}:{os.minor(device)}").resolve(strict=True)
        disk = at.parent if (at / "partition").exists() else at
        lives = (disk / "device/life_time").read_text("ascii").split()
        used = [int(life, 16) for life in lives]
    except (OSError, ValueError):
        return None
    steps = [life for life in used if life in LIVES]
    return max(steps) * LIFE_STEP_PERCENT if steps else None


def _count_days(
    configuration: Configuration | None, now: datetime
) -> tuple[dict[str, int], list[str]]:
    """The days that each certificate of the configuration has left; what cannot be read."""
    from console.office.link.observations import read_end

    days, unread = dict[str, int](), list[str]()
    for file in _list_certificates(configuration):
        try:
            days[file] = int((read_end(Path(file)).end - now).total_seconds() // DAY_S)
        except (Refused, OSError) as error:
            unread.append(f"{file}: {error}")
    return days, unread


def _list_certificates(configuration: Configuration | None) -> Iterator[str]:
    if configuration is None:
        return
    found = [configuration.web.certificate if configuration.web is not None else None]
    for section in (configuration.link, configuration.clock, configuration.witness):
        if isinstance(section, DatabaseSection):
            found += [section.certificate, section.root]
    yield from dict.fromkeys(file for file in found if file is not None)


def ask_tables(hosts: Sequence[str], ask: Callable[[str], "FleetTable | str"]) -> list[FleetRow]:
    """Ask each host, some at once, and mark what is wrong or other than at the rest.

    `ask`: the table, or why there is no answer.
    """
    with ThreadPoolExecutor(AT_ONCE) as asking:
        answers = list(asking.map(ask, hosts))
    tables = [answer for answer in answers if isinstance(answer, FleetTable)]
    return [
        FleetRow(host, None, (answer,))
        if isinstance(answer, str)
        else FleetRow(host, answer, tuple(find_marks(answer, tables)))
        for host, answer in zip(hosts, answers, strict=True)
    ]


def ask_by_ssh(host: str) -> FleetTable | str:
    """What the table at this host says, or why it does not."""
    try:
        done = subprocess.run(
            [*SSH, host, *ASKED],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ANSWER_S,
            check=False,
        )
        if done.returncode not in (IN_ORDER, FOUND):
            return f"no answer: {done.stderr.decode('utf-8', 'replace').strip()[-200:]}"
        (row,) = _ROWS.decode(done.stdout[:LONGEST_ANSWER])
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return f"no answer: {error}"
    return row.table or f"no answer: {'; '.join(row.marks)}"


_ROWS: msgspec.json.Decoder[tuple[FleetRow, ...]] = msgspec.json.Decoder(tuple[FleetRow, ...])


def find_marks(table: FleetTable, all_tables: Sequence[FleetTable]) -> Iterator[str]:
    """What a person should look at, one line each."""
    yield from table.problems
    if table.faults:
        yield f"faults: {', '.join(table.faults)}"
    most = _find_most(one.build for one in all_tables)
    if table.build != most:
        yield f"{table.build}, and most tables have {most}"
    digest = _find_most(one.digest for one in all_tables if one.build == table.build)
    if table.digest != digest:
        yield f"{table.build} by its name, but other files than most tables of that name"
    for board, image in table.boards.items():
        if image != (common := _find_most(_list_images(board, all_tables))):
            yield f"{board}: image {image[:8]}, and most of its kind have {common[:8]}"
    if table.temperature_c is not None and table.temperature_c >= HOTTEST_C:
        yield f"{table.temperature_c:.0f} C"
    if table.free_mb is not None and table.free_mb < LEAST_FREE_MB:
        yield f"{table.free_mb:.0f} MB free"
    if table.worn_percent is not None and table.worn_percent >= WORN_PERCENT:
        yield f"the medium has used {table.worn_percent} % of its life"
    if table.copy_late_s is not None and table.copy_late_s >= COPY_LATE_S:
        yield f"the second copy is {table.copy_late_s:.0f} s late"
    for file, days in table.certificates.items():
        if days < CERTIFICATE_WARNING_DAYS:
            yield f"{file} ends in {days} days"


def _list_images(board: str, tables: Sequence[FleetTable]) -> Iterator[str]:
    """The images of all boards of this one's kind."""
    kind = board.rpartition(" ")[0]
    for table in tables:
        for other, image in table.boards.items():
            if other.rpartition(" ")[0] == kind:
                yield image


def _find_most(values: Iterator[str]) -> str:
    """What most have; of equals the first."""
    return Counter(values).most_common(1)[0][0]


def print_fleet(rows: Sequence[FleetRow], *, as_json: bool) -> int:
    """Print the tables; 1 if one has a mark."""
    if as_json:
        print(msgspec.json.encode(rows).decode("utf-8"))
    else:
        lines = columns([TITLES, *(_list_cells(row) for row in rows)], right=range(3, len(TITLES)))
        print(lines[0])
        for row, line in zip(rows, lines[1:], strict=True):
            print(escape_controls(line))
            for mark in row.marks:
                print(escape_controls(f"  ! {mark}".replace("\n", "; ")))
    return FOUND if any(row.marks for row in rows) else IN_ORDER


def _list_cells(row: FleetRow) -> tuple[str, ...]:
    table = row.table
    if table is None:
        return (row.asked, *("-" for _ in TITLES[1:]))
    up = None if table.up_s is None else format_duration(table.up_s * 1000)
    health = (table.temperature_c, table.free_mb, table.worn_percent, table.copy_late_s)
    days = min(table.certificates.values(), default=None)
    figures = ("-" if figure is None else f"{figure:.0f}" for figure in (*health, days))
    return (table.table, table.build, table.configuration[:8] or "-", up or "-", *figures)
