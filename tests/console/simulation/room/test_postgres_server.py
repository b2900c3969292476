"""The servers of a room: whatever one of them does, both end."""

import psycopg
import pytest

from console.simulation.room import postgres_server
from tests.console.link.server_pair import freeze, run_pair
from tests.free_port import free_port
from tests.open_folder import make_open_folder


def test_a_primary_that_does_not_end_is_killed_and_its_standby_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = (free_port(), free_port())
    with make_open_folder() as folder, run_pair(folder, ports, {"fsync": "off"}) as pair:
        with freeze(pair.primary), monkeypatch.context() as patch:
            patch.setattr(postgres_server, "STOPPED_WITHIN_S", 0.5)
            pair.stop()
        for server in (pair.primary, pair.standby):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(server.dsn())
