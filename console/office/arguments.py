"""The arguments of `banco report`, `declare`, `enrol` and `diag`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

CONFIG_HELP = "the table's configuration (/etc/banco/table.toml)"


def add_table(command: ArgumentParser) -> None:
    """Add the options that choose a table's line."""
    table = command.add_mutually_exclusive_group()
    _add_config_or_sim(table)
    table.add_argument("--socket", metavar="PATH", type=Path, help="the table's local line")


def _add_config_or_sim(table: Any) -> None:
    table.add_argument("--config", metavar="FILE", type=Path, help=CONFIG_HELP)
    table.add_argument("--sim", action="store_true", help="the simulated table: banco run --sim")


def add_language(command: ArgumentParser) -> None:
    """Add the option for the language."""
    command.add_argument("--language", choices=("it", "en"), help="instead of the table's own")
