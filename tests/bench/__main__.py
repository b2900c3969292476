"""`python -m tests.bench [NAME...]`: measure, and print one line of JSON per figure.

Without names everything is measured. A table of goals, met and missed, follows on standard error.
The exit status says whether all could be measured, not
whether goals were met: that each line says itself.
"""

import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module

from tests.bench.figures import Figure, table_of_goals

NAMES = (
    "edge",
    "frames",
    "coin_in",
    "rounds",
    "start",
    "idle",
    "line",
    "commit",
    "signed",
    "writes",
    "growth",
    "web",
    "link",
)


def main(names: list[str]) -> int:
    """Measure what is named."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"there is no {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    print(json.dumps(machine()), flush=True)
    figures: list[Figure] = []
    try:
        for name in names or NAMES:
            for figure in import_module(f"tests.bench.bench_{name}").measure():
                print(figure.to_json(), flush=True)
                figures.append(figure)
    finally:
        if any(figure.goal is not None for figure in figures):
            print(table_of_goals(figures), file=sys.stderr)
    return 0


def machine() -> dict[str, object]:
    """Where and when this was measured."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
