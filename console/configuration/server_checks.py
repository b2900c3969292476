"""Checks of the sections that name a server: link, clock, witness, timestamp."""

import re
from pathlib import Path

from console.configuration.centre_address import parse_host
from console.configuration.names import JACKPOT_NAME, TOURNAMENT_NAME
from console.configuration.section import find_mistake
from console.configuration.sections import Configuration, DatabaseSection, TableKind
from console.rules.poker.houses import Form
from jackpot.foreign_text import quote


def find_server_mistakes(configuration: Configuration) -> list[str]:
    """Every mistake in these sections, its key first, with what would be right."""
    return [
        *_check_link(configuration),
        *_check_clock(configuration),
        *_check_witness_outside(configuration),
        *_check_timestamp(configuration),
    ]


def _check_link(configuration: Configuration) -> list[str]:
    link = configuration.link
    if link is None:
        return []
    mistakes = _database_mistakes("link", configuration.kind, link)
    mistakes += JACKPOT_NAME.find_mistake("link.jackpot", link.jackpot)
    if configuration.rail is None:
        mistakes.append(f"link: {configuration.game} has no jackpot; leave the section out")
    return mistakes


def _check_clock(configuration: Configuration) -> list[str]:
    """A shared clock needs a tournament."""
    clock = configuration.clock
    if clock is None:
        return []
    mistakes = _database_mistakes("clock", configuration.kind, clock)
    mistakes += TOURNAMENT_NAME.find_mistake("clock.tournament", clock.tournament)
    poker = configuration.poker
    if not configuration.plays_poker or poker is None or poker.form is not Form.TOURNAMENT:
        mistakes.append("clock: only a poker tournament's tables share one; leave the section out")
    return mistakes


def _check_witness_outside(configuration: Configuration) -> list[str]:
    """It gets signed heads, so there must be something that signs them."""
    witness = configuration.witness
    if witness is None:
        return []
    mistakes = _database_mistakes("witness", configuration.kind, witness)
    if configuration.key is None:
        mistakes.append("witness: its heads are signed with the table's key: add a section [key]")
    return mistakes


def _database_mistakes(name: str, kind: TableKind, section: DatabaseSection) -> list[str]:
    from console.configuration.centre_address import parse_host

    mistakes = [
        mistake
        for host in section.hosts
        for mistake in find_mistake(f"{name}.hosts", parse_host, host)
    ]
    if not section.hosts:
        mistakes.append(f"{name}.hosts: names no server, such as db1.casino.example")
    if not section.database:
        mistakes.append(f"{name}.database: names no database, such as banco")
    return mistakes + _credential_mistakes(name, kind, section)


def _credential_mistakes(name: str, kind: TableKind, section: DatabaseSection) -> list[str]:
    """The table proves who it is by its certificate; only a table without money may go without."""
    files = {"certificate": section.certificate, "key": section.key, "root": section.root}
    missing = [key for key, file in files.items() if file is None]
    mistakes = [
        f"{name}.{key}: {quote(file)} is relative; write it from the root"
        for key, file in files.items()
        if file is not None and not Path(file).is_absolute()
    ]
    if missing and (kind is TableKind.PRODUCTION or len(missing) < len(files)):
        mistakes += [f"{name}.{key}: TLS needs certificate, key and root" for key in missing]
    return mistakes


def _is_server(text: str) -> bool:
    """Whether it is the address of a web server: http or https, a host, a port that exists."""
    found = re.fullmatch(r"https?://([^/\s?#@]+)(/[^\s?#]*)?", text)
    if found is None or not text.isprintable():
        return False
    try:
        parse_host(found[1].lower())
    except ValueError:
        return False
    return True


def _check_timestamp(configuration: Configuration) -> list[str]:
    stamp = configuration.timestamp
    if stamp is None:
        return []
    mistakes: list[str] = []
    if not _is_server(stamp.server):
        mistakes.append(
            f"timestamp.server: {quote(stamp.server)}; write its address, http://tsa.casino.example/"
        )
    if not Path(stamp.root).is_absolute():
        mistakes.append(f"timestamp.root: {quote(stamp.root)} is relative; write it from the root")
    return mistakes
