"""PINs that the pages' process asks about are checked by the service, and count apart."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from console.configuration.table_plan import TablePlan
from console.line.access.login import PAGE_ATTEMPTS_FILE, PINS_OF_PAGES, LoginResult, PinLogin
from console.line.local_line import LineSource
from console.rules.acts import EntryRefused
from console.rules.codes import Duty
from console.service.disk_thread import DiskWriter, InlineDiskWriter
from console.web.messages import PinAnswer, PinRequest
from console.web.table_pages import PinChecks
from tests.console.line.access.login_bench import PIN, WRONG, LoginBench, enrol
from tests.console.table import table_in
from tests.deadlines import DEADLINE_S

UID = 64_003
"""The user of the pages' process."""


class Desk:
    """The page over a login; anna is enrolled."""

    def __init__(
        self, folder: Path, disk_writer: Callable[[], DiskWriter] = InlineDiskWriter
    ) -> None:
        enrol(folder / "people.toml", "anna")
        self.bench = LoginBench(folder, disk_writer)
        self.checks = PinChecks(self.bench.login)
        self.answers: list[PinAnswer] = []

    def ask(self, name: str = "anna", pin: str = PIN, number: int = 1) -> PinAnswer:
        self.checks.check(PinRequest(number, name, pin), self.answers.append, UID)
        return self.answers[-1]


@pytest.fixture
def page(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_right_pin_enters(page: Desk) -> None:
    answer = page.ask(number=7)
    assert (answer.to, answer.name, answer.duties) == (7, "anna", (Duty.TECHNICIAN,))
    assert answer.refused is None


def test_wrong_pins_on_the_page_keep_nobody_out_of_the_line(tmp_path: Path) -> None:
    """The same people, two counts."""
    enrol(tmp_path / "people.toml", "anna")
    source = LineSource(None, TablePlan(), tmp_path, tmp_path)
    with (
        closing(asyncio.new_event_loop()) as loop,
        closing(source.open_login(loop, PAGE_ATTEMPTS_FILE)) as page,
        closing(source.open_login(loop)) as line,
    ):

        def enter(login: PinLogin, pin: str) -> LoginResult:
            answer: asyncio.Future[LoginResult] = loop.create_future()
            login.enter("anna", pin, answer.set_result)
            return loop.run_until_complete(asyncio.wait_for(answer, DEADLINE_S))

        asked = [enter(page, WRONG) for _ in range(4)]
        assert asked[-1].refused == "WAIT"
        assert enter(line, PIN).person is not None


def test_wrong_pins_on_the_page_delay_nobody_else(page: Desk) -> None:
    enrol(page.bench.people, "anna", "rossi")
    for _ in range(5):
        page.ask(pin=WRONG)
    assert page.ask(pin=PIN).refused == "WAIT"
    assert page.bench.enter("rossi").person is not None


def test_a_page_that_asks_for_many_at_once_leaves_the_line_its_turn(tmp_path: Path) -> None:
    work: list[Callable[[], None]] = []

    class SlowDisk(InlineDiskWriter):
        def do(self, *what: Any) -> None:
            work.append(partial(super().do, *what))

    busy = Desk(tmp_path, SlowDisk)
    for number in range(PINS_OF_PAGES + 3):
        busy.checks.check(PinRequest(number, f"p{number}", WRONG), busy.answers.append, UID)
    assert [answer.refused for answer in busy.answers] == ["WAIT"] * 3
    busy.bench.login.enter("anna", PIN, busy.bench.results.append)
    while work:
        work.pop(0)()
    assert busy.bench.results[0].person is not None


def test_a_change_of_the_people_is_told(page: Desk) -> None:
    page.checks.people()
    before = page.checks.people()
    enrol(page.bench.people, "anna", "rossi")
    page.checks.people()
    assert before != page.checks.people() != ""


def test_whoever_enters_right_after_an_enrolment_stays_in(page: Desk) -> None:
    """The answer names the file as the PIN was read, not as it was looked at before."""
    enrol(page.bench.people, "anna", "rossi")
    answer = page.ask()
    assert answer.duties == (Duty.TECHNICIAN,)
    assert {answer.people, page.checks.people(), page.checks.people()} == {answer.people}


def test_a_wrong_pin_is_on_record_with_the_user_who_asked(tmp_path: Path) -> None:
    page = Desk(tmp_path)
    with table_in(tmp_path / "table") as table:
        service = table.simulated_table.service
        acts: list[object] = []
        service.watchers.append(lambda act, _: acts.append(act))
        page.checks.follow(service)
        page.ask(pin=WRONG)
        table.play("wait 1s")
    assert EntryRefused("anna", 1, 0, UID) in acts


def test_a_pin_that_is_too_old_is_on_record(tmp_path: Path) -> None:
    page = Desk(tmp_path)
    page.bench.most_days = 90
    page.checks = PinChecks(page.bench.open_login())
    with table_in(tmp_path / "table") as table:
        page.checks.follow(table.simulated_table.service)
        answer = page.ask()
        table.play("wait 1s")
        newest = table.records[-1]
    assert (answer.duties, answer.refused) == ((), "PIN_TOO_OLD")
    assert (newest.kind, newest.body["act"]) == ("pin-too-old", {"who": "anna", "uid": UID})
