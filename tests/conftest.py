"""What holds for every test: a failure found by chance can be found again.

Where a place for something to fail is one of many, `make test` tries some of them, others in each
commit; `make thorough` tries all. So it is with the cases of a test marked `sampled`, and with the
tests of a file marked `sampled(of=2)`.

The seed is the commit's own: a commit that was green is green when it is run again. `make nightly`
takes another each day.
"""

import secrets
import signal
import subprocess
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import settings

from tests.sampling import Numbers

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


class Worker(Protocol):
    """One of the processes that share the tests, as pytest-xdist shows it before it starts."""

    config: pytest.Config
    workerinput: dict[str, object]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--thorough`."""
    parser.addoption("--thorough", action="store_true", help="try all of what else is sampled")


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Whether all is to be tried: tonight there is time."""
    return bool(pytestconfig.getoption("thorough"))


@pytest.fixture(scope="session")
def numbers(pytestconfig: pytest.Config, thorough: bool) -> Numbers:
    """`numbers(5)`: 1, 2, 3, then every fifth, from one on that this run's seed chooses."""
    seed: int = pytestconfig.getoption("hypothesis_seed")

    def from_one(step: int) -> Iterator[int]:
        if thorough:
            return count(1)
        return chain((1, 2, 3), count(4 + seed % step, step))

    return from_one


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose hypothesis's seed before its plugin does, so that it can be printed and shared.

    What a shell starts in the background ignores Ctrl-C, and so do the programs that a test starts.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        seed = config.workerinput["hypothesis_seed"]
    else:
        seed = config.getoption("hypothesis_seed") or _seed_of_commit(config.rootpath)
    config.option.hypothesis_seed = int(seed)  # as an option it is a text, and chooses otherwise


def _seed_of_commit(folder: Path) -> int:
    """The first 32 bits of its hash; outside a repository, by chance."""
    git = ["git", "-C", str(folder), "rev-parse", "--verify", "HEAD"]
    try:
        run = subprocess.run(git, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return secrets.randbits(32)
    return int(run.stdout[:8], 16)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run's seed does not choose of the tests marked `sampled`."""
    if config.getoption("thorough"):
        return
    seed: int = config.getoption("hypothesis_seed")
    left_out = set(_other_cases(items, seed))
    left_out.update(_other_tests([item for item in items if item not in left_out], seed))
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def _other_cases(items: list[pytest.Item], seed: int) -> Iterator[pytest.Item]:
    """Of each test marked `sampled`, all cases but one."""
    cases: dict[object, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and None in _parts(item):
            cases.setdefault((item.parent, item.originalname), []).append(item)
    for number, same in enumerate(cases.values()):
        yield from (item for item in same if item is not same[(seed + number) % len(same)])


def _other_tests(items: list[pytest.Item], seed: int) -> Iterator[pytest.Item]:
    """Of each file marked `sampled(of=2)`, every other test."""
    places: dict[Path, Iterator[int]] = {}
    for item in items:
        for of in filter(None, _parts(item)):
            if (seed + next(places.setdefault(item.path, count()))) % of:
                yield item


def _parts(item: pytest.Item) -> list[int | None]:
    """What the item's marks `sampled` give as `of`."""
    return [mark.kwargs.get("of") for mark in item.iter_markers("sampled")]


def pytest_configure_node(node: Worker) -> None:
    """Give each worker the seed of this run."""
    node.workerinput["hypothesis_seed"] = node.config.getoption("hypothesis_seed")


def pytest_report_header(config: pytest.Config) -> str:
    """Name the option that repeats this very run."""
    return f"repeat with: --hypothesis-seed={config.getoption('hypothesis_seed')}"
