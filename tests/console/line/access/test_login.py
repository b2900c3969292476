"""The login: who comes in, for how long, and what happens to who does not know the PIN."""

import logging
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from console.line.access.delays import delay_s
from console.line.access.login import (
    LONGEST_FILE,
    NO_NAME,
    SESSION_MS,
    EnteredPerson,
    LoginResult,
)
from console.line.requests import NoCode
from console.rules.codes import Duty
from tests.console.line.access.login_bench import PIN, WRONG, LoginBench, enrol

T = TypeVar("T")


@pytest.fixture
def bench(tmp_path: Path) -> LoginBench:
    enrol(tmp_path / "people.toml", "anna", "bea")
    return LoginBench(tmp_path)


def wrong_until_waiting(bench: LoginBench, name: str = "anna") -> LoginResult:
    """Three wrong PINs, which is the first that waits."""
    return [bench.enter(name, WRONG) for _ in range(3)][-1]


# Coming in


def test_who_knows_the_pin_is_in_for_ten_minutes(bench: LoginBench) -> None:
    entrance = bench.enter("anna")
    assert entrance.person == EnteredPerson("anna", (Duty.TECHNICIAN,), bench.now + 600_000, "anna")
    assert (entrance.refused, entrance.recorded, entrance.wrong) == (None, True, 0)
    assert SESSION_MS == 600_000


def test_a_name_may_be_typed_as_people_do(bench: LoginBench) -> None:
    entrance = bench.enter(" Anna ")
    assert entrance.person is not None
    assert (entrance.name, entrance.person.name) == ("anna", "anna")


@pytest.mark.parametrize("name", ["anna", "carlo"])
def test_a_wrong_pin_and_an_unknown_name_are_told_the_same(name: str, bench: LoginBench) -> None:
    results = [bench.enter(name, WRONG) for _ in range(3)]
    assert [(one.refused, one.wrong, one.wait_s, one.recorded) for one in results] == [
        (NoCode.WRONG_PIN, 1, 0, True),
        (NoCode.WRONG_PIN, 2, 0, True),
        (NoCode.WRONG_PIN, 3, 2, True),
    ]
    assert [one.why for one in results[1:]] == [
        "name or PIN is wrong",
        "name or PIN is wrong; wait 2 s",
    ]
    assert all(one.person is None and one.name == name for one in results)
    waiting = bench.enter(name)
    assert (waiting.refused, waiting.wait_s, waiting.recorded) == (NoCode.WAIT, 2, False)
    assert waiting.why == "no PIN is read for this name; wait 2 s"


@pytest.mark.parametrize("name", ["471108", "", "x" * 60_000, "a\nb", "\x1b[A", "\ud800"])
def test_what_can_be_no_name_never_stands_on_record(name: str, bench: LoginBench) -> None:
    entrance = bench.enter(name)
    assert (entrance.name, entrance.refused) == (NO_NAME, NoCode.WRONG_PIN)
    assert bench.attempts.stat().st_size < 100


@pytest.mark.parametrize("pin", ["", "0" * 60_000, PIN + " ", PIN + "\x00", "\ud800"])
def test_what_can_be_no_pin_is_a_wrong_one(pin: str, bench: LoginBench) -> None:
    assert bench.enter("anna", pin).refused == NoCode.WRONG_PIN


# Waiting


def test_while_waiting_not_even_the_right_pin_is_read(bench: LoginBench) -> None:
    wrong_until_waiting(bench)
    for _ in range(100):
        assert bench.enter("anna").refused == NoCode.WAIT
    bench.wait(1.999)
    assert bench.enter("anna").refused == NoCode.WAIT
    bench.wait(0.001)
    entrance = bench.enter("anna")
    assert entrance.person is not None
    assert entrance.wrong == 3


def test_a_right_pin_begins_anew(bench: LoginBench) -> None:
    wrong_until_waiting(bench)
    bench.wait(2)
    bench.enter("anna")
    assert bench.enter("anna", WRONG).wrong == 1


def test_each_further_wrong_pin_waits_longer(bench: LoginBench) -> None:
    waited = []
    for _ in range(14):
        entrance = bench.enter("anna", WRONG)
        waited.append(entrance.wait_s)
        bench.wait(entrance.wait_s)
    assert waited == [delay_s(wrong) for wrong in range(1, 15)]
    assert bench.enter("anna").person is not None


def test_others_come_in_meanwhile(bench: LoginBench) -> None:
    wrong_until_waiting(bench)
    assert bench.enter("bea").person is not None


# Over a start


def test_pulling_the_plug_does_not_end_a_delay(bench: LoginBench) -> None:
    entrance = wrong_until_waiting(bench)
    for _ in range(4):
        bench.wait(entrance.wait_s)
        entrance = bench.enter("anna", WRONG)
    assert entrance.wait_s == 32
    bench.wait(31)
    bench.restart()
    waiting = bench.enter("anna")
    assert (waiting.refused, waiting.wait_s, waiting.wrong) == (NoCode.WAIT, 32, 7)
    bench.wait(32)
    assert bench.enter("anna").person is not None
    bench.restart()
    assert bench.enter("anna").person is not None


def test_the_answer_to_a_wrong_pin_is_given_when_it_is_on_the_disk(bench: LoginBench) -> None:
    kept: list[str] = []
    bench.login.enter("anna", WRONG, lambda _: kept.append(bench.attempts.read_text("utf-8")))
    assert kept == ['{"answered":{"anna":1},"people":{"anna":1}}']


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\x00" * 4096,
        b'{"answered":{"anna":3',
        b'{"answered":{"anna":-1},"people":{}}',
        b'{"answered":{},"people":{"anna":"3"}}',
        b'{"answered":{"Anna Rossi":3},"people":{}}',
        b'{"answered":{},"people":{"":3}}',
        b'{"anna":3}',
        b"[]",
        b'{"answered":{}' + b" " * LONGEST_FILE + b',"people":{}}',
    ],
)
def test_a_damaged_file_is_logged_and_nobody_waits(
    damaged: bytes, bench: LoginBench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.attempts.write_bytes(damaged)
    bench.restart()
    assert "earlier wrong PINs are forgotten" in caplog.text
    assert bench.enter("anna").person is not None
    wrong_until_waiting(bench)
    bench.restart()
    assert bench.enter("anna").refused == NoCode.WAIT


def test_a_disk_that_takes_nothing_keeps_nobody_out(
    bench: LoginBench, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk is what the technician has come for"""
    in_the_way = bench.attempts.with_name(f".{bench.attempts.name}.new")
    in_the_way.mkdir()
    assert wrong_until_waiting(bench).wait_s == 2
    assert "wrong PINs cannot be saved for the next start" in caplog.text
    assert bench.enter("anna").refused == NoCode.WAIT
    bench.wait(2)
    assert bench.enter("anna").person is not None


# The file of people


def test_enrolling_needs_no_restart(bench: LoginBench) -> None:
    assert bench.enter("carlo").person is None
    enrol(bench.people, "anna", "carlo")
    assert bench.enter("carlo").person is not None
    assert bench.enter("bea").person is None
    enrol(bench.people, "anna", "carlo", pin="802647")
    assert bench.enter("anna").refused == NoCode.WRONG_PIN
    assert bench.enter("anna", "802647").person is not None


def test_where_nobody_is_enrolled_that_is_said(tmp_path: Path) -> None:
    bench = LoginBench(tmp_path)
    for _ in range(10):
        entrance = bench.enter("anna")
        assert (entrance.refused, entrance.recorded) == (NoCode.CANNOT, False)
        assert entrance.why == f"nobody is enrolled in {bench.people} (banco enrol)"
    enrol(bench.people, "anna")
    assert bench.enter("anna").person is not None
    bench.people.unlink()
    assert bench.enter("anna").refused == NoCode.CANNOT


def test_with_a_corrupt_file_nobody_enters_and_why_is_told_and_logged_once(
    bench: LoginBench, caplog: pytest.LogCaptureFixture
) -> None:
    assert bench.enter("anna").person is not None
    bench.people.chmod(0o660)
    with caplog.at_level(logging.ERROR):
        results = {bench.enter("anna") for _ in range(5)}
    (entrance,) = results
    assert (entrance.refused, entrance.person) == (NoCode.CANNOT, None)
    assert entrance.why == (
        f"{bench.people}: others than its owner may write it (mode 0660): chmod 640"
    )
    assert len(caplog.records) == 1
    bench.people.chmod(0o640)
    assert bench.enter("anna").person is not None


@contextmanager
def no_file_to_be_opened() -> Iterator[None]:
    """The process has as many files open as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_list_that_could_not_be_read_once_is_read_at_the_next_pin(
    bench: LoginBench, caplog: pytest.LogCaptureFixture
) -> None:
    """It is as it was: nothing has touched it, so that its stamp is the same."""
    for _ in range(2):
        with no_file_to_be_opened():
            results = {bench.enter("anna") for _ in range(3)}
        (entrance,) = results
        assert (entrance.refused, entrance.person) == (NoCode.CANNOT, None)
        assert entrance.why == f"{bench.people}: cannot be read: Too many open files"
        assert bench.enter("anna").person is not None
        enrol(bench.people, "anna")
    assert [one.levelname for one in caplog.records] == ["ERROR"] * 2


def test_a_folder_that_cannot_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "people").write_text("no folder")
    bench = LoginBench(tmp_path)
    bench.people = tmp_path / "people" / "people.toml"
    bench.login = bench.open_login()
    entrance = bench.enter("anna")
    assert entrance.refused == NoCode.CANNOT
    assert "people.toml" in entrance.why


# Age

GIVEN = date(2026, 9, 1)


def with_age(bench: LoginBench, most_days: int, since: date | None = GIVEN) -> None:
    enrol(bench.people, "anna", since=since)
    bench.most_days = most_days
    bench.restart()


def test_a_pin_opens_until_its_last_day_and_its_end_is_told_before(bench: LoginBench) -> None:
    with_age(bench, 90)
    ends = {}
    for day in (0, 75, 76, 90):
        bench.today = GIVEN + timedelta(days=day)
        person = bench.enter("anna").person
        assert person is not None, day
        ends[day] = person.pin_ends
    assert ends == {0: "", 75: "", 76: "2026-11-30", 90: "2026-11-30"}


def test_a_pin_that_is_too_old_opens_nothing_until_it_is_changed(bench: LoginBench) -> None:
    with_age(bench, 90)
    bench.today = GIVEN + timedelta(days=91)
    bench.enter("anna", WRONG)
    refused = bench.enter("anna")
    assert (refused.person, refused.refused, refused.wrong) == (None, NoCode.PIN_TOO_OLD, 0)
    assert refused.why == "this PIN is too old: change it first, with banco pin anna"
    enrol(bench.people, "anna", pin=WRONG, since=bench.today)
    assert bench.enter("anna", WRONG).person is not None


def test_a_wrong_pin_does_not_tell_how_old_the_right_one_is(bench: LoginBench) -> None:
    with_age(bench, 90)
    bench.today = GIVEN + timedelta(days=91)
    assert bench.enter("anna", WRONG).refused == NoCode.WRONG_PIN


def test_a_pin_of_unknown_age_opens_only_where_no_age_is_set(bench: LoginBench) -> None:
    """A list of banco 0.1.0 has no days."""
    with_age(bench, 0, since=None)
    assert bench.enter("anna").person is not None
    with_age(bench, 90, since=None)
    assert bench.enter("anna").refused == NoCode.PIN_TOO_OLD


def test_a_clock_that_went_back_makes_no_pin_too_old(bench: LoginBench) -> None:
    with_age(bench, 1)
    bench.today = date(1970, 1, 1)
    assert bench.enter("anna").person is not None
