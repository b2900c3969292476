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

from tests.rig.image.build import build
from tests.rig.image.stages import StageFailed
from tests.rig.layout import ARCHITECTURES, SUITES, layout_of
from tests.rig.night import Night, play_nights
from tests.rig.parts.boot import boot
from tests.rig.parts.round import award, play_round
from tests.rig.report import Report

WIDENED = ["TimeoutStartSec=90 in both units: an emulated processor is some 25 times slower"]


def say(text: str) -> None:
    """To whoever waits."""
    print(text, file=sys.stderr, flush=True)


def nights() -> list[Night]:
    """What is played by default."""
    return [Night("evening", {"boot": boot, "round": play_round, "award": award})]


def parse_arguments() -> argparse.Namespace:
    """What `make rig` hands over."""
    parser = argparse.ArgumentParser(prog="python -m tests.rig", description=__doc__)
    parser.add_argument("--arch", choices=ARCHITECTURES, default="amd64")
    parser.add_argument("--suite", choices=SUITES, default="bookworm")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--parts", nargs="+", metavar="PART", help="only these, in this order")
    return parser.parse_args()


def main() -> int:
    """Build, play, report."""
    options = parse_arguments()
    layout = layout_of(options.arch, options.suite)
    try:
        build(layout, say)
    except StageFailed as error:
        say(str(error))
        return 2
    report = Report(f"{options.arch} {options.suite}", options.seed, "simulated", WIDENED)
    begun = time.monotonic()
    asyncio.run(play_nights(nights(), layout, report, begun, at_once=os.cpu_count() or 1))
    report.took_s = round(time.monotonic() - begun, 1)
    report.load_average = round(os.getloadavg()[1], 1)
    report.write(layout.folder)
    say(f"{len(report.steps)} steps, {len(report.wrong)} wrong, {report.took_s} s, seed {report.seed}")
    say(f"see {layout.folder / 'report.md'}")
    return 1 if report.wrong else 0


sys.exit(main())
