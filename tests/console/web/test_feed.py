"""When the pages are told of a table: after its lamps, not too often, not more than is taken."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from console.simulation.pages.snapshots import snapshot_of_cabinet
from console.web.feed import LOOK_EVERY_S, Feed
from console.web.messages import Heartbeat, TableSnapshot, ToPages
from console.web.snapshots import snapshot_of_table
from devices.roles import Button
from tests.console.table import TO_PHASE, Table, table_in


class Told:
    """A reader who takes what he is told, or leaves it."""

    def __init__(self) -> None:
        self.ready = True
        self.messages: list[ToPages] = []
        self.looks = 0

    def tell(self, message: ToPages) -> None:
        self.messages.append(message)

    @property
    def sights(self) -> list[TableSnapshot]:
        return [message for message in self.messages if isinstance(message, TableSnapshot)]

    @property
    def newest(self) -> TableSnapshot:
        return self.sights[-1]


@contextmanager
def fed(folder: Path, every_s: float = LOOK_EVERY_S) -> Iterator[tuple[Table, Told, Feed]]:
    """A simulated table, and who is told of it."""
    with table_in(folder) as table:
        told = Told()

        def look() -> TableSnapshot:
            told.looks += 1
            return snapshot_of_cabinet(table.rehearsal, table.stage.cabinet, table.stage.disk)

        feed = Feed(table.stage.loop, look, told, every_s)
        table.stage.followers.append(feed.follow)
        feed.follow(table.rehearsal.service)
        feed.start()
        table.play("wait 1s")
        try:
            yield table, told, feed
        finally:
            feed.stop()


def test_each_act_is_told_as_it_is_seen_and_a_beat_each_second(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, _):
        table.play("press GAME_OVER", "token 1")
        assert told.newest.seen == table.seen.whole()
        assert told.newest.cabinet is not None
        assert told.newest.cabinet["tokens"] == [1]
        assert told.newest.seq == table.rehearsal.service.table_ledger.newest
        told.messages.clear()
        table.play("wait 10s")
        assert [type(message) for message in told.messages] == [Heartbeat] * 10


def test_nothing_is_built_on_the_way_of_an_act(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, _):
        looks, loop = told.looks, table.stage.loop
        shown_at = loop.time()
        table.rehearsal.service.watchers.append(lambda *_: told.messages.clear())
        table.stage.cabinet.hold(Button.GAME_OVER)
        for _ in range(20):
            if table.state.phase.value == "BETTING":
                break
            table.stage.pass_time(1)
            shown_at = loop.time()
        assert table.state.phase.value == "BETTING"
        assert told.looks == looks
        table.stage.pass_time(60)
        assert told.looks > looks
        assert loop.time() - shown_at < 0.1


def test_at_most_25_a_second_are_told_and_the_last_is_the_newest(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, feed):
        told.messages.clear()
        table.play("press GAME_OVER")
        for number in range(200):
            table.stage.cabinet.inspector(number // 3 % 2 == 1)  # another every 15 ms
            feed.changed()
            table.stage.pass_time(5)
        assert len(told.sights) <= 26
        table.play("wait 100ms")
        assert told.newest.cabinet is not None
        assert told.newest.cabinet["inspector"] is False
        assert len(told.sights) > 15


def test_who_does_not_read_costs_nothing_and_is_told_the_newest_afterwards(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, feed):
        told.ready, looks = False, told.looks
        told.messages.clear()
        table.play(*TO_PHASE["AWARDING"], "wait 1m")
        assert (told.looks, told.messages) == (looks, [])
        told.ready = True
        feed.taken()
        table.play("wait 50ms")
        assert [one.seen["phase"] for one in told.sights] == ["AWARDING"]


def test_a_process_that_is_new_is_told_though_nothing_has_changed(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, feed):
        told.messages.clear()
        feed.anew()
        table.play("wait 50ms")
        assert len(told.sights) == 1


def test_what_no_act_tells_is_looked_for(tmp_path: Path) -> None:
    with fed(tmp_path) as (table, told, _):
        for line, fact, value in (
            ("jam 4", "jams", [4]),
            ("disk full", "disk_full", True),
            ("disk ok", "disk_full", False),
            ("cover 2", "cards", [2]),
            ("power off", "powered", False),
        ):
            table.play(line, "wait 200ms")
            assert told.newest.cabinet is not None
            assert told.newest.cabinet[fact] == value, line
        table.play("power on", "wait 2s")
        powered = [sight.powered for sight in told.sights]
        assert powered.index(False) < len(powered) - 1
        assert powered[-1]
        table.play("press GAME_OVER")
        assert told.newest.seen["phase"] == "BETTING"


@pytest.mark.parametrize("phase", TO_PHASE)
def test_a_real_tables_lamps_are_told_as_a_cabinet_shows_them(tmp_path: Path, phase: str) -> None:
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        service = table.rehearsal.service
        sight = snapshot_of_table(service)
        assert sight.seen == table.seen.whole()
        key = table.stage.cabinet.state.key
        assert key is not None
        assert sight.key == key.value
        assert sight.cabinet is None


GAMES = {
    "tre-card-stud": ("press GAME_OVER", "token 2 7", "press COIN_IN", "press ROYAL_FLUSH"),
    "ultimate-texas-holdem": ("deck load red", "wait 4m", "packet take 3"),
    "mini-punto-banco": ("shoe load", "shoe burn", "draw 9H 2C 5D 4S", "draw AS"),
    "black-jack": ("shoe load", "shoe burn", "press GAME_OVER", "draw"),
}


@pytest.mark.parametrize("game", GAMES)
def test_so_are_those_of_the_other_games(tmp_path: Path, game: str) -> None:
    with table_in(tmp_path, f"game {game}") as table:
        table.play(*GAMES[game], "wait 1s")
        sight = snapshot_of_table(table.rehearsal.service)
        assert sight.seen == table.seen.whole()
        assert msgspec.json.decode(msgspec.json.encode(sight), type=TableSnapshot) == sight


def test_a_refusal_is_told_as_long_as_the_display_shows_it(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("press COIN_IN")
        assert snapshot_of_table(table.rehearsal.service).seen["refused"] == "NOT_OPEN"
        table.play("wait 2s")
        assert snapshot_of_table(table.rehearsal.service).seen["refused"] is None
