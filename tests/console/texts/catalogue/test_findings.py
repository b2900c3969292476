"""What is noticed, and what is not yet: each finding, and figures just below."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.rules.structs import replace
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import Finding, FindingCode, find
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts

HOUR = 3_600_000
SOUND = LineCounts(received=9000, sent=9000, connections=1)


def contact(name: str, *, closed: bool = False, since_ms: int = HOUR) -> InputFigures:
    return InputFigures(name, closed, since_ms, edges=8)


def key(*closed: str, since_ms: int = HOUR) -> tuple[InputFigures, ...]:
    return tuple(
        contact(f"key {position}", closed=position in closed, since_ms=since_ms)
        for position in ("R", "JPL", "JPH", "S")
    )


def seat(
    number: int, *, edges: int, drops: int, closed: bool = False, since_ms: int = 0
) -> tuple[InputFigures, ...]:
    return (
        InputFigures(f"seat {number}", closed, since_ms, edges),
        InputFigures(f"seat {number} drop", False, 0, drops),
    )


def rail(counts: LineCounts = SOUND, **state: str) -> DeviceFigures:
    texts = {name.replace("_", " "): value for name, value in state.items()}
    return DeviceFigures(Device.RAIL, "rail", "board", up=True, state=texts, counts=counts)


def find_all(
    *inputs: InputFigures,
    devices: tuple[DeviceFigures, ...] = (),
    stuck: Mapping[int, int] = MappingProxyType({}),
    health: Mapping[str, float] = {},
) -> list[tuple[str, str, str]]:
    return [
        (finding.code, finding.where, finding.detail)
        for finding in find(inputs, devices, stuck, dict(health))
    ]


def test_boards_without_a_key_are_named_in_the_order_of_the_devices() -> None:
    found = find((), (), {}, {}, without_keys=["shuffler", "rail"])
    assert found == (
        Finding("BOARD_WITHOUT_KEY", "rail"),
        Finding("BOARD_WITHOUT_KEY", "shuffler"),
    )


def test_a_sound_table_gives_nothing_to_notice() -> None:
    inputs = (
        contact("COIN_IN"),
        contact("FLUSH"),
        *key("R"),
        contact("plug", closed=True),
        contact("inspector", closed=True),
        *seat(1, edges=40, drops=12),
        InputFigures("tray", False, 0, 12),
    )
    devices = (rail(dead_lamps="none"),)
    health = {
        "disk_free_mb": 9000.0,
        "under_voltage": 0.0,
        "temperature_c": 55.0,
        "loop_stall_ms": 3.0,
    }
    assert find(inputs, devices, {}, health) == ()
    assert find((), (), {}, {}) == ()


def test_a_button_held_after_more_than_ten_seconds() -> None:
    held = contact("JPOT", closed=True, since_ms=12_345)
    assert find_all(held) == [("BUTTON_HELD", "JPOT", "12 s")]
    assert find_all(replace(held, since_ms=10_000)) == []


def test_a_combination_held_under_the_name_the_game_gives_it() -> None:
    held = contact("ROYAL_FLUSH", closed=True)
    assert find_all(held) == [("BUTTON_HELD", "ROYAL_FLUSH", "3600 s")]


def test_a_button_held_is_no_contact_that_may_be_closed_for_hours() -> None:
    hours = (contact("inspector", closed=True), contact("plug", closed=True), *key("S"))
    assert find_all(*hours) == []


def test_an_open_button_is_not_held_however_long() -> None:
    assert find_all(contact("COIN_IN")) == []


def test_key_contacts_that_are_both_closed_are_named() -> None:
    assert find_all(*key("R", "JPL")) == [("KEY_CONTACTS", "key", "R JPL")]


def test_key_contacts_with_none_closed() -> None:
    assert find_all(*key()) == [("KEY_CONTACTS", "key", "none")]


def test_key_contacts_not_while_the_key_turns() -> None:
    assert find_all(*key("R", "JPL", since_ms=501)) == [("KEY_CONTACTS", "key", "R JPL")]
    assert find_all(*key("R", "JPL", since_ms=500)) == []
    *others, s = key("R", "JPL")
    assert find_all(*others, replace(s, since_ms=20)) == []


def test_a_panel_that_is_unplugged_has_no_key() -> None:
    unplugged = contact("plug", closed=False)
    assert find_all(*key(), contact("JPOT", closed=True), unplugged) == []


def test_chatter_of_a_contact_that_bounces_for_hours() -> None:
    loose = InputFigures("key JPL", closed=False, since_ms=3, edges=205, chatter=100)
    assert find_all(loose) == [("CONTACT_CHATTERS", "key JPL", "100")]
    assert find_all(replace(loose, chatter=99)) == []


def test_no_chatter_of_a_button_pressed_all_night_that_bounces_a_little() -> None:
    pressed, bounces = 1000, 5 * 1000
    button = InputFigures("GAME_OVER", False, 3000, pressed + 2 * bounces, bounces)
    assert find_all(button) == []
    worn = replace(button, edges=pressed + 2 * 10_001, chatter=10_001)
    assert find_all(worn) == [("CONTACT_CHATTERS", "GAME_OVER", "10001")]


def test_a_dead_sensor_where_tokens_dropped_and_it_never_changed() -> None:
    assert find_all(*seat(3, edges=0, drops=2)) == [("SENSOR_DEAD", "seat 3", "2")]
    assert find_all(*seat(3, edges=1, drops=2)) == []


def test_no_dead_sensor_where_nobody_played() -> None:
    assert find_all(*seat(3, edges=0, drops=0)) == []


def test_no_dead_sensor_on_a_rail_without_drop_sensors() -> None:
    assert find_all(InputFigures("seat 3", False, HOUR, 0)) == []


def test_a_covered_sensor_after_more_than_half_an_hour() -> None:
    since = 31 * 60_000
    covered = seat(5, edges=9, drops=4, closed=True, since_ms=since)
    assert find_all(*covered) == [("SENSOR_COVERED", "seat 5", "31 min")]
    assert find_all(*seat(5, edges=9, drops=4, closed=True, since_ms=30 * 60_000)) == []
    assert find_all(*seat(5, edges=9, drops=4, closed=False, since_ms=since)) == []


def test_a_dead_lamp_for_each_that_the_board_reports() -> None:
    assert find_all(devices=(rail(dead_lamps="3 5"),)) == [
        ("LAMP_DEAD", "seat 3", ""),
        ("LAMP_DEAD", "seat 5", ""),
    ]
    assert find_all(devices=(rail(dead_lamps="none"),)) == []
    assert find_all(devices=(rail(),)) == []


def test_no_dead_lamp_of_a_device_that_has_no_slots() -> None:
    shuffler = replace(rail(dead_lamps="3"), device=Device.SHUFFLER)
    assert find_all(devices=(shuffler,)) == []


def test_a_gate_that_sticks_at_every_seat_whose_token_has_not_dropped() -> None:
    assert find_all(stuck={6: 2, 2: 1}) == [
        ("GATE_STICKS", "seat 2", "once"),
        ("GATE_STICKS", "seat 6", "2 times"),
    ]
    assert find_all(stuck={}) == []


def test_a_shuffler_that_is_jammed_with_the_deck_in_it() -> None:
    sound = replace(rail(preparing="ready", prepared_back="red"), device=Device.SHUFFLER)
    state = {**sound.state, "preparing": "jammed"}
    jammed = replace(sound, line="shuffler", state=state)
    empty = replace(jammed, state={**state, "prepared back": "none"})
    assert find_all(devices=(sound,)) == []
    assert find_all(devices=(jammed,)) == [("SHUFFLER_JAMMED", "shuffler", "red")]
    assert find_all(devices=(empty,)) == [("SHUFFLER_JAMMED", "shuffler", "")]
    assert find_all(devices=(replace(jammed, up=False),)) == [], "SHUFFLER_LOST says it all"


def test_a_board_that_restarts_once_is_enough() -> None:
    assert find_all(devices=(rail(LineCounts(boots=1)),)) == [("BOARD_RESTARTS", "rail", "1")]
    assert find_all(devices=(rail(LineCounts(boots=0, connections=9)),)) == []


def test_a_board_that_restarts_it_names_the_line() -> None:
    board = replace(rail(LineCounts(boots=4)), line="rail board")
    assert find_all(devices=(board,)) == [("BOARD_RESTARTS", "rail board", "4")]


def test_two_boards_on_a_line_as_long_as_they_speak() -> None:
    both = replace(rail(), restless=True)
    assert find_all(devices=(both,)) == [("TWO_BOARDS", "rail", "")]


def test_a_flood_of_reports_as_long_as_it_goes_on() -> None:
    assert find_all(devices=(replace(rail(), flood=1200),)) == [("REPORTS_FLOOD", "rail", "1200")]
    assert find_all(devices=(replace(rail(), flood=0),)) == [("REPORTS_FLOOD", "rail", "0")]


def test_a_noisy_line_with_more_than_one_per_cent() -> None:
    noisy = LineCounts(received=2000, bad=21)
    assert find_all(devices=(rail(noisy),)) == [("LINE_NOISY", "rail", "1%")]
    assert find_all(devices=(rail(replace(noisy, bad=20)),)) == []


def test_no_noisy_line_for_the_few_of_a_plug_put_in() -> None:
    assert find_all(devices=(rail(LineCounts(received=100, bad=19)),)) == []
    assert find_all(devices=(rail(LineCounts(received=100, bad=20)),)) == [
        ("LINE_NOISY", "rail", "20%")
    ]


def test_a_noisy_line_of_nothing_but_noise() -> None:
    assert find_all(devices=(rail(LineCounts(received=0, bad=500)),)) == [
        ("LINE_NOISY", "rail", "100%")
    ]


@pytest.mark.parametrize(
    ("health", "findings"),
    [
        ({"disk_free_mb": 199.4}, [("DISK_FILLS", "disk", "199 MB")]),
        ({"disk_free_mb": 0.0}, [("DISK_FILLS", "disk", "0 MB")]),
        ({"disk_free_mb": 200.0}, []),
        ({"under_voltage": 1.0}, [("UNDER_VOLTAGE", "supply", "")]),
        ({"under_voltage": 0.0}, []),
        ({"temperature_c": 80.0}, [("HOT", "computer", "80 C")]),
        ({"temperature_c": 79.9}, []),
        ({"loop_stall_ms": 100.6}, [("LOOP_STALLS", "loop", "101 ms")]),
        ({"witness_lost": 1.0, "witness_late_s": 60.0}, [("WITNESS_LOST", "witness", "")]),
        ({"witness_lost": 0.0, "witness_late_s": 61.0}, [("WITNESS_LOST", "witness", "61 s")]),
        ({"loop_stall_ms": 100.0}, []),
        ({"loop_stall_max_ms": 5000.0, "memory_mb": 900.0}, []),
    ],
)
def test_the_computer(health: dict[str, float], findings: list[tuple[str, str, str]]) -> None:
    assert find_all(health=health) == findings


def test_several_at_once_in_the_order_of_the_codes() -> None:
    findings = find(
        (contact("JPOT", closed=True), *key("R", "S"), *seat(1, edges=0, drops=1)),
        (rail(LineCounts(boots=2), dead_lamps="7"),),
        {4: 1},
        {"disk_free_mb": 3.0, "under_voltage": 1.0},
    )
    order = [code.value for code in FindingCode]
    assert [one.code for one in findings] == sorted((one.code for one in findings), key=order.index)
    assert len(findings) == 8


names = st.one_of(
    st.sampled_from(["JPOT", "FLUSH", "plug", "inspector", "tray", "seat 3", "seat 3 drop"]),
    st.sampled_from(["key R", "key S", "key JPL", "key JPH"]),
    st.text(max_size=12),
)
numbers = st.integers(-5, 10**9)
inputs = st.builds(InputFigures, names, st.booleans(), numbers, numbers, numbers)
links = st.builds(LineCounts, numbers, numbers, numbers, numbers, numbers, numbers)
devices = st.builds(
    DeviceFigures,
    st.sampled_from(Device),
    st.text(max_size=12),
    st.text(max_size=12),
    st.booleans(),
    state=st.dictionaries(
        st.one_of(st.just("dead lamps"), st.text(max_size=9)),
        st.one_of(st.just("3 5"), st.text(max_size=9), st.just("² 12 -1 none")),
        max_size=3,
    ),
    counts=links,
)
health = st.dictionaries(
    st.sampled_from(["disk_free_mb", "under_voltage", "temperature_c", "loop_stall_ms", "other"]),
    st.floats(),
)


@given(
    st.lists(inputs, max_size=8),
    st.lists(devices, max_size=4),
    st.dictionaries(st.integers(-1, 9), st.integers()),
    health,
)
def test_no_figures_are_too_strange(
    inputs: list[InputFigures],
    devices: list[DeviceFigures],
    stuck: dict[int, int],
    health: dict[str, float],
) -> None:
    for finding in find(inputs, devices, stuck, health):
        assert isinstance(finding, Finding)
        assert catalogue().find(finding.code) is catalogue().finding(FindingCode(finding.code))
        assert len(finding.detail) < 400
