"""The configuration of `banco room` (docs/how-to/room.md)."""

from pathlib import Path
from typing import Any

import msgspec

from console.configuration.addresses import parse_host
from console.configuration.checks import find_web_mistakes
from console.configuration.file import content_of
from console.configuration.named_files import FileUnusable
from console.configuration.poker_section import Structure
from console.configuration.section import (
    JACKPOT_NAME,
    TABLE_NAME,
    TOURNAMENT_NAME,
    ConfigurationSection,
)
from console.configuration.sections import DatabaseSection, PinAgeDays, WebSection
from console.configuration.sign_section import SignSection, find_sign_mistakes
from console.texts.language import Language
from jackpot.foreign_text import quote
from jackpot.value_mistakes import locate_mistake

KIND = "room"

ROLE = "room"


class CentreSection(DatabaseSection, frozen=True, kw_only=True):
    """[centre]: the database's servers, in the order in which they are tried, and the login."""

    role: str = ROLE
    """A role of the group link_reader."""


class RoomClock(ConfigurationSection, frozen=True):
    """[[clocks]]: a tournament whose tables share a clock, and has a sign.

    `structure`: the name of the tables' own file, which reading the configuration replaces by what
    the file holds.
    """

    tournament: str
    structure: Structure


class RoomConfiguration(ConfigurationSection, frozen=True):
    """The whole file."""

    kind: str
    people: str
    """The file of those who may enter the overview."""
    attempts: str
    """The file in which wrong PINs are counted."""
    centre: CentreSection
    signs: tuple[str, ...] = ()
    """The jackpots that have a sign; the first one's is /sign."""
    pin_age_days: PinAgeDays | None = None
    """As `people.pin_age_days` of a table."""
    clocks: tuple[RoomClock, ...] = ()
    """The tournaments that have one; the first one's is /clock."""
    web: WebSection = msgspec.field(default_factory=WebSection)
    language: Language = Language.IT
    sign: SignSection = msgspec.field(default_factory=SignSection)
    """What the house has on its signs; the currency is the jackpot's unless it says otherwise."""
    simulated: bool = False


def is_room(content: dict[str, Any]) -> bool:
    """Whether it is a room's configuration, and no table's."""
    return content.get("kind") == KIND


def load_room(file: Path) -> RoomConfiguration:
    """Read and check a file. Raises FileUnusable."""
    return check_room(str(file), content_of(file))


def check_room(file: str, content: dict[str, Any]) -> RoomConfiguration:
    """The configuration with this content. Raises FileUnusable."""
    if content.get("kind") != KIND:
        what = f"a room's is {KIND!r}; a table is started with banco run --config"
        raise FileUnusable(f"kind: {quote(str(content.get('kind')))}; {what}", file=file)
    try:
        configuration = msgspec.convert(content, RoomConfiguration)
    except msgspec.ValidationError as error:
        key, what = locate_mistake(error)
        raise FileUnusable(f"{key or 'the file'}: {what}", file=file) from error
    mistakes = _find_mistakes(configuration)
    if mistakes:
        raise FileUnusable(*mistakes, file=file)
    return configuration


def _find_mistakes(room: RoomConfiguration) -> list[str]:
    mistakes = []
    if not room.signs and not room.clocks:
        mistakes.append("signs: names no jackpot, such as stud; and there is no [[clocks]]")
    for name in room.signs:
        mistakes += JACKPOT_NAME.find_mistake("signs", name)
    mistakes += [*_clock_mistakes(room), *find_sign_mistakes(room.sign)]
    return mistakes + _centre_mistakes(room) + find_web_mistakes(room.web) + _path_mistakes(room)


def _clock_mistakes(room: RoomConfiguration) -> list[str]:
    names = [clock.tournament for clock in room.clocks]
    return [
        mistake
        for place, name in enumerate(names)
        for mistake in TOURNAMENT_NAME.find_mistake(f"clocks[{place}].tournament", name)
    ] + [
        f"clocks[{place}].tournament: {quote(name)} stands there twice"
        for place, name in enumerate(names)
        if name in names[:place]
    ]


def _centre_mistakes(room: RoomConfiguration) -> list[str]:
    centre = room.centre
    mistakes = [] if centre.hosts else ["centre.hosts: names no server, such as db1.casino.example"]
    for host in centre.hosts:
        try:
            parse_host(host)
        except ValueError as error:
            mistakes.append(f"centre.hosts: {error}")
    mistakes += TABLE_NAME.find_mistake("centre.role", centre.role)
    files = {"certificate": centre.certificate, "key": centre.key, "root": centre.root}
    missing = [name for name, file in files.items() if file is None]
    if missing and not (room.simulated and len(missing) == len(files)):
        mistakes += [f"centre.{name}: TLS needs certificate, key and root" for name in missing]
    return mistakes


def _path_mistakes(room: RoomConfiguration) -> list[str]:
    paths = {
        "people": room.people,
        "attempts": room.attempts,
        "centre.certificate": room.centre.certificate,
        "centre.key": room.centre.key,
        "centre.root": room.centre.root,
    }
    return [
        f"{key}: {quote(path)} is relative; write it from the root"
        for key, path in paths.items()
        if path is not None and not Path(path).is_absolute()
    ]
