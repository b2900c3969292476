"""What holds for every test: a failure found by chance can be found again.

Where a place for something to fail is one of many, `make test` tries some of them, others in each
run; `make thorough` tries all.
"""

import secrets
from collections.abc import Callable, Iterator
from itertools import chain, count
from typing import Protocol

import pytest
from hypothesis import settings

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
def numbers(pytestconfig: pytest.Config, thorough: bool) -> Callable[[int], Iterator[int]]:
    """`numbers(5)`: 1, 2, 3, then every fifth, from one on that this run's seed chooses."""
    seed: int = pytestconfig.getoption("hypothesis_seed")

    def from_one(step: int) -> Iterator[int]:
        if thorough:
            return count(1)
        return chain((1, 2, 3), count(4 + seed % step, step))

    return from_one


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose hypothesis's seed before its plugin does, so that it can be printed and shared."""
    if hasattr(config, "workerinput"):
        config.option.hypothesis_seed = config.workerinput["hypothesis_seed"]
    elif config.getoption("hypothesis_seed") is None:
        config.option.hypothesis_seed = secrets.randbits(32)


def pytest_configure_node(node: Worker) -> None:
    """Give each worker the seed of this run."""
    node.workerinput["hypothesis_seed"] = node.config.getoption("hypothesis_seed")


def pytest_report_header(config: pytest.Config) -> str:
    """Name the option that repeats this very run."""
    return f"repeat with: --hypothesis-seed={config.getoption('hypothesis_seed')}"
