"""A proxy on the table's own computer: a PIN is taken as the browser speaks to the proxy."""

import asyncio
from pathlib import Path

import pytest

from tests.console.line.access.login_bench import PIN, enrol
from tests.console.web.supervised import (
    Answer,
    opening_of,
    serve_supervisor,
)
from tests.deadlines import DEADLINE_S


async def enter(folder: Path, origin: str, **headers: str) -> Answer:
    """What a browser is answered whose page is at `origin`, by way of a proxy here."""
    enrol(folder / "people.toml", "anna")
    async with (
        asyncio.timeout(DEADLINE_S),
        serve_supervisor(opening_of(folder / "l"), folder) as page,
    ):
        host = origin.partition("://")[2]
        credentials = {"name": "anna", "pin": PIN}
        return await page.post("login", credentials, Origin=origin, Host=host, **headers)


@pytest.mark.parametrize("origin", ["https://10.20.0.31", "https://10.20.0.31:8443"])
def test_over_tls_it_takes_a_pin_and_its_cookie_is_for_tls_alone(
    tmp_path: Path, origin: str
) -> None:
    answer = asyncio.run(enter(tmp_path, origin))
    assert answer.status == 200
    parts = {part.strip().lower() for part in answer.headers["Set-Cookie"].split(";")}
    assert "secure" in parts


@pytest.mark.parametrize("origin", ["http://10.20.0.31", "http://[fe80::1]:8080"])
def test_in_the_clear_it_takes_none(tmp_path: Path, origin: str) -> None:
    answer = asyncio.run(enter(tmp_path, origin))
    assert (answer.status, answer.body["refused"]) == (403, "NOT_SAFE")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:9000", "[::1]:8080"])
def test_a_browser_on_this_machine_needs_no_tls(tmp_path: Path, host: str) -> None:
    answer = asyncio.run(enter(tmp_path, f"http://{host}"))
    assert answer.status == 200


def test_a_cookie_of_tls_is_taken_back_as_it_was_given(tmp_path: Path) -> None:
    """A browser drops a `__Host-` cookie only for one that is secure, too (RFC 6265bis, 5.7)"""

    async def story() -> set[str]:
        enrol(tmp_path / "people.toml", "anna")
        async with serve_supervisor(opening_of(tmp_path / "l"), tmp_path) as page:
            answer = await page.post("logout", Origin="https://10.0.0.1", Host="10.0.0.1")
            return {part.strip().lower() for part in answer.headers["Set-Cookie"].split(";")}

    assert {"secure", "path=/", "max-age=0"} <= asyncio.run(story())
