"""What every driver tells of its device, in whatever state (the contract of `figures`)."""

import pytest

from devices.board_rail import BoardRail
from devices.card_reports import ShufflerOrders
from devices.cctalk.rail import CcTalkRail
from devices.figures import DeviceFigures
from devices.line_figures import LONGEST_SAYING, LONGEST_SHOWN
from devices.neutral_shuffler import NeutralShuffler
from devices.roles import SEATS, Button, Lamp, RailOrders
from firmware_bridge.memory_line import WireFaults
from tests.devices.driven_devices import BOARDS, DEVICES, ON_A_LINE, DeviceBench, MakeBench

LINES = {"cctalk": ["rail", "rail board"]}

DRIVERS = {
    "panel": "panel on GPIO",
    "slot": "board rail, slot rail",
    "sensor": "board rail, sensor rail",
    "cctalk": "ccTalk acceptors",
    "display": "ESC/POS display",
    "dealer": "neutral shuffler, shuffler",
    "mixer": "neutral shuffler, mixer",
    "deck": "neutral shuffler, deck shuffler",
    "counting": "counting shoe",
    "reading": "reading shoe, Angel Eye II-EX",
}

PASSES = {
    "slot": ("HELLO version 1", "IDENTITY slot rail", "WANT ", "STATE "),
    "sensor": ("HELLO version 1", "IDENTITY sensor rail", "WANT ", "STATE "),
    "cctalk": ("-> 17 be open", "<- 17 ACK", "-> 17 read credits", "<- 17 counter 0", "STATE "),
    "display": ("clear, overwrite, no cursor",),
    "dealer": ("HELLO version 1", "IDENTITY shuffler", "WANT ", "STATE "),
    "mixer": ("HELLO version 1", "IDENTITY mixer", "WANT ", "STATE "),
    "deck": ("HELLO version 1", "IDENTITY deck shuffler", "WANT ", "STATE "),
    "counting": ("HELLO version 1", "IDENTITY counting shoe", "WANT ", "STATE "),
    "reading": ("S the shoe begins anew", "M setting 90 is 0312", "D "),
}
"""What goes over each line in its first moments."""


@pytest.fixture(params=DEVICES)
def bench(request: pytest.FixtureRequest, make_bench: MakeBench) -> DeviceBench:
    return make_bench(request.param)


@pytest.fixture(params=ON_A_LINE)
def on_a_line(request: pytest.FixtureRequest, make_bench: MakeBench) -> DeviceBench:
    return make_bench(request.param)


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest, make_bench: MakeBench) -> DeviceBench:
    return make_bench(request.param)


def nothing() -> None:
    """It is as it is."""


def are_well_formed(lines: tuple[DeviceFigures, ...], bench: DeviceBench) -> bool:
    """They name their device and lines, and their texts can be printed."""
    texts = [
        text
        for one in lines
        for text in (one.driver, one.why_down, *one.identity.values(), *one.state.values())
    ]
    return (
        {one.device for one in lines} == {bench.device}
        and [one.line for one in lines] == LINES.get(bench.kind, [bench.device.value])
        and all(text.isascii() and (not text or text.isprintable()) for text in texts)
        and all(one.up is (one.why_down == "") for one in lines)
    )


def test_in_every_state_it_answers(bench: DeviceBench) -> None:
    ups = []
    why = []
    steps = (nothing, bench.start, bench.unplug, bench.plug, bench.driver.close)
    for step in steps:
        step()
        bench.run()
        lines = bench.read_figures(40)
        assert are_well_formed(lines, bench)
        assert isinstance(bench.inputs, dict)
        ups.append({one.up for one in lines})
        why.append(lines[0].why_down)
    assert ups == [{False}, {True}, {False}, {True}, {False}]
    assert (why[0], why[-1]) == ("not started", "closed")
    assert why[2] not in ("", "not started", "closed", "not found yet")


def test_the_driver_s_name_says_its_kind(bench: DeviceBench) -> None:
    assert bench.figures.driver == DRIVERS[bench.kind]


def test_a_device_that_is_found_again_is_counted(bench: DeviceBench) -> None:
    bench.start()
    assert {one.counts.connections for one in bench.read_figures()} == {1}
    bench.unplug()
    bench.plug()
    assert {one.counts.connections for one in bench.read_figures()} == {2}
    assert {one.counts.boots for one in bench.read_figures()} == {0}


def test_what_passed_is_among_the_last_frames_in_words(on_a_line: DeviceBench) -> None:
    on_a_line.driver.start(on_a_line.events.append)
    heard: list[str] = []
    for step in (nothing, on_a_line.play):
        step()
        for _ in range(50):
            on_a_line.run(0.01)
            heard += on_a_line.says
    for begins in PASSES[on_a_line.kind]:
        assert any(says.startswith(begins) for says in heard), begins
    assert [says for says in heard if says.startswith("bad")] == []


def test_frames_are_told_when_they_are_asked_for(on_a_line: DeviceBench) -> None:
    on_a_line.start()
    on_a_line.play()
    on_a_line.run(30)
    assert [line.frames for line in on_a_line.read_figures()] == [()] * len(on_a_line.lines)
    for line in on_a_line.read_figures(3):
        assert len(line.frames) == 3
        ages = [frame.ago_ms for frame in line.frames]
        assert ages == sorted(ages, reverse=True)
        assert 0 <= ages[-1] < 31_000


def test_a_line_that_loses_frames_says_how_often_it_asked_again(board: DeviceBench) -> None:
    board.start()
    board.run(10)
    before = [line.counts.retries for line in board.read_figures()]
    board.inject(to_device=WireFaults(drop=0.4, seed=1), to_host=WireFaults(drop=0.4, seed=2))
    for turn in range(20):
        order_something(board, turn)
        board.run(1)
    lines = board.read_figures()
    assert all(line.counts.retries >= was + 5 for line, was in zip(lines, before, strict=True))
    assert {line.counts.bad for line in lines} == {0}
    assert before == [0] * len(before)


def order_something(bench: DeviceBench, turn: int) -> None:
    """Something else than in the turn before, so that it has to be told."""
    lamp = Lamp.ON if turn % 2 else Lamp.ALERT
    if isinstance(bench.driver, BoardRail | CcTalkRail):
        bench.driver.show(RailOrders((lamp,) * 7, accepting=frozenset(SEATS[: turn % 7])))
    elif isinstance(bench.driver, NeutralShuffler):
        bench.driver.show(ShufflerOrders(turn % 2 == 0))


def test_noise_is_counted_bad_and_the_last_of_it_is_kept(on_a_line: DeviceBench) -> None:
    on_a_line.start()
    on_a_line.inject(to_host=WireFaults(garbage=0.5, seed=3))
    on_a_line.play()
    for line in on_a_line.lines:
        line.device.send(b"\xa7noise\x00")
    on_a_line.run(30)
    on_a_line.inject()
    on_a_line.run(20)
    for figures in on_a_line.read_figures(8):
        assert figures.counts.bad > 0
        assert figures.counts.received >= figures.counts.bad
        bad = [frame for frame in figures.frames if frame.says.startswith("bad: ")]
        assert bad, "the last bad ones outlive the good ones"
        assert not any(frame.sent for frame in bad)


def test_round_trips_are_told_in_milliseconds(make_bench: MakeBench) -> None:
    bench = make_bench("slot")
    assert bench.figures.counts.round_trip_ms is None
    bench.start()
    counts = bench.figures.counts
    assert counts.round_trip_ms == counts.round_trip_mean_ms == pytest.approx(5)


def test_a_frame_is_shown_as_it_was_on_the_line_and_never_too_long(make_bench: MakeBench) -> None:
    bench = make_bench("slot")
    bench.start()
    good = bench.figures.frames[-1]
    assert good.raw.endswith(b"\0")
    assert good.raw.count(0) == 1
    bench.lines[0].device.send(b"\x01" * 5000)
    bench.run(0.01)
    long = bench.figures.frames[-1]
    assert (len(long.raw), long.says) == (
        LONGEST_SHOWN,
        "bad: longer than 255 bytes without an end (300 bytes)",
    )
    assert all(len(frame.says) <= LONGEST_SAYING + 20 for frame in bench.figures.frames)


def test_a_press_is_no_frame(make_bench: MakeBench) -> None:
    bench = make_bench("panel")
    bench.start()
    bench.cabinet.panel.press(Button.COIN_IN)
    bench.run()
    assert bench.figures.frames == ()
