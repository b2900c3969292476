"""The chapter on the supervisor's page says what the code does."""

from console.web.serving.entrance import login
from console.web.serving.supervisor import answers, figures, reading_thread
from tests.house.documents import page

TEXT = " ".join(page("docs/reference/supervisor.md").split())


def test_the_chapter_has_the_bounds_that_are_in_force() -> None:
    for sentence in (
        f"ends {login.IDLE_S // 60} minutes after",
        f"after {login.LONGEST_S // 3600} hours in any case",
        f"At most {login.MOST_OF_ONE_PERSON} sessions of one person are open",
        f"records read for one answer | {reading_thread.MOST_RECORDS:,} ",
        f"the newest {figures.MOST_ROUNDS:,};",
        f"points of one plot | {figures.MOST_SHOWN:,}:",
        f"records of a bordereau | {answers.MOST_REPORT_RECORDS:,};",
        f"nights that are listed | {figures.MOST_NIGHTS} |",
        f"{reading_thread.READ_WITHIN_S:.0f} s; {reading_thread.WAITING} questions may wait",
        f"longer than {figures.LONGEST_HAND_MS // 60_000} minutes",
    ):
        assert sentence in TEXT, sentence
