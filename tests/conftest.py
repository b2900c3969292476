"""What holds for every test: a failure found by chance can be found again."""

import secrets

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose hypothesis's seed here, so that it can be printed and the workers share it."""
    if config.getoption("hypothesis_seed") is None:
        config.option.hypothesis_seed = secrets.randbits(32)


def pytest_report_header(config: pytest.Config) -> str:
    """Name the option that repeats this very run."""
    return f"repeat with: --hypothesis-seed={config.getoption('hypothesis_seed')}"
