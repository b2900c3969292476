"""systemd/patroni/: what the rules of the link ask of it, and the page's own settings."""

import re
from pathlib import Path

import pytest

from tests.console.link.failover.centre_page import PAGE

EXAMPLE = (Path(__file__).parents[2] / "systemd/patroni/patroni.yml").read_text("utf-8")
BLANKS = re.compile(r"\s+")
LOCAL = ["local", "replication", "replication", "peer", "map=servers"]
"""By which the agent asks its own server how far it is."""

PATRONIS_OWN = ("synchronous_standby_names", "cluster_name", "listen_addresses")


@pytest.mark.parametrize(
    "setting",
    [
        "ttl: 20",
        "primary_start_timeout: 0",
        "synchronous_mode: true",
        "synchronous_mode_strict: true",
        "mode: required",
    ],
)
def test_the_settings_of_the_rules_stand_in_it(setting: str) -> None:
    """docs/reference/link-rules.md, 5.4"""
    assert re.search(rf"^ +{setting}(?: +#.*)?$", EXAMPLE, re.MULTILINE)


def test_who_comes_in_is_who_comes_in_without_patroni() -> None:
    """A line that one of both lacks is a door, or a table that is turned away."""
    page = PAGE.read_text("utf-8").partition("pg_hba.conf <<END\n")[2].partition("\nEND")[0]
    lines = [BLANKS.split(line) for line in page.splitlines() if not line.startswith("#")]
    written = re.findall(r"^    - (local .*|hostssl .*)$", EXAMPLE, re.MULTILINE)
    assert sorted(BLANKS.split(line) for line in written) == sorted([*lines, LOCAL])


def test_the_servers_have_the_pages_settings() -> None:
    page = PAGE.read_text("utf-8").partition("conf.d/centre.conf <<END\n")[2]
    lines = page.partition("\nEND")[0].splitlines()
    settings = {name: value for name, _, value in (line.partition(" = ") for line in lines)}
    for name, value in settings.items():
        if name not in PATRONIS_OWN:
            bare = value.partition("  ")[0].strip("'")
            assert re.search(
                rf"^ +{name}: [\"]?{re.escape(bare)}[\"]?(?:  #.*)?$", EXAMPLE, re.M
            ), name


def test_patroni_takes_the_times_as_they_are() -> None:
    """It changes them, with a warning, if they do not fit each other (Patroni 4, config.py)."""
    times = dict(re.findall(r"^ +(ttl|loop_wait|retry_timeout): (\d+)\b", EXAMPLE, re.MULTILINE))
    ttl, loop_wait, retry_timeout = (
        int(times[one]) for one in ("ttl", "loop_wait", "retry_timeout")
    )
    assert ttl >= 20
    assert retry_timeout >= 3
    assert loop_wait + 2 * retry_timeout <= ttl
