"""`python -m tests.rig`: a whole machine is booted and played (docs/dev/rig.md).

Prints each step as it is seen; report.json and report.md have all of them. Exit status 1: something
was not as it should be. 2: the rig could not be built.
"""

import argparse
import asyncio
import os
import secrets
import sys
import time
from collections.abc import Sequence

from tests.rig.image.stages import StageFailed
from tests.rig.layout import ARCHITECTURES, SUITES, layout_of
from tests.rig.machine.boards import FIRMWARE
from tests.rig.night import BARE, GOLDEN, SECOND, Night, Part, play_nights
from tests.rig.parts.boot import boot
from tests.rig.parts.cuts import cut_power
from tests.rig.parts.devices import (
    busy_line,
    plug,
    reboot_board,
    refuse_strangers,
    technicians_line,
)
from tests.rig.parts.guards import try_guards
from tests.rig.parts.image import live_with_image, provision_second
from tests.rig.parts.newcomer import follow_the_page
from tests.rig.parts.pages import serve_pages
from tests.rig.parts.ports import keep_to_own_ports
from tests.rig.parts.round import award, play_round
from tests.rig.parts.service import clock, disk_full, panic, watchdog
from tests.rig.parts.start import start
from tests.rig.parts.stick import second_copy, update
from tests.rig.parts.update_cuts import cut_updates
from tests.rig.parts.witness import follow_outside
from tests.rig.report import Report

WIDENED = [
    "TimeoutStartSec=300 in the units: an emulated processor is some 25 times slower",
    "RuntimeWatchdogSec=30 where the kernel panics, for the same reason",
]


def say(text: str) -> None:
    """To whoever waits."""
    print(text, file=sys.stderr, flush=True)


PARTS: dict[str, Part] = {
    "round": play_round,
    "award": award,
    "plug": plug,
    "board": reboot_board,
    "stranger": refuse_strangers,
    "line": technicians_line,
    "ports": keep_to_own_ports,
    "pages": serve_pages,
    "busy": busy_line,
    "clock": clock,
    "watchdog": watchdog,
    "copy": second_copy,
    "update": update,
    "update-cuts": cut_updates,
    "full": disk_full,
    "panic": panic,
    "cuts": cut_power,
    "witness": follow_outside,
    "guards": try_guards,
}
"""What `--parts` takes; every machine boots first."""

NIGHTS = {
    "technician": ("round", "copy", "update", "full"),
    "cuts A": ("cuts",),
    "cuts B": ("cuts",),
    "evening": (
        "round",
        "award",
        "plug",
        "board",
        "stranger",
        "line",
        "ports",
        "pages",
        "busy",
        "clock",
    ),
    "house": ("round", "watchdog", "panic", "witness"),
    "guards": ("guards",),
    "upgrades": ("round", "update-cuts"),
}
"""Each on a machine of its own, in this order, the longest first."""


ALONE = {
    "start": Night("start", {"start": start}, counted=True),
    "newcomer": Night("newcomer", {"newcomer": follow_the_page}, BARE),
    "image": Night("image", {"image": live_with_image}, GOLDEN),
    "second-table": Night("second-table", {"second-table": provision_second}, SECOND),
}
"""Parts that are a night by themselves."""


def nights(parts: list[str] | None) -> list[Night]:
    """What is played: all, or these parts on one machine, beside those that are played alone."""
    if parts is None:
        return [*(night_of(name, chosen) for name, chosen in NIGHTS.items()), ALONE["newcomer"]]
    together = [part for part in parts if part not in ALONE]
    played = [night_of(" ".join(together), together)] if together else []
    return [*played, *(ALONE[part] for part in parts if part in ALONE)]


def night_of(name: str, parts: Sequence[str]) -> Night:
    """A machine that boots, and plays these parts."""
    return Night(name, {"boot": boot, **{part: PARTS[part] for part in parts if part != "boot"}})


def parse_arguments() -> argparse.Namespace:
    """What `make rig` hands over."""
    parser = argparse.ArgumentParser(prog="python -m tests.rig", description=__doc__)
    parser.add_argument("--arch", choices=ARCHITECTURES, default="amd64")
    parser.add_argument("--suite", choices=SUITES, default="bookworm")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument(
        "--parts", nargs="+", choices=["boot", *ALONE, *PARTS], help="in this order"
    )
    return parser.parse_args()


def read_children_s() -> float:
    """The processors' time of the programs that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> int:
    """Build, play, report."""
    options = parse_arguments()
    layout = layout_of(options.arch, options.suite)
    chosen = nights(options.parts)
    try:
        for build in dict.fromkeys(night.machine.build for night in chosen):
            build(layout, say)
    except StageFailed as error:
        say(str(error))
        return 2
    report = Report(f"{options.arch} {options.suite}", options.seed, FIRMWARE, WIDENED)
    begun, cost = time.monotonic(), read_children_s()
    asyncio.run(play_nights(chosen, layout, report, begun, at_once=os.cpu_count() or 1))
    report.took_s = round(time.monotonic() - begun, 1)
    report.processor_s = round(read_children_s() - cost, 1)
    report.load_average = round(os.getloadavg()[1], 1)
    report.write(layout.folder)
    counts = f"{len(report.steps)} steps, {len(report.wrong)} wrong, {report.took_s} s"
    say(f"{counts}, {report.processor_s} s of the processors' time, seed {report.seed}")
    say(f"see {layout.folder / 'report.md'}")
    return 1 if report.wrong else 0


sys.exit(main())
