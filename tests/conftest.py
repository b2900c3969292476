"""What holds for every test: a failure found by chance can be found again."""

import secrets
from typing import Protocol

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


class Worker(Protocol):
    """One of the processes that share the tests, as pytest-xdist shows it before it starts."""

    config: pytest.Config
    workerinput: dict[str, object]


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
