"""The benchmarks are all on their page, and end with a table of goals."""

from tests.bench.__main__ import NAMES
from tests.bench.figures import Figure, Goal, table_of_goals
from tests.house.documents import page
from tests.house.sources import ROOT


def test_every_benchmark_can_be_named_and_is_on_the_page() -> None:
    files = {path.stem.removeprefix("bench_") for path in ROOT.glob("tests/bench/bench_*.py")}
    assert set(NAMES) == files
    (named,) = [line for line in page("docs/dev/benchmarks.md").splitlines() if "one of:" in line]
    assert named.partition("one of: ")[2] == ", ".join(NAMES)


def test_the_table_says_what_was_measured_and_whether_the_goal_is_met() -> None:
    figures = [
        Figure("rounds", 491.4, "a second", Goal(1000, at_least=True)),
        Figure("edge", 357, "us", Goal(1.0, "mpf"), ratios={"mpf": 0.5}),
        Figure("size", 3, "MB"),
    ]
    assert table_of_goals(figures).splitlines() == [
        "figure  measured  goal",
        "rounds  491       value >= 1000  missed",
        "edge    0.5       mpf <= 1       met",
    ]
