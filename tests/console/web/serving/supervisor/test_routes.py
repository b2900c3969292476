"""Who has entered on the supervisor's page, until he leaves, is idle, or is enrolled no longer."""

from pathlib import Path

from aiohttp import ClientSession, WSMsgType

from console.line.access.people import save_people
from console.web.serving.entrance.login import IDLE_S
from tests.console.web.entering import Clock, anna_at, life
from tests.console.web.supervised import Page


async def ask_with(cookie: str, page: Page, question: str) -> tuple[int, dict[str, object]]:
    """What another browser is answered that has got hold of this cookie."""
    url = page.client.make_url(f"/supervisor/{question}")
    async with ClientSession(headers={"Cookie": cookie}) as other, other.get(url) as answer:
        return answer.status, await answer.json()


def test_the_cookie_is_for_this_page_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            cookie = (await page.enter()).headers["Set-Cookie"]
            parts = {part.strip().lower() for part in cookie.split(";")[1:]}
            assert {"httponly", "samesite=strict", "path=/"} <= parts
            assert not any(part.startswith("domain") for part in parts)
            token = cookie.partition("=")[2].partition(";")[0]
            assert len(token) == 43

    life(story())


def test_entering_again_gives_a_new_session_and_ends_the_old_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            first = (await page.enter()).headers["Set-Cookie"].partition(";")[0]
            await page.enter()
            assert (await ask_with(first, page, "session"))[1]["name"] is None
            assert (await page.read("session"))["name"] == "anna"

    life(story())


def test_who_leaves_has_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            cookie = (await page.enter()).headers["Set-Cookie"].partition(";")[0]
            assert (await page.post("logout")).status == 200
            assert (await page.ask("faults")).status == 401
            assert (await ask_with(cookie, page, "faults"))[0] == 401

    life(story())


def test_a_session_ends_unless_somebody_does_something(tmp_path: Path) -> None:
    clock = Clock()

    async def story() -> None:
        async with anna_at(tmp_path, clock) as page:
            await page.enter()
            clock.now += IDLE_S - 1
            await page.ask("faults", **{"X-By-Itself": "yes"})
            clock.now += 1
            assert (await page.ask("faults")).status == 401
            await page.enter()
            clock.now += IDLE_S - 1
            assert (await page.ask("faults")).status == 200
            clock.now += IDLE_S - 1
            assert (await page.ask("faults")).status == 200

    life(story())


def test_whoever_is_no_longer_enrolled_is_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            await page.enter()
            save_people(tmp_path / "people.toml", {})
            assert (await page.ask("faults")).status == 401

    life(story())


def test_the_socket_is_for_who_has_entered_and_ends_with_the_session(tmp_path: Path) -> None:
    clock = Clock()

    async def story() -> None:
        async with anna_at(tmp_path, clock) as page:
            headers = {"Origin": page.origin}
            async with page.client.ws_connect("/live/supervisor", headers=headers) as socket:
                assert (await socket.receive()).type is WSMsgType.CLOSE
                assert socket.close_code == 4401
            await page.enter()
            async with page.client.ws_connect("/live/supervisor", headers=headers) as socket:
                clock.now += IDLE_S
                assert (await socket.receive()).type in (WSMsgType.CLOSE, WSMsgType.CLOSED)

    life(story())


def test_nothing_can_be_said_on_the_socket(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            await page.enter()
            headers = {"Origin": page.origin}
            async with page.client.ws_connect("/live/supervisor", headers=headers) as socket:
                await socket.send_str('{"id":1,"do":"press COIN_IN"}')
                assert (await socket.receive()).type is WSMsgType.CLOSE
                assert socket.close_code == 1008

    life(story())
