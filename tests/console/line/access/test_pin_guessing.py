"""Who tries PINs without end: what it costs, what it tells, and whom it keeps waiting."""

import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.line.access.delays import LONGEST_S, REMEMBERED, delay_s
from console.line.access.login import (
    LONGEST_FILE,
    SHARED_EVERY_MS,
    LoginResult,
    PinLogin,
)
from console.line.access.pins import Cost
from console.line.local_line import MOST_CONNECTIONS
from console.line.requests import NoCode
from console.rules.structs import replace
from console.service.disk_thread import InlineDiskWriter
from devices.sim.virtual_time import VirtualLoop
from tests.console.line.access.login_bench import PIN, WRONG, LoginBench, enrol

T = TypeVar("T")


YEAR_S, DAY_S = 365 * 86_400, 86_400


@pytest.fixture
def bench(tmp_path: Path) -> LoginBench:
    enrol(tmp_path / "people.toml", "anna", "bea")
    return LoginBench(tmp_path)


def count_tries(seconds: int) -> int:
    """PINs of one person that are read within so long, tried without a pause."""
    tries, now = 0, 0
    while now <= seconds:
        tries += 1
        now += delay_s(tries)
    return tries


def percent(tries: int, pins: int) -> str:
    """Rounded to two digits, in full."""
    return f"{float(f'{100 * tries / pins:.2g}'):.6f}".rstrip("0") + " %"


def test_the_page_tells_what_guessing_costs() -> None:
    page = (Path(__file__).parents[4] / "docs" / "how-to" / "access.md").read_text("utf-8")
    first = sum(map(delay_s, range(1, 12)))
    assert f"{first // 60} min {first % 60} s" in page
    for title, seconds in (("17 min 2 s", first), ("a day", DAY_S), ("a year", YEAR_S)):
        tries = count_tries(seconds)
        chances = (percent(tries, 10**digits) for digits in (6, 8))
        assert f"| {title} | {tries:,} | {' | '.join(chances)} |" in page
    for digits, years in ((6, "14 years"), (8, "1,427 years")):
        half = 10**digits // 2
        assert f"{((half - 12) * LONGEST_S + first) / YEAR_S:,.0f} years" == years
        assert years in page


def test_a_thousand_wrong_pins_for_one_name(bench: LoginBench) -> None:
    """One a second: most wait, few are tried, fewer still are on record"""
    for _ in range(1_000):
        bench.enter("anna", WRONG)
        bench.wait(1)
    recorded = [one for one in bench.results if one.recorded]
    assert len(recorded) == 11
    assert len([one for one in bench.results if one.refused == NoCode.WAIT]) == 989
    bench.wait(LONGEST_S)
    assert bench.enter("anna").person is not None


INVENTED = [f"name-{number}" for number in range(1_000)]


@pytest.mark.parametrize("names", [33, 1_000])
def test_invented_names_keep_nobody_waiting(names: int, bench: LoginBench) -> None:
    """36 tries under 33 invented names made everybody wait for an hour, with the right PIN"""
    for name in [*INVENTED[:names], *INVENTED[-3:]]:
        bench.enter(name, WRONG)
        bench.wait(0.1)
    for _ in range(20):
        bench.enter(INVENTED[-1], WRONG)
        assert bench.enter("anna").person is not None
        bench.wait(LONGEST_S)


def test_behind_invented_names_a_pin_is_guessed_no_faster(bench: LoginBench) -> None:
    """Tries that are answered without a delay are not read any sooner"""
    for name in INVENTED[:REMEMBERED]:
        bench.enter(name, WRONG)
    for _ in range(60):
        assert bench.enter("anna", WRONG).wait_s == 0
        bench.wait(1)
    assert bench.enter("anna").person is None
    bench.restart()
    assert bench.enter("anna").person is None
    bench.wait(delay_s(8))
    entrance = bench.enter("anna")
    assert (entrance.person is not None, entrance.wrong) == (True, 7)


TRIES = st.lists(
    st.tuples(
        st.sampled_from(["anna", "bea", "carlo", "?!", *(f"n-{number}" for number in range(40))]),
        st.sampled_from([0, 1, 60, LONGEST_S]),
    ),
    max_size=120,
)


@pytest.mark.parametrize("invented", [0, REMEMBERED])
@given(tries=TRIES)
@settings(max_examples=20, deadline=None)
def test_no_answer_says_who_is_enrolled(
    invented: int, tries: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor does the time: as often is hashed, and as often is written.

    The record does: it has a number or `?`, and who reads it reads the names, too.
    """
    runs = []
    for people in (("anna", "bea"), ("zoe",)):
        folder = tmp_path_factory.mktemp("login")
        enrol(folder / "people.toml", *people)
        disk_writer = CountingDiskWriter()
        bench = LoginBench(folder, disk_writer.itself)
        answers = []
        for name, pause in [*((name, 0) for name in INVENTED[:invented]), *tries]:
            answer = replace(bench.enter(name, WRONG), on_record="")
            answers.append((answer, disk_writer.done, bench.now))
            bench.wait(pause)
        runs.append(answers)
    assert runs[0] == runs[1]


class CountingDiskWriter(InlineDiskWriter):
    """Counts what it has done."""

    done = 0

    def itself(self) -> "CountingDiskWriter":
        return self

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        self.done += 1
        super().do(work, done, failed)


def test_whoever_crowds_the_line_with_invented_names_is_waited_for_4_s(tmp_path: Path) -> None:
    """All other connections of the line have a try under way, and not one has been tried"""
    enrol(tmp_path / "people.toml", "anna")
    with closing(VirtualLoop()) as loop:
        heard: list[LoginResult] = []
        login = PinLogin(
            tmp_path / "people.toml",
            tmp_path / "wrong-pins.json",
            InlineDiskWriter(),
            lambda: round(loop.time() * 1000),
            loop.call_later,
        )
        for name in INVENTED[: REMEMBERED + MOST_CONNECTIONS]:
            login.enter(name, WRONG, lambda _: None)
        login.enter("anna", PIN, heard.append)
        loop.run_for(MOST_CONNECTIONS * SHARED_EVERY_MS / 1000)
        assert [entrance.person is not None for entrance in heard] == [True]


def test_another_persons_name_keeps_nobody_waiting(bench: LoginBench) -> None:
    for _ in range(2_000):
        bench.enter("bea", WRONG)
        bench.wait(1)
    assert bench.enter("anna").person is not None


def test_what_invented_names_leave_on_record_and_on_the_disk_is_bounded(
    bench: LoginBench,
) -> None:
    for name in INVENTED:
        bench.enter(name, WRONG)
        bench.wait(0.1)
    recorded = [one for one in bench.results if one.recorded]
    assert len(recorded) <= REMEMBERED + 12
    assert bench.attempts.stat().st_size < LONGEST_FILE
    bench.restart()
    assert bench.enter("name-1", WRONG).refused == NoCode.WRONG_PIN


def test_the_memory_does_not_grow(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")
    bench = LoginBench(tmp_path)

    def try_names(first: int, last: int) -> None:
        for number in range(first, last):
            bench.login.enter(f"n{number}" * 3, WRONG * 9_000, lambda _: None)
            bench.wait(1)

    try_names(0, 200)
    tracemalloc.start()
    try_names(200, 1_000)
    ours = tracemalloc.Filter(True, "*/console/line/access/*")  # other tests' threads go on
    kept = tracemalloc.take_snapshot().filter_traces([ours])
    tracemalloc.stop()
    assert sum(trace.size for trace in kept.traces) < 64 * 1024


def test_an_unknown_name_costs_what_a_known_one_does(tmp_path: Path) -> None:
    """One hash each, of the same cost: the time tells nobody who is enrolled"""
    cost = Cost(1 << 12, 8, 1)
    enrol(tmp_path / "people.toml", "anna", cost=cost)
    bench = LoginBench(tmp_path)

    def took(name: str) -> float:
        spent = []
        for _ in range(7):
            bench.wait(LONGEST_S)
            began = time.process_time()
            assert bench.enter(name, WRONG).refused == NoCode.WRONG_PIN
            spent.append(time.process_time() - began)
        return min(spent)

    took("anna")
    known, unknown, none = took("anna"), took("carlo"), took("?!")
    assert known / 1.5 < unknown < known * 1.5
    assert known / 1.5 < none < known * 1.5
    bench.enter("anna", WRONG)
    began = time.process_time()
    assert bench.enter("anna").refused == NoCode.WAIT
    assert time.process_time() - began < known / 5, "nothing is hashed while a name waits"
