"""After its start a device that has not answered yet is awaited for 5 s, whichever it is."""

import pytest

from devices.roles import AWAITED_S, DeviceLost, DeviceUp
from tests.devices.driven_devices import DEVICES, DeviceBench, MakeBench

KINDS = pytest.mark.parametrize("kind", list(DEVICES))


def came(bench: DeviceBench) -> list[type[object]]:
    return [type(event) for event in bench.events if isinstance(event, DeviceLost | DeviceUp)]


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
    assert came(bench) == []
    assert not bench.figures.up
    bench.run(0.02)
    assert came(bench) == [DeviceLost]
    bench.run(30)
    assert came(bench) == [DeviceLost]
    bench.plug()
    assert came(bench) == [DeviceLost, DeviceUp]


@KINDS
def test_one_that_answers_late_was_never_lost(make_bench: MakeBench, kind: str) -> None:
    """TABLE 7.13.1: and what it was silent before is not held against it later"""
    bench = start_without(make_bench, kind)
    bench.run(1.5)
    bench.plug()
    assert came(bench) == [DeviceUp]
    bench.run(30)
    assert came(bench) == [DeviceUp]
    bench.unplug()
    assert came(bench) == [DeviceUp, DeviceLost]


@KINDS
def test_one_that_answered_and_falls_silent_is_lost_after_its_usual_time(
    make_bench: MakeBench, kind: str
) -> None:
    """TABLE 7.13.1: within its first 5 s, too"""
    bench = make_bench(kind)
    started = bench.loop.time()
    bench.start()
    bench.run(1)
    assert came(bench) == [DeviceUp]
    bench.unplug()
    assert bench.loop.time() < started + AWAITED_S
    assert came(bench) == [DeviceUp, DeviceLost]


@KINDS
def test_one_that_is_closed_while_it_is_awaited_reports_nothing(
    make_bench: MakeBench, kind: str
) -> None:
    bench = start_without(make_bench, kind)
    bench.run(2)
    bench.driver.close()
    bench.run(30)
    assert bench.events == []
