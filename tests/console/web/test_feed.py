"""When the pages are told of a table: after its lamps, not too often, not more than is taken."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from console.simulation.pages import DrawerGuide, snapshot_of_cabinet
from console.web.messages import Heartbeat, TableSnapshot, ToPages
from console.web.table_pages import Feed, TableLook, snapshot_of_table
from devices.roles import Button
from tests.console.table import TO_PHASE, Table, table_in


class RecordingOutlet:
    """A reader who takes what he is outlet, or leaves it."""

    def __init__(self) -> None:
        self.ready = True
        self.messages: list[ToPages] = []
        self.looks = 0

    def send(self, message: ToPages) -> None:
        self.messages.append(message)

    @property
    def snapshots(self) -> list[TableSnapshot]:
        return [message for message in self.messages if isinstance(message, TableSnapshot)]

    @property
    def newest(self) -> TableSnapshot:
        return self.snapshots[-1]


@contextmanager
def feed_of(folder: Path) -> Iterator[tuple[Table, RecordingOutlet, Feed]]:
    """A simulated table, and who is told of it."""
    with table_in(folder) as table:
        outlet = RecordingOutlet()

        def look() -> TableSnapshot:
            outlet.looks += 1
            return snapshot_of_cabinet(
                table.simulated_table, table.machine.cabinet, table.machine.disk, DrawerGuide(())
            )

        feed = Feed(table.machine.loop, look, outlet)
        table.machine.cabinet.watchers.append(feed.look_soon)
        table.machine.followers.append(feed.follow)
        feed.follow(table.simulated_table.service)
        feed.start()
        table.play("wait 1s")
        try:
            yield table, outlet, feed
        finally:
            feed.stop()


def test_each_act_is_told_as_it_is_seen_and_a_beat_each_second(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, _):
        table.play("press GAME_OVER", "token 1")
        assert outlet.newest.seen == table.seen.whole()
        assert outlet.newest.cabinet is not None
        assert outlet.newest.cabinet["tokens"] == [1]
        assert outlet.newest.seq == table.simulated_table.service.table_ledger.newest
        outlet.messages.clear()
        table.play("wait 10s")
        assert [type(message) for message in outlet.messages] == [Heartbeat] * 10


def test_nothing_is_built_on_the_way_of_an_act(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, _):
        looks, loop = outlet.looks, table.machine.loop
        shown_at = loop.time()
        table.simulated_table.service.watchers.append(lambda *_: outlet.messages.clear())
        table.machine.cabinet.panel.hold(Button.GAME_OVER)
        for _ in range(20):
            if table.state.phase.value == "BETTING":
                break
            table.machine.pass_time(1)
            shown_at = loop.time()
        assert table.state.phase.value == "BETTING"
        assert outlet.looks == looks
        table.machine.pass_time(60)
        assert outlet.looks > looks
        assert loop.time() - shown_at < 0.1


def test_at_most_25_a_second_are_told_and_the_last_is_the_newest(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, feed):
        outlet.messages.clear()
        table.play("press GAME_OVER")
        for number in range(200):
            table.machine.cabinet.inspector(number // 3 % 2 == 1)  # another every 15 ms
            feed.look_soon()
            table.machine.pass_time(5)
        assert len(outlet.snapshots) <= 26
        table.play("wait 100ms")
        assert outlet.newest.cabinet is not None
        assert outlet.newest.cabinet["inspector"] is False
        assert len(outlet.snapshots) > 15


def test_who_does_not_read_costs_nothing_and_is_told_the_newest_afterwards(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, feed):
        outlet.ready, looks = False, outlet.looks
        outlet.messages.clear()
        table.play(*TO_PHASE["AWARDING"], "wait 1m")
        assert (outlet.looks, outlet.messages) == (looks, [])
        outlet.ready = True
        feed.on_outlet_ready()
        table.play("wait 50ms")
        assert [one.seen["phase"] for one in outlet.snapshots] == ["AWARDING"]


def test_a_process_that_is_new_is_told_though_nothing_has_changed(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, feed):
        outlet.messages.clear()
        feed.start_afresh()
        table.play("wait 50ms")
        assert len(outlet.snapshots) == 1


def test_what_no_act_tells_is_looked_for(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, _):
        for line, wait, fact, value in (
            ("jam 4", "50ms", "jams", [4]),
            ("disk full", "1s", "disk_full", True),  # with the next beat
            ("disk ok", "1s", "disk_full", False),
            ("cover 2", "50ms", "cards", [2]),
            ("power off", "50ms", "powered", False),
        ):
            table.play(line, f"wait {wait}")
            assert outlet.newest.cabinet is not None
            assert outlet.newest.cabinet[fact] == value, line
        table.play("power on", "wait 2s")
        powered = [snapshot.powered for snapshot in outlet.snapshots]
        assert powered.index(False) < len(powered) - 1
        assert powered[-1]
        table.play("press GAME_OVER")
        assert outlet.newest.seen["phase"] == "BETTING"


def test_a_cabinet_where_nothing_happens_is_looked_at_with_each_beat_only(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, _):
        table.play("wait 2s")
        looks = outlet.looks
        table.play("wait 60s")
        assert outlet.looks - looks <= 60


def test_a_display_that_alternates_is_told_at_once(tmp_path: Path) -> None:
    with feed_of(tmp_path) as (table, outlet, feed):
        feed.stop()
        table.play("unplug rail", "wait 2370ms")  # its beat is beside the display's
        feed.start()
        outlet.messages.clear()
        table.play("wait 20s")
        assert len(outlet.snapshots) >= 10
        for _ in range(40):
            table.machine.pass_time(100)
            assert outlet.newest.seen["display"] == table.seen.whole()["display"]


@pytest.mark.parametrize("phase", TO_PHASE)
def test_a_real_tables_lamps_are_told_as_a_cabinet_shows_them(tmp_path: Path, phase: str) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        service = table.simulated_table.service
        snapshot = snapshot_of_table(service)
        assert snapshot.seen == table.seen.whole()
        key = table.machine.cabinet.state.key
        assert key is not None
        assert snapshot.key == key.value
        assert snapshot.cabinet is None


GAMES = {
    "tre-card-stud": ("press GAME_OVER", "token 2 7", "press COIN_IN", "press ROYAL_FLUSH"),
    "ultimate-texas-holdem": ("deck load red", "wait 4m", "packet take 3"),
    "mini-punto-banco": ("shoe load", "shoe burn", "draw 9H 2C 5D 4S", "draw AS"),
    "black-jack": ("shoe load", "shoe burn", "press GAME_OVER", "draw"),
}


@pytest.mark.parametrize("game", GAMES)
def test_the_lamps_of_the_other_games_are_told_as_a_cabinet_shows_them(
    tmp_path: Path, game: str
) -> None:
    with table_in(tmp_path, f"game {game}") as table:
        table.play(*GAMES[game], "wait 1s")
        snapshot = snapshot_of_table(table.simulated_table.service)
        assert snapshot.seen == table.seen.whole()
        assert msgspec.json.decode(msgspec.json.encode(snapshot), type=TableSnapshot) == snapshot


def test_a_refusal_is_told_as_long_as_the_display_shows_it(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press COIN_IN")
        assert snapshot_of_table(table.simulated_table.service).seen["refused"] == "NOT_OPEN"
        table.play("wait 2s")
        assert snapshot_of_table(table.simulated_table.service).seen["refused"] is None


TOURNAMENT = (
    *("game texas-holdem", "form tournament", "level 1m 500/1000", "break 1m"),
    "level 1m 600/1200",
)
LEFT_ALONE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "open": ((), ("press GAME_OVER", "token 1")),
    "refused": ((), ("press COIN_IN",)),
    "two devices lost": ((), ("unplug rail", "unplug display")),
    "an award": ((), TO_PHASE["AWARDING"]),
    "a coup": (("game mini-punto-banco",), GAMES["mini-punto-banco"]),
    "a clock that runs": (TOURNAMENT, ("press GAME_OVER", "declare clock start", "press HAND")),
    "time called": (
        ("game texas-holdem",),
        ("press GAME_OVER", "press HAND", "press HAND", "press TIME"),
    ),
}
"""Settings, and what is done before the table is left alone."""


@pytest.mark.parametrize("how", LEFT_ALONE)
def test_a_table_that_needs_no_look_looks_as_before(tmp_path: Path, how: str) -> None:
    settings, acts = LEFT_ALONE[how]
    with table_in(tmp_path, *settings) as table:
        table.play(*acts, "wait 20ms")
        real = TableLook()
        real.follow(table.simulated_table.service)
        for _ in range(4 * 60 * 3):
            snapshot = real.look()
            table.machine.pass_time(250)
            now = snapshot_of_table(table.simulated_table.service)
            assert snapshot is not None
            same = msgspec.structs.replace(now, wall=snapshot.wall, now=snapshot.now) == snapshot
            assert same or real.may_differ()


def test_a_real_table_at_rest_is_not_looked_at(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press GAME_OVER", "wait 5s")
        outlet, real, looks = RecordingOutlet(), TableLook(), list[float]()

        def look() -> TableSnapshot | None:
            looks.append(table.machine.loop.time())
            return real.look()

        feed = Feed(table.machine.loop, look, outlet, may_differ=real.may_differ)
        for each in (real, feed):
            each.follow(table.simulated_table.service)
        feed.start()
        table.play("wait 60s")
        assert (len(looks), len(outlet.snapshots)) == (1, 1)
        assert len(outlet.messages) == 61
        table.play("press GAME_OVER", "wait 10s")  # refused, which the display shows for 2 s
        assert [each.seen["refused"] for each in outlet.snapshots[1:]] == ["ALREADY_OPEN", None]
        assert len(looks) == 3
        feed.stop()
