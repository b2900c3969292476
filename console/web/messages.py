"""What the service tells the process that serves the pages, and what that may ask of it.

One JSON object a line. From the service, on the pages' standard input: an Opening, then Sights,
Beats and, of a simulation, Answers. From the pages, and of a simulation only: Serving, then Deeds
(docs/dev/decisions/0008-pages.md).
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from console.configuration.web_address import Listening

LONGEST_MESSAGE = 64 * 1024
"""Bytes of a line, its end included."""

LONGEST_ACT = 256
"""Characters of an act, as SCENARIOS.md writes it."""

HEARTBEAT_S = 1.0
"""The service tells at least this often that it is there."""

LOST_AFTER_S = 3.0
"""Who has heard nothing for so long has lost the table, and says so."""


PORT_TAKEN, ADDRESS_UNUSABLE, CERTIFICATE_UNUSABLE = 3, 4, 5
"""The process's exit statuses where it cannot listen."""


class PagesOpening(msgspec.Struct, frozen=True, tag_field="kind", tag="opening"):
    """Which table it is: what does not change while the service runs.

    `rail`, `shuffler` and `shoe` are kinds (console/rules/games.py), None where there is none.
    `combinations`: the buttons' names, from the left. `ledger`: its folder, to be read only.
    `people`: who is enrolled; `attempts`: where wrong PINs of the supervisor's page are counted.
    `scenario`: the lines with which a scenario of this table begins.
    """

    table: str
    game: str
    language: str
    simulated: bool
    version: str
    rail: str | None
    shuffler: str | None
    shoe: str | None
    combinations: tuple[str, ...]
    devices: tuple[str, ...]
    inspector_fitted: bool
    token: str
    base: str
    ledger: str
    people: str
    attempts: str
    listening: Listening
    scenario: tuple[str, ...] = ()


class TableSnapshot(msgspec.Struct, frozen=True, tag_field="kind", tag="sight"):
    """The table at one instant, as far as it is on record.

    `seen`: `Observation.whole()`. `key`: its position, None between two. `punto`, `banco`: the
    cards of the coup; `road`: the results of this shoe. `cabinet`: `CabinetFacts.to_json()` of a
    simulated one. `wall` is a label. `seq`: the newest record. `last_hands`: hands left of the last
    ones, None while none are counted. `takes_bets`: players may stake now.
    """

    wall: str
    seq: int
    round: int
    powered: bool
    key: str | None
    seen: Mapping[str, Any]
    punto: tuple[str, ...] = ()
    banco: tuple[str, ...] = ()
    road: tuple[str, ...] = ()
    cabinet: Mapping[str, Any] | None = None
    last_hands: int | None = None
    takes_bets: bool = False


class Heartbeat(msgspec.Struct, frozen=True, tag_field="kind", tag="beat"):
    """The service is there, though nothing has changed."""


class ActAnswer(msgspec.Struct, frozen=True, tag_field="kind", tag="answered"):
    """A deed has been done, or was not understood: `why`. `refused`: the refusal's code."""

    to: int
    line: str
    refused: str | None = None
    why: str = ""


ToPages = PagesOpening | TableSnapshot | Heartbeat | ActAnswer


class Serving(msgspec.Struct, frozen=True, tag_field="kind", tag="serving"):
    """The pages can be looked at."""

    url: str


class ActRequest(msgspec.Struct, frozen=True, tag_field="kind", tag="deed"):
    """Somebody does something to the simulated cabinet; `id` comes back in the answer."""

    id: int
    line: str


FromPages = Serving | ActRequest


def encode_message(message: ToPages | FromPages) -> bytes:
    """The message and its line's end. Raises ValueError for one that is too long."""
    line = msgspec.json.encode(message) + b"\n"
    if len(line) > LONGEST_MESSAGE:
        raise ValueError(f"a message of {len(line)} bytes; at most {LONGEST_MESSAGE} are read")
    return line


def decode_to_pages(line: bytes) -> ToPages:
    """The reverse of `encode_message`. Raises ValueError (msgspec's own is one)."""
    return _TO_PAGES.decode(line)


def decode_from_pages(line: bytes) -> FromPages:
    """The reverse of `encode_message`. Raises ValueError."""
    return _FROM_PAGES.decode(line)


_TO_PAGES: msgspec.json.Decoder[ToPages] = msgspec.json.Decoder(ToPages)
_FROM_PAGES: msgspec.json.Decoder[FromPages] = msgspec.json.Decoder(FromPages)
