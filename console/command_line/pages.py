"""`banco pages` and `banco room`: pages for browsers, of a table and of a room."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.command import BancoCommand


def _add_pages(pages: ArgumentParser) -> None:
    from console.configuration.places import PAGES_SOCKET

    pages.add_argument(
        "--socket",
        metavar="PATH",
        type=Path,
        default=PAGES_SOCKET,
        help=f"the service's socket for the pages ({PAGES_SOCKET})",
    )


def _serve_pages(options: Namespace) -> int:
    from console.web.serving.unit import run_pages

    return run_pages(options.socket)


def _add_room(room: ArgumentParser) -> None:
    room.add_argument(
        "--config", metavar="FILE", type=Path, required=True, help="the room's configuration"
    )


def _serve_room(options: Namespace) -> int:
    from console.web.serving.room import run_room

    return run_room(options.config)


COMMANDS = (
    BancoCommand(
        "pages",
        "serve a real table's pages, as banco-web.service does",
        "banco pages --socket /run/banco-web/pages",
        _serve_pages,
        _add_pages,
        needs=("aiohttp",),
    ),
    BancoCommand(
        "room",
        "serve the sign of a linked jackpot and the overview of its tables",
        "banco room --config /etc/banco/room.toml",
        _serve_room,
        _add_room,
        needs=("aiohttp", "psycopg"),
    ),
)
