"""A night's figures and its course, beside what was played and beside its bordereau."""

from pathlib import Path

import pytest

from console.bordereau.nights import bordereau_of, newest_night
from console.rules.acts import Entered
from console.rules.codes import Duty
from console.web.serving.supervisor.answers import course_of_drop, describe_course, describe_figures
from console.web.serving.supervisor.figures import Tallies, Tally, seconds_of
from console.web.serving.supervisor.reading_thread import Limit
from tests.console.bordereau.played_nights import NIGHT, TRAY, ledger_of, play_night
from tests.console.table import Table, table_in

HAND = ("press GAME_OVER", "token 1 3", "press COIN_IN", "wait 60s")


def tally_of(table: Table) -> Tally:
    """The newest night, read as the page reads it."""
    tallies, folder = Tallies(), ledger_of(table)
    tally, whole = tallies.tally(folder, tallies.night(folder, None, Limit()).stretch, Limit())
    assert whole
    return tally


def test_what_came_in_and_what_was_paid_are_the_bordereaus(tmp_path: Path) -> None:
    with play_night(tmp_path, *NIGHT, TRAY) as table:
        paper = bordereau_of(ledger_of(table), newest_night(ledger_of(table)))
        figures = describe_figures(tally_of(table))
    assert paper.money.drop == 4 * 2_000_000
    assert (figures["drop"], figures["taken"], figures["returned"]) == ("8.00", 5, 1)
    paid, drop = paper.money.paid, paper.money.drop
    assert figures["paid_share"] == round(100 * paid / drop, 1)
    assert float(figures["hold"]) == pytest.approx((drop - paid) / 1_000_000, abs=0.01)
    assert figures["faults"] == len(paper.faults) + len(paper.services)
    assert figures["refusals"] == sum(paper.refused.values())


def test_nothing_is_told_by_the_hour_before_ten_minutes_of_play(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND * 9)
        few = describe_figures(tally_of(table))
        table.play(*HAND * 3)
        enough = describe_figures(tally_of(table))
    assert (few["hands_an_hour"], few["growth_an_hour"]) == (None, None)
    assert enough["hands_an_hour"] == pytest.approx(60, abs=6)
    assert float(enough["growth_an_hour"]) == pytest.approx(60 * 2 * 1.4, rel=0.1)


def test_a_pause_is_no_play(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND * 12)
        before = describe_figures(tally_of(table))["play_s"]
        table.play("wait 40m", *HAND)
        after = describe_figures(tally_of(table))["play_s"]
    assert before == pytest.approx(11 * 60, abs=15)
    assert after == pytest.approx(before, abs=61)


def test_the_course_has_each_fault_refusal_award_and_person_at_its_time(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND, "unplug display", "wait 20s", "plug display", "wait 5s", "press COIN_IN")
        table.play("press FLUSH", "key JPL", "press JPOT", "wait 30s", "key R")
        table.simulated_table.service.report(Entered("anna", (Duty.TECHNICIAN,)))
        table.play("declare hand-void 1", "press GAME_OVER", "unplug rail", "wait 3s")
        course = describe_course(tally_of(table))
        walls = {record.wall for record in table.records}
    lost, present = course["faults"]
    assert (lost["code"], present["code"]) == ("DISPLAY_LOST", "RAIL_LOST")
    assert 18 < lost["until"] - lost["at"] < 24
    assert present["until"] is None
    assert [(one["code"], one["round"]) for one in course["refusals"]] == [("NOT_OPEN", 1)]
    assert course["refusals"][0]["at"] in {seconds_of(wall) for wall in walls}
    assert [one["state"] for one in course["awards"]] == ["pending", "paid"]
    void, entered = course["people"]
    assert entered["who"] == "anna"
    assert entered["text"] == {"it": "entra (tecnico)", "en": "entered (technician)"}
    assert (void["who"], void["text"]["it"]) == ("capotavolo", "mano 1 nulla")


def test_time_in_service_stands_among_the_faults(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND, "press GAME_OVER", "press COIN_IN", "key S", "wait 60s", "key R")
        (service,) = describe_course(tally_of(table))["faults"]
    assert service["code"] == "SERVICE"
    assert service["until"] - service["at"] == pytest.approx(60, abs=2)


def test_tokens_are_counted_by_seat_and_hour(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND, *HAND, "wait 1h", *HAND)
        first, second = describe_course(tally_of(table))["seats"]
    assert second["hour"] - first["hour"] == 3600
    assert (first["tokens"], second["tokens"]) == ([2, 0, 2, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0, 0])


def test_a_start_in_the_night_is_marked(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*HAND, "power off", "wait 5s", "power on", "wait 5s")
        opening, later = describe_course(tally_of(table))["starts"]
    assert later - opening == pytest.approx(65, abs=2)


def test_the_drop_grows_from_the_opening(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play("wait 1h", *HAND * 3)
        course = course_of_drop(tally_of(table).rounds)
    assert course["cents"] == [400, 800, 1200]
    assert course["hours"][0] == 0
    assert course["hours"][-1] == pytest.approx(2 / 60, abs=0.01)
