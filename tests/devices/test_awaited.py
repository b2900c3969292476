"""After its start a device that has not answered yet is awaited for 5 s, whichever it is."""

import pytest

from devices.roles import AWAITED_S, LinkLost, LinkUp
from tests.devices.driven_devices import DEVICES, DeviceBench, MakeBench

KINDS = pytest.mark.parametrize("kind", list(DEVICES))


def links(bench: DeviceBench) -> list[type[object]]:
    return [type(event) for event in bench.events if isinstance(event, LinkLost | LinkUp)]


def start_without(make_bench: MakeBench, kind: str) -> DeviceBench:
    bench = make_bench(kind)
    bench.cabinet.unplug(bench.device)
    bench.driver.start(bench.events.append)
    return bench


@KINDS
def test_one_that_never_answers_is_lost_at_the_end_of_its_time(
    make_bench: MakeBench, kind: str
) -> None:
    """TABLE 7.13.1"""
    bench = start_without(make_bench, kind)
    bench.run(AWAITED_S - 0.01)
    assert links(bench) == []
    assert not bench.figures.up
    bench.run(0.02)
    assert links(bench) == [LinkLost]
    bench.run(30)
    assert links(bench) == [LinkLost]
    bench.plug()
    assert links(bench) == [LinkLost, LinkUp]


@KINDS
def test_one_that_answers_late_was_never_lost(make_bench: MakeBench, kind: str) -> None:
    """TABLE 7.13.1: and what it was silent before is not held against it later"""
    bench = start_without(make_bench, kind)
    bench.run(1.5)
    bench.plug()
    assert links(bench) == [LinkUp]
    bench.run(30)
    assert links(bench) == [LinkUp]
    bench.unplug()
    assert links(bench) == [LinkUp, LinkLost]


@KINDS
def test_one_that_answered_and_falls_silent_is_lost_after_its_usual_time(
    make_bench: MakeBench, kind: str
) -> None:
    """TABLE 7.13.1: within its first 5 s, too"""
    bench = make_bench(kind)
    started = bench.loop.time()
    bench.start()
    bench.run(1)
    assert links(bench) == [LinkUp]
    bench.unplug()
    assert bench.loop.time() < started + AWAITED_S
    assert links(bench) == [LinkUp, LinkLost]


@KINDS
def test_one_that_is_closed_while_it_is_awaited_reports_nothing(
    make_bench: MakeBench, kind: str
) -> None:
    bench = start_without(make_bench, kind)
    bench.run(2)
    bench.driver.close()
    bench.run(30)
    assert bench.events == []
