"""The chapter on the supervisor's page says what the code does."""

from console.web.serving import figures, figures_plots, figures_reading, reading, sessions
from console.web.serving import supervisor_answers as answers
from tests.house.documents import page

TEXT = " ".join(page("docs/supervisor.md").split())


def test_the_chapter_has_the_bounds_that_are_in_force() -> None:
    for told in (
        f"ends {sessions.IDLE_S // 60} minutes after",
        f"after {sessions.LONGEST_S // 3600} hours in any case",
        f"At most {sessions.MOST_SESSIONS} people are in",
        f"records read for one answer | {reading.MOST_RECORDS:,} ",
        f"the newest {figures.MOST_ROUNDS:,};",
        f"points of one plot | {figures_plots.MOST_SHOWN:,}:",
        f"records of a bordereau | {answers.MOST_REPORT_RECORDS:,};",
        f"nights that are listed | {figures_reading.MOST_NIGHTS} |",
        f"{reading.READ_WITHIN_S:.0f} s; {reading.WAITING} questions may wait",
        f"longer than {figures.LONGEST_HAND_MS // 60_000} minutes",
    ):
        assert told in TEXT, told
