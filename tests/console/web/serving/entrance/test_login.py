"""The supervisor's page's door, from outside: what a browser, or somebody else, is answered."""

import logging
from pathlib import Path

import pytest

from console.configuration.addresses import Listening
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import hash_pin
from console.rules.codes import Duty
from console.web.serving.entrance.login import IDLE_S
from tests.console.line.access.login_bench import CHEAP, PIN, WRONG
from tests.console.web.entering import Clock, anna_at, life
from tests.console.web.supervised import opening_of, serve_supervisor

ANY_DUTY = (Duty.TECHNICIAN,)

QUESTIONS = (
    *(
        "faults",
        "life",
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


def test_who_has_entered_is_told_who_he_is(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            assert (await page.read("session"))["name"] is None
            entered = await page.enter(" Anna ")
            assert entered.status == 200
            assert entered.body == {
                "name": "anna",
                "duties": ["technician"],
                "left_s": IDLE_S,
                "pin_ends": "",
            }
            assert (await page.read("session"))["name"] == "anna"

    life(story())


def test_nobody_else_is_answered_anything(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            for question in QUESTIONS:
                answer = await page.ask(question)
                assert (answer.status, answer.body["refused"]) == (401, "NOT_ENTERED"), question
            await page.enter()
            assert (await page.ask("faults")).status == 200

    life(story())


def test_a_wrong_name_and_a_wrong_pin_are_refused_alike(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            wrong, nobody = await page.enter("anna", WRONG), await page.enter("berta", PIN)
            odd = await page.enter("<script>", "")
            assert wrong.status == nobody.status == odd.status == 401
            assert wrong.body == nobody.body == odd.body
            assert wrong.body["refused"] == "WRONG_PIN"
            for answer in (wrong, nobody, odd):
                assert "Set-Cookie" not in answer.headers
            assert (await page.read("session"))["name"] is None

    life(story())


def test_wrong_pins_must_wait_as_at_the_line(tmp_path: Path) -> None:
    clock = Clock()

    async def story() -> None:
        async with anna_at(tmp_path, clock) as page:
            waits = [(await page.enter("anna", WRONG)).body["wait_s"] for _ in range(3)]
            assert waits == [0, 0, 2]
            right = await page.enter("anna", PIN)
            assert (right.status, right.body["refused"]) == (429, "WAIT")
            assert right.headers["Retry-After"] == "2"
            clock.now += 2
            assert (await page.enter("anna", PIN)).status == 200
        async with anna_at(tmp_path, clock) as again:
            assert (await again.enter("anna", WRONG)).body["wait_s"] == 0

    life(story())


def test_a_start_does_not_end_the_wait(tmp_path: Path) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            for _ in range(4):
                await page.enter("anna", WRONG)
        async with anna_at(tmp_path) as page:
            assert (await page.enter("anna", PIN)).body["refused"] == "WAIT"

    life(story())


def test_nobody_enrolled_is_told_without_a_path(tmp_path: Path) -> None:
    async def story() -> None:
        async with serve_supervisor(opening_of(tmp_path / "ledger"), tmp_path) as page:
            answer = await page.enter()
            assert (answer.status, answer.body["refused"]) == (503, "CANNOT")
            assert str(tmp_path) not in str(answer.body)

    life(story())


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:1"])
def test_another_page_cannot_enter_or_leave_for_somebody(tmp_path: Path, origin: str) -> None:
    async def story() -> None:
        async with anna_at(tmp_path) as page:
            credentials = {"name": "anna", "pin": PIN}
            assert (await page.post("login", credentials, Origin=origin)).status == 403
            await page.enter()
            assert (await page.post("logout", Origin=origin)).status == 403
            assert (await page.read("session"))["name"] == "anna"

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


@pytest.mark.parametrize(("log_addresses", "origin"), [(False, ""), (True, " from 127.0.0.1")])
def test_who_entered_who_was_refused_and_who_left_is_logged(
    log_addresses: bool, origin: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By number; from which address only where the house wants it."""
    caplog.set_level(logging.INFO)
    pin = hash_pin(PIN, CHEAP)
    save_people(tmp_path / "people.toml", {"anna": Enrolled(ANY_DUTY, pin, "10000001")})
    listening = Listening("127.0.0.1", 0, log_addresses=log_addresses)

    async def story() -> None:
        opening = opening_of(tmp_path, listening=listening)
        async with serve_supervisor(opening, tmp_path) as page:
            await page.enter("anna", WRONG)
            await page.enter("471108\nforged line", PIN)
            await page.enter()
            await page.post("logout")

    life(story())
    lines = [record.getMessage() for record in caplog.records if "login" in record.name]
    assert [line.split(": ", 1)[1].split(":")[0] for line in lines] == [
        *(f"10000001 refused{origin}", f"? refused{origin}"),
        *(f"10000001 entered{origin}", f"10000001 left{origin}"),
    ]
    assert "471108" not in caplog.text
    assert "anna" not in caplog.text
