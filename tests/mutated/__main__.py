"""10,000 mutated files, command lines and requests: no traceback, no hang, an answer as documented.

python -m tests.mutated                      (`make mutated`)
python -m tests.mutated --inputs 50 --seed 7
"""

import argparse
import contextlib
import io
import json
import os
import random
import secrets
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from console.command_line.main import main
from tests.console.running_table import configuration
from tests.mutated.mutations import mutate, mutate_words
from tests.mutated.served import try_served

ANSWERED_S = 30
STATUSES = {0, 1, 2, 74}
"""docs/reference/exit-status.md; nobody sends a signal here."""

PEOPLE = '[anna]\nduties = ["technician"]\nsalt = "00"\nhash = "00"\n'
SCENARIO = "press GAME_OVER\ntoken 1 3\npress COIN_IN\nexpect phase PLAYING\nwait 2s\npress FLUSH\n"

COMMANDS = (
    "check table.toml",
    "play --json night.scenario",
    "ledger verify ledger --key house.pub",
    "ledger show ledger --round 3 --since 2026-11-20 --format csv --limit 5",
    "ledger replay 3 ledger",
    "ledger rebuild ledger",
    "ledger repair ledger --mirror copy --seal seal --from copy",
    "ledger export ledger --key house.key --out night.jsonl --from 3",
    "ledger check-export night.jsonl --key house.pub",
    "ledger key --show house.pub",
    "key show table.toml",
    "report ledger --rounds 3-17 --format json --language en --out night.txt",
    "report ledger --night 2026-11-20",
    "rake --house san-marino --rate 2.5 --fixed 2 --cap 15 --players 4 100 200",
    "declare --socket line --as anna --yes hand-void 3 returned",
    "enrol --list --file people.toml",
    "link status --json --centre host=/nowhere",
    "link approve 7 --as piero --centre host=/nowhere",
    "link audit ledger --export night.jsonl --key house.pub --centre host=/nowhere",
    "witness audit ledger --key house.pub --database host=/nowhere",
    "tournament status --json --centre host=/nowhere",
)
"""Each ends by itself. What serves for ever is not started from mutated words."""

SERVED = {"socket": 0.15, "pages": 0.15, "line": 0.03}
"""Which part of the inputs goes to one table that runs."""

SERVING = {"run", "room", "pages", "diag"}


def inputs(folder: Path, chance: random.Random, number: int) -> Iterator[list[str]]:
    """The command lines, each with its file written before."""
    table = configuration(folder / "table.toml").read_text("utf-8")
    files = {
        "table.toml": (table, "check"),
        "night.scenario": (SCENARIO, "play"),
        "people.toml": (PEOPLE, "enrol --list --file"),
        "room.toml": ('kind = "room"\nsigns = ["stud"]\n' + table, "check"),
    }
    for _ in range(number):
        if chance.random() < 0.5:
            name = chance.choice(sorted(files))
            text, command = files[name]
            mutated = mutate(text, chance).encode("utf-8", "surrogatepass")
            if chance.random() < 0.1:
                mutated = mutated[: chance.randrange(len(mutated) + 1)] + b"\xff\x00"
            file = folder / "mutated" / name
            file.write_bytes(mutated)
            file.chmod(0o640)
            yield [*command.split(), str(file)]
        else:
            words = mutate_words(chance.choice(COMMANDS).split(), chance)
            if not words or words[0] not in SERVING:
                yield words


class Hangs(BaseException):
    """A command takes longer than it may; no command catches this."""


def _end_hang(*_: object) -> None:
    raise Hangs


def why_wrong(words: list[str]) -> str | None:
    """Give the command; what it should not have done."""
    stderr = io.StringIO()
    signal.signal(signal.SIGALRM, _end_hang)
    signal.alarm(ANSWERED_S)
    try:
        with (
            contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
            contextlib.redirect_stderr(stderr),
        ):
            status: object = main(words)
    except SystemExit as ended:
        status = ended.code or 0
    except BaseException:
        return traceback.format_exc()
    finally:
        signal.alarm(0)
    if "Traceback" in stderr.getvalue() or "Errno" in stderr.getvalue():
        return stderr.getvalue()
    return None if status in STATUSES else f"exit status {status}"


def run(number: int, seed: int) -> dict[str, object]:
    """Try so many; the figures, with what is wrong."""
    begun, chance = time.monotonic(), random.Random(seed)
    tried: Counter[str] = Counter()
    wrong: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="banco-mutated-") as place:
        folder = Path(place)
        (folder / "mutated").mkdir()
        os.chdir(folder)
        os.environ.update(XDG_STATE_HOME=place, PGHOST="/nowhere", PGCONNECT_TIMEOUT="2")
        served = {kind: round(number * part) for kind, part in SERVED.items()}
        for words in inputs(folder, chance, number - sum(served.values())):
            why = why_wrong(words)
            tried[words[0] if words and words[0].isalpha() and len(words[0]) < 12 else "?"] += 1
            if why is not None:
                file = Path(words[-1]) if words else folder
                held = file.read_bytes()[:2000].decode("utf-8", "replace") if file.is_file() else ""
                wrong.append({"words": words, "file": held, "why": why[-2000:]})
        for kind, data, why in try_served(folder / "served", chance, served):
            tried[kind] += 1
            if why is not None:
                sent = data[:2000].decode("utf-8", "backslashreplace")
                wrong.append({"words": [kind], "file": sent, "why": why[-2000:]})
        os.chdir("/")
    seconds = round(time.monotonic() - begun, 1)
    return {
        "seed": seed,
        "inputs": tried.total(),
        "tried": tried,
        "wrong": wrong,
        "seconds": seconds,
    }


def main_of_mutated() -> int:
    """The exit status: 1 if something was wrong."""
    parser = argparse.ArgumentParser(description="mutated files, command lines and requests")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = parser.parse_args()
    print(f"make mutated INPUTS={options.inputs} SEED={options.seed}", file=sys.stderr, flush=True)
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        sys.stdin = nothing  # no command gets an answer to what it asks
        figures = run(options.inputs, options.seed)
    print(json.dumps(figures))
    return 1 if figures["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main_of_mutated())
