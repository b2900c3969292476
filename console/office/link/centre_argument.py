"""`--centre`: how a command reaches the centre's database."""

from argparse import ArgumentParser


def add_centre(command: ArgumentParser, name: str) -> None:
    """Add `--centre`; `name`: the command, which answers it."""
    command.add_argument(
        "--centre",
        metavar="CONNECTION",
        default="",
        help="the database, as psql takes it (PGHOST, PGDATABASE and the like)",
    )
    command.set_defaults(link=name)
