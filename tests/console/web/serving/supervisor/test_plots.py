"""Plots have as many points as can be shown, and lose neither the highest nor the lowest."""

from random import Random

from console.web.serving.supervisor.figures import (
    MOST_SHOWN,
    Point,
    RoundFigures,
    plot_columns,
    seconds_of,
    thin_out,
)


def test_a_plot_has_no_more_points_than_it_can_show() -> None:
    rounds = [
        RoundFigures(number, "2026-11-20T21:00:00+00:00", "2026-11-20T21:00:10+00:00", 1_000, 7)
        for number in range(1, 2 * MOST_SHOWN + 2)
    ]
    columns = plot_columns(rounds, [])
    assert columns["rounds_a_point"] == 3
    assert len(columns["stakes"]["round"]) <= MOST_SHOWN
    assert set(columns["stakes"]["value"]) == {7.0}
    assert set(columns["hands"]["value"]) == {1.0}


def test_thinned_points_keep_the_highest_and_the_lowest() -> None:
    random = Random(3)
    points = [(float(at), random.randrange(1_000_000)) for at in range(50_000)]
    shown = list(thin_out(points, MOST_SHOWN))
    assert len(shown) <= MOST_SHOWN
    assert shown == sorted(shown)
    assert set(shown) <= set(points)
    values = [value for _, value in points]
    assert {max(values), min(values)} <= {value for _, value in shown}


def test_a_label_that_is_no_time_is_left_out_of_the_jackpots_plot() -> None:
    columns = plot_columns([], [Point("yesterday", 1), Point("2026-11-20T21:00:00+00:00", 70_000)])
    assert columns["jackpot"] == {"at": [seconds_of("2026-11-20T21:00:00+00:00")], "cents": [7]}
