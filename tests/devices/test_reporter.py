"""What a device reports, however fast: all of it as a rule, the newest in a flood."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.card_reports import ShoeSeen
from devices.device import Device
from devices.reporter import A_SECOND, BURST, OVER_AFTER_S, SPACING_S, Reporter
from devices.roles import DeviceLost, DeviceUp, Event, FloodBegan, FloodOver
from devices.sim.virtual_time import VirtualLoop

SHOE = Device.SHOE


@dataclass
class ReporterRig:
    """A reporter, and the events of its listener."""

    loop: VirtualLoop = field(default_factory=VirtualLoop)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reporter = Reporter(SHOE, self.loop)
        self.reporter.start(self.events.append)

    def see(self, draws: int, after_s: float = 0.001) -> None:
        self.reporter.report_state(ShoeSeen(1, 1, 312, draws))
        self.loop.run_for(after_s)

    def flood(self, reports: int) -> None:
        for draws in range(reports):
            self.see(draws)

    @property
    def draws(self) -> list[int]:
        return [event.draws for event in self.events if isinstance(event, ShoeSeen)]


@pytest.fixture
def rig() -> Iterator[ReporterRig]:
    made = ReporterRig()
    yield made
    made.reporter.stop()
    made.loop.run_for(0)
    made.loop.close()


def test_what_hands_can_do_is_told_at_once(rig: ReporterRig) -> None:
    for draws in range(2000):
        rig.see(draws, after_s=1 / A_SECOND)
        assert rig.draws[-1] == draws
    assert rig.reporter.flood is None


def test_a_burst_is_told_at_once(rig: ReporterRig) -> None:
    rig.flood(BURST)
    assert rig.draws == list(range(BURST))


def test_of_a_flood_the_newest_is_told_every_80_ms(rig: ReporterRig) -> None:
    rig.flood(3000)
    assert rig.events.count(FloodBegan(SHOE)) == 1
    assert len(rig.draws) <= BURST + A_SECOND * 3 + 3 / SPACING_S
    assert rig.draws[-1] >= 3000 - SPACING_S * 1000 - 1
    rig.loop.run_for(SPACING_S)
    assert rig.draws[-1] == 2999
    assert rig.draws == sorted(rig.draws)


def test_the_end_of_a_flood_says_how_many_were_left_out(rig: ReporterRig) -> None:
    rig.flood(3000)
    rig.loop.run_for(OVER_AFTER_S + 0.1)
    assert rig.events[-1] == FloodOver(SHOE, 3000 - len(rig.draws))
    assert rig.reporter.flood is None
    rig.see(4000)
    assert rig.draws[-1] == 4000


def test_what_waits_is_told_before_the_device_is_lost_or_is_there(rig: ReporterRig) -> None:
    rig.reporter.report_up()
    rig.flood(1000)
    rig.reporter.report_lost("unplugged")
    assert rig.draws[-1] == 999
    assert rig.events[-1] == DeviceLost(SHOE, "unplugged")
    rig.reporter.begin_connection()
    rig.see(1001)
    rig.reporter.report_up()
    assert rig.events[-2:] == [ShoeSeen(1, 1, 312, 1001), DeviceUp(SHOE)]


def test_a_reporter_that_is_stopped_in_a_flood_tells_nothing_more(rig: ReporterRig) -> None:
    rig.flood(1000)
    before = list(rig.events)
    rig.reporter.stop()
    rig.loop.run_for(60)
    assert rig.events == before


@given(
    reports=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.001, 0.02, 0.3, 6.0])), max_size=60
    ),
    before=st.integers(0, 700),
)
def test_what_was_seen_last_is_always_told_in_the_end(
    reports: list[tuple[int, float]], before: int
) -> None:
    rig = ReporterRig()
    rig.flood(before)
    for draws, after_s in reports:
        rig.see(draws, after_s)
    rig.loop.run_for(60)
    if before or reports:
        assert rig.draws[-1] == (reports[-1][0] if reports else before - 1)
    floods = [event for event in rig.events if isinstance(event, FloodBegan | FloodOver)]
    assert [type(event) for event in floods] == [FloodBegan, FloodOver] * (len(floods) // 2)
    rig.loop.close()
