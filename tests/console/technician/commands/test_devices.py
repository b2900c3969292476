"""`rail`, `shuffler`, `shoe`, `panel`, `lines`: a device's figures, and what its line carried."""

import re
from pathlib import Path

import pytest

from console.service.health.figures import measure_link
from console.technician.commands.devices import render_device, render_frames, render_lines
from console.texts.language import Language
from devices.device import Device
from devices.figures import DeviceFigures, FrameSeen, LineCounts
from firmware_bridge.board_session.protocol import MessageType
from tests.console.technician.commands.technician_bench import TechnicianBench, open_bench

WIDEST = 79


def row_of(table: str, line: str) -> list[str]:
    """A line's row of `lines`, in words."""
    (row,) = (row for row in table.splitlines() if re.match(rf"{line} +(up|NO) ", row))
    return row.split()


def test_a_rail_says_whether_it_is_there_what_it_sees_and_what_it_is(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.put_token(3)
        bench.wait(1)
        printed = bench.type_command("rail")
        assert re.search(r"^rail: there$", printed, re.MULTILINE)
        assert re.search(r"state +occupied 3, dead lamps none", printed)
        assert re.search(r"frames +[1-9]\d* in, 0 bad \(0\.0 %\), [1-9]\d* out", printed)
        assert re.search(r"identity +kind slot rail, .*firmware 1\.0\.0", printed)
        assert "boot 0x1" in " ".join(printed.split())
        assert "round trip" in printed
        assert "STATE" not in printed


def test_the_last_frames_come_newest_last_in_hex_and_in_words(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.wait(3)
        printed = bench.type_command("rail frames 4")
        heads = re.findall(r"-(\d+\.\d{3}) s ([<>]) ([0-9a-f ]+)$", printed, re.MULTILINE)
        assert len(heads) == 4
        ages = [float(age) for age, _, _ in heads]
        assert ages == sorted(ages, reverse=True)
        assert {way for _, way, _ in heads} == {"<", ">"}
        received = next(head for _, way, head in heads if way == "<")
        assert f"{MessageType.STATE:02x}" in received.split()[:4]
        assert "STATE" in printed
        assert "WANT" in printed


@pytest.mark.parametrize(("command", "frames"), [("rail frames", 10), ("gettoniera trame 2", 2)])
def test_how_many_frames_may_be_said(tmp_path: Path, command: str, frames: int) -> None:
    with open_bench(tmp_path) as bench:
        bench.wait(10)
        assert (
            len(re.findall(r"^ +-\d+\.\d{3} s [<>]", bench.type_command(command), re.MULTILINE))
            == frames
        )


@pytest.mark.parametrize("typed", ["rail frames 0", "rail frames 33", "rail frames x", "rail 5"])
def test_more_frames_than_there_may_be_are_misused(tmp_path: Path, typed: str) -> None:
    with open_bench(tmp_path) as bench:
        printed = bench.type_command(typed)
        assert "usage: rail [frames [N]]" in printed
        assert "occupied" not in printed


def test_each_device_has_its_name_and_says_what_it_is(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert re.search(r"identity +kind shuffler", bench.type_command("shuffler"))
        panel = bench.type_command("panel")
        assert "panel: there" in panel
        assert "key S" in panel
    with open_bench(tmp_path / "reading", "game mini-punto-banco") as bench:
        assert "shoe: there" in bench.type_command("sabot")
        assert "kind mixer" in bench.type_command("mescolatore")


def test_a_cctalk_rail_has_two_lines_and_tells_both(tmp_path: Path) -> None:
    with open_bench(tmp_path, "rail cctalk") as bench:
        printed = bench.type_command("rail frames 2")
        assert re.search(r"^rail: there$", printed, re.MULTILINE)
        assert re.search(r"^rail board: there$", printed, re.MULTILINE)
        assert len(re.findall(r"^ +-\d+\.\d{3} s [<>]", printed, re.MULTILINE)) == 4
        table = bench.type_command("lines")
        assert row_of(table, "rail")[1] == "up"
        assert "rail board" in table


def test_a_device_the_table_does_not_have_is_told_with_those_it_has(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert "no shoe; it has: panel display rail shuffler" in bench.type_command("shoe")
    with open_bench(tmp_path / "it", "game black-jack", language=Language.IT) as bench:
        printed = bench.type_command("gettoniera")
        assert "questo tavolo non ha gettoniera; ha: consolle display sabot" in printed


def test_the_centre_of_a_linked_table_says_what_it_answered(tmp_path: Path) -> None:
    with open_bench(tmp_path, "link house", lines=("press GAME_OVER", "token 1")) as bench:
        bench.rig.play("press COIN_IN", "press ROYAL_FLUSH", "key JPH", "press JPOT")
        printed = bench.type_command("centre")
        assert "link: there" in printed
        assert "calls waiting 0" in printed
        assert "award ROYAL_FLUSH x 1, each 10001.40, awaited 0" in " ".join(printed.split())
        bench.rig.play("link off", "wait 5s")
        assert "link: NOT THERE" in bench.type_command("centrale")
    with open_bench(tmp_path / "alone") as bench:
        assert "no link; it has: panel" in bench.type_command("centre")


def test_the_health_of_a_linked_table_has_its_link(tmp_path: Path) -> None:
    with open_bench(tmp_path, "link house") as bench:
        service = bench.rig.table.simulated_table.service
        linked = measure_link(service)
        assert (linked["link_lost"], linked["link_calls_waiting"]) == (0, 0)
        assert linked["link_last_answered"] == 1
        bench.rig.play("link off", "wait 5s")
        assert measure_link(service)["link_lost"] == 1
    with open_bench(tmp_path / "alone") as bench:
        assert measure_link(bench.rig.table.simulated_table.service) == {}


def test_a_device_that_is_lost_comes_first_with_the_reason(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.unplug(Device.SHUFFLER)
        bench.wait(2)
        table = bench.type_command("lines")
        rows = [line for line in table.splitlines() if re.match(r"(display|rail|shuffler) ", line)]
        assert rows[0].split()[:2] == ["shuffler", "NO"]
        assert re.search(r"^! shuffler: \w+", table, re.MULTILINE)
        assert re.search(
            r"^shuffler: NOT THERE \(.+\)$", bench.type_command("shuffler"), re.MULTILINE
        )


def test_a_rail_that_resets_shows_by_its_boots(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        assert row_of(bench.type_command("lines"), "rail")[8] == "0"
        bench.cabinet.rail.reset_every(3.0)
        bench.wait(10)
        assert int(row_of(bench.type_command("lines"), "rail")[8]) == 3


def test_a_cable_pulled_and_put_in_again_is_one_more_connection(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        before = int(row_of(bench.type_command("lines"), "rail")[7])
        bench.cabinet.unplug(Device.RAIL)
        bench.wait(3)
        bench.cabinet.plug(Device.RAIL)
        bench.wait(3)
        assert int(row_of(bench.type_command("lines"), "rail")[7]) == before + 1


def test_nobody_need_have_entered_and_the_key_may_be_anywhere(tmp_path: Path) -> None:
    with open_bench(tmp_path, enters=False, lines=("press GAME_OVER", "token 1")) as bench:
        for command in ("rail frames", "shuffler", "panel", "lines"):
            assert "there" in bench.type_command(command) or command == "lines"
            assert bench.at_the_prompt


def everything(bench: TechnicianBench) -> None:
    for command in ("rail", "rail board", "shuffler", "shoe", "panel"):
        bench.type_command(f"{command} frames 32")
    bench.type_command("lines")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "settings", ["rail slot", "rail cctalk", "game mini-punto-banco", "game black-jack"]
)
def test_it_is_plain_ascii_on_79_columns(tmp_path: Path, settings: str, language: Language) -> None:
    with open_bench(tmp_path, settings, language=language) as bench:
        bench.wait(20)
        everything(bench)
        assert bench.printed.isascii()
        assert max(map(len, bench.printed.splitlines())) <= WIDEST


# As pictures


BAD_LINE = DeviceFigures(
    Device.RAIL,
    "rail board",
    "board rail",
    up=False,
    why_down="silent for 1 s",
    identity={"firmware": "1.2.3", "boot": "0x1f"},
    state={"dead lamps": "none"},
    counts=LineCounts(1_000_000, 12_345, 999_999, 77, 0, 4, 3, 3.25, 12.0),
    frames=(FrameSeen(61_234, True, bytes(range(20)), "WANT 3 lamps dark"),),
)


def test_what_is_wrong_with_a_line_is_in_its_first_words() -> None:
    lines = render_device(BAD_LINE, Language.EN)
    assert lines[0] == "rail board: NOT THERE (silent for 1 s)"
    assert "  frames    1000000 in, 12345 bad (1.2 %), 999999 out, 77 sent again" in lines
    assert "  line      connections 4, boots 3, round trip 3.2 ms, mean 12.0" in lines


def test_its_words_are_italian_where_they_are_known() -> None:
    text = "\n".join(render_device(BAD_LINE, Language.IT))
    assert "ASSENTE (silent for 1 s)" in text
    assert "lampade guaste nessuno" in text
    assert "12345 errate (1.2 %)" in text


def test_sixteen_bytes_stand_in_a_line() -> None:
    assert render_frames(BAD_LINE.frames, Language.EN) == [
        "   -61.234 s > 00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f",
        "               10 11 12 13",
        "               WANT 3 lamps dark",
    ]
    assert render_frames((), Language.IT) == ["  nessuna trama"]


def test_the_longest_figures_fit_the_table() -> None:
    lines = render_lines((BAD_LINE,), Language.IT)
    assert max(map(len, lines)) <= WIDEST
    assert lines[1].split() == [
        *("rail", "board", "NO", "1000000", "999999", "12345", "1.2", "77", "4", "3"),
        *("3.2", "12.0"),
    ]
