"""docs/how-to/selftest.md says what the self-test does, finds and prints."""

from pathlib import Path

import pytest

from console.texts.self_test_texts import GROUPS, PART_FINDINGS
from tests.console.technician.commands.robot_technician import RobotTechnician
from tests.console.technician.commands.selftest_records import report_in
from tests.console.technician.commands.technician_bench import open_bench
from tests.house.documents import blocks, page, rows

PAGE = page("docs/how-to/selftest.md")

PASSES = (
    *(
        "IN_ORDER",
        "VERSION",
        "PRESSED",
        "BOUNCED",
        "COUNTED_ONCE",
        "BOTH_WAYS",
        "FOUR_POSITIONS",
        "SEEN_AND_GONE",
    ),
    *("DROPPED", "TRAY_COUNTED", "LIT", "LEGIBLE", "IDENTITY", "FRAMES", "CENTRE"),
)
UNTESTED = ("SKIPPED", "NOT_ANSWERED", "NOT_DRIVEN", "AWAY", "NO_TOKEN", "QUIET", "ENDED")


class Capitals(dict[str, str]):
    """A figure stands on the page by its name."""

    def __missing__(self, key: str) -> str:
        return key.upper()


def test_every_group_stands_there_in_both_languages() -> None:
    rows_by_name = {row[0]: row[1] for row in rows(PAGE) if len(row) == 4 and row[0] in GROUPS}
    assert rows_by_name == GROUPS


@pytest.mark.parametrize("code", [code for code in PART_FINDINGS if code not in PASSES + UNTESTED])
def test_whatever_fails_stands_there_with_what_to_look_at(code: str) -> None:
    rows_by_name = {row[0]: row[1:] for row in rows(PAGE.split("## What was found")[1])}
    text = PART_FINDINGS[code].en.format_map(Capitals())
    assert all(rows_by_name[text]), text


def test_the_report_on_the_page_is_the_one_printed(tmp_path: Path) -> None:
    (example,) = blocks(PAGE, "report")
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_sensor(3)
        RobotTechnician(bench, "at seat 5").run("selftest seats")
        printed = report_in(bench.type_command("selftest show"))
    on_page = example.splitlines()
    assert (on_page[0], on_page[2:]) == (printed[0], printed[2:])  # the second line is the time
