"""`banco run`, `play` and `check`: run a table, play scenarios, check a configuration."""

import gc
from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.command import BancoCommand
from console.service.supervision.command_parser import whole_number


def _add_run(run: ArgumentParser) -> None:
    run.add_argument("--config", metavar="FILE", type=Path, help="the table's configuration")
    run.add_argument(
        "--sim",
        action="store_true",
        help="simulate the cabinet; acts are typed at a prompt, or come from a pipe",
    )
    run.add_argument(
        "--json", action="store_true", help="with --sim: no picture, one JSON object for each act"
    )
    run.add_argument(
        "--web",
        metavar="ADDRESS:PORT",
        nargs="?",
        const="",
        help="with --sim: serve its pages to browsers, on 127.0.0.1:8080 or where you say",
    )
    run.add_argument(
        "--fault",
        type=whole_number,
        choices=range(1, 11),
        metavar="N",
        help="with --sim: prepare fault N, 1 to 10, in the cabinet, for training",
    )


def _run(options: Namespace) -> int:
    gc.disable()  # what a start makes is kept: looking for garbage in it costs a twentieth
    try:
        from console.run import run

        return run(
            options.config,
            simulated=options.sim,
            as_json=options.json,
            fault=options.fault,
            web=options.web,
        )
    finally:
        gc.enable()  # the start has failed, or its loop has run


def _add_play(play: ArgumentParser) -> None:
    play.add_argument("--json", action="store_true", help="print one JSON object for each line")
    play.add_argument(
        "--real-time", action="store_true", help="by the clock, over pseudo-terminals"
    )
    play.add_argument("files", metavar="FILE", nargs="+", help="a scenario")


def _play(options: Namespace) -> int:
    from console.simulation.scenario.play import play

    return play(options.files, as_json=options.json, real_time=options.real_time)


def _add_check(check: ArgumentParser) -> None:
    check.add_argument("file", metavar="FILE", type=Path, help="a configuration")
    check.add_argument(
        "--approve",
        action="store_true",
        help="for a table that is handed over: every risk is an error, and the program must be as "
        "its signed list says",
    )


def _check(options: Namespace) -> int:
    from console.office.check import approve_table, check_configuration

    return approve_table(options.file) if options.approve else check_configuration(options.file)


COMMANDS = (
    BancoCommand("run", "run a table", "banco run --config /etc/banco/table.toml", _run, _add_run),
    BancoCommand("play", "play scenarios", "banco play --json night.scenario", _play, _add_play),
    BancoCommand(
        "check", "check a configuration", "banco check /etc/banco/table.toml", _check, _add_check
    ),
)
