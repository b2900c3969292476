"""The supervisor's page's door, from outside: what a browser, or somebody else, is answered."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, UnixConnector, WSMsgType, web
from aiohttp.test_utils import TestClient, TestServer
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from console.access.people import save_people
from console.web.serving.sessions import IDLE_S
from console.web.serving.viewers import Hub
from tests.console.access.enrolled import PIN, WRONG, enrol
from tests.console.web.supervised import (
    DEADLINE_S,
    Page,
    application_of,
    opening_of,
    served,
)

QUESTIONS = (
    *(
        "faults",
        "meters",
        "nights",
        "plots",
        "report",
        "report.pdf",
        "report.txt",
        "round?number=1",
    ),
    "rounds",
)


@dataclass
class Clock:
    now: float = 10_000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def anna_at(folder: Path, clock: Callable[[], float] | None = None) -> AsyncIterator[Page]:
    """A page at which only anna may enter; its table has no ledger."""
    enrol(folder / "people.toml", "anna")
    opening = opening_of(folder / "ledger", folder)
    async with served(opening, clock) as page:
        yield page


def life(story: Awaitable[None]) -> None:
    async def within() -> None:
        async with asyncio.timeout(DEADLINE_S):
            await story

    asyncio.run(within())


async def asked_with(cookie: str, page: Page, question: str) -> tuple[int, dict[str, object]]:
    """What another browser is answered that has got hold of this cookie."""
    url = page.client.make_url(f"/supervisor/{question}")
    async with ClientSession(headers={"Cookie": cookie}) as other, other.get(url) as answer:
        return answer.status, await answer.json()


def test_who_has_entered_is_told_who_he_is(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            assert (await page.told("session"))["name"] is None
            entered = await page.enter(" Anna ")
            assert entered.status == 200
            assert entered.told == {"name": "anna", "duties": ["technician"], "left_s": IDLE_S}
            assert (await page.told("session"))["name"] == "anna"

    life(story())


def test_nobody_else_is_answered_anything(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            for question in QUESTIONS:
                answer = await page.ask(question)
                assert (answer.status, answer.told["refused"]) == (401, "NOT_ENTERED"), question
            await page.enter()
            assert (await page.ask("faults")).status == 200

    life(story())


def test_a_wrong_name_and_a_wrong_pin_are_refused_alike(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            wrong, nobody = await page.enter("anna", WRONG), await page.enter("berta", PIN)
            odd = await page.enter("<script>", "")
            assert wrong.status == nobody.status == odd.status == 401
            assert wrong.told == nobody.told == odd.told
            assert wrong.told["refused"] == "WRONG_PIN"
            for answer in (wrong, nobody, odd):
                assert "Set-Cookie" not in answer.headers
            assert (await page.told("session"))["name"] is None

    life(story())


def test_wrong_pins_must_wait_as_at_the_line(tmp_path: Path) -> None:
    clock = Clock()

    async def story() -> None:
        async with anna_at(tmp_path, clock) as page:
            waits = [(await page.enter("anna", WRONG)).told["wait_s"] for _ in range(3)]
            assert waits == [0, 0, 2]
            right = await page.enter("anna", PIN)
            assert (right.status, right.told["refused"]) == (429, "WAIT")
            assert right.headers["Retry-After"] == "2"
            clock.now += 2
            assert (await page.enter("anna", PIN)).status == 200
        async with anna_at(tmp_path, clock) as again:
            assert (await again.enter("anna", WRONG)).told["wait_s"] == 0

    life(story())


def test_a_start_does_not_end_the_wait(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            for _ in range(4):
                await page.enter("anna", WRONG)
        async with anna_at(tmp_path) as page:
            assert (await page.enter("anna", PIN)).told["refused"] == "WAIT"

    life(story())


def test_the_technicians_line_is_not_locked_by_it(tmp_path: Path) -> None:
    """Wrong PINs from the network stand in a file of the pages' own"""

    async def story() -> None:
        async with anna_at(tmp_path) as page:
            for _ in range(3):
                await page.enter("anna", WRONG)

    life(story())
    assert [file.name for file in tmp_path.glob("*wrong*")] == ["wrong-pins-of-pages.json"]


def test_nobody_enrolled_is_told_without_a_path(tmp_path: Path) -> None:
    async def story() -> None:
        async with served(opening_of(tmp_path / "ledger", tmp_path)) as page:
            answer = await page.enter()
            assert (answer.status, answer.told["refused"]) == (503, "CANNOT")
            assert str(tmp_path) not in str(answer.told)

    life(story())


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
            assert (await asked_with(first, page, "session"))[1]["name"] is None
            assert (await page.told("session"))["name"] == "anna"

    life(story())


def test_who_leaves_has_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            cookie = (await page.enter()).headers["Set-Cookie"].partition(";")[0]
            assert (await page.post("logout")).status == 200
            assert (await page.ask("faults")).status == 401
            assert (await asked_with(cookie, page, "faults"))[0] == 401

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


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:1"])
def test_another_page_cannot_enter_or_leave_for_somebody(tmp_path: Path, origin: str) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            told = {"name": "anna", "pin": PIN}
            assert (await page.post("login", told, Origin=origin)).status == 403
            await page.enter()
            assert (await page.post("logout", Origin=origin)).status == 403
            assert (await page.told("session"))["name"] == "anna"

    life(story())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"name=anna&pin=471108",
        b"[]",
        b'{"name": "anna"}',
        b'{"name": "anna", "pin": 471108}',
        b'{"name": "anna", "pin": "471108", "more": 1}',
        b'{"name": "\xff", "pin": ""}',
        b'{"name": "anna", "pin": "' + b"1" * 2_000 + b'"}',
    ],
)
def test_what_is_no_login_is_refused(tmp_path: Path, body: bytes) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            headers = {"Origin": page.origin, "Content-Type": "application/json"}
            post = page.client.post("/supervisor/login", data=body, headers=headers)
            async with post as answer:
                assert answer.status == 400

    life(story())


def test_nothing_but_login_and_logout_can_be_posted(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            await page.enter()
            for path in ("session", *(question.partition("?")[0] for question in QUESTIONS)):
                assert (await page.post(path)).status == 405
            for method in ("PUT", "DELETE", "PATCH"):
                headers = {"Origin": page.origin}
                ask = page.client.request(method, "/supervisor/login", headers=headers)
                async with ask as answer:
                    assert answer.status == 405

    life(story())


def test_a_pin_is_not_taken_where_others_could_read_along(tmp_path: Path) -> None:
    """A socket file is neither TLS nor this machine's own address: so is a network"""
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        runner = web.AppRunner(application_of(opening_of(tmp_path / "ledger", tmp_path), Hub()))
        await runner.setup()
        socket = str(tmp_path / "s")
        await web.UnixSite(runner, socket).start()
        headers = {"Origin": "http://127.0.0.1"}
        told = {"name": "anna", "pin": PIN}
        async with ClientSession(connector=UnixConnector(socket)) as client:
            url = "http://127.0.0.1/supervisor/login"
            async with client.post(url, json=told, headers=headers) as answer:
                assert answer.status == 403
                assert (await answer.json())["refused"] == "NOT_SAFE"
                assert "Set-Cookie" not in answer.headers
        await runner.cleanup()

    life(story())


def test_over_tls_the_cookie_is_sent_over_nothing_else(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        app = application_of(opening_of(tmp_path / "ledger", tmp_path), Hub())
        server = TestServer(app, scheme="https")
        await server.start_server(ssl=own_certificate(tmp_path))
        async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as client:
            told, origin = {"name": "anna", "pin": PIN}, str(server.make_url("/").origin())
            post = client.post(
                "/supervisor/login", json=told, headers={"Origin": origin}, ssl=False
            )
            async with post as answer:
                assert answer.status == 200
                cookie = answer.headers["Set-Cookie"]
            assert cookie.startswith("__Host-banco-")
            assert "secure" in {part.strip().lower() for part in cookie.split(";")}
            async with client.get("/supervisor/faults", ssl=False) as answer:
                assert answer.status == 200

    life(story())


def own_certificate(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate nobody has signed but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cs-1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "tls.pem"
    file.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + certificate.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def test_who_entered_who_was_refused_and_who_left_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def story() -> None:
        async with anna_at(tmp_path) as page:
            await page.enter("anna", WRONG)
            await page.enter("471108\nforged line", PIN)
            await page.enter()
            await page.post("logout")

    life(story())
    told = [record.getMessage() for record in caplog.records if "login" in record.name]
    assert [line.split(": ", 1)[1].split(" from")[0] for line in told] == [
        *("anna refused", "? refused", "anna entered", "anna left")
    ]
    assert "471108" not in caplog.text


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
