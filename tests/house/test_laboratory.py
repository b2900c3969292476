"""docs/reference/laboratory.md: each requirement has a verdict, and what shows it is there."""

import pytest

from tests.house.documents import definitions_in, page, rows
from tests.house.sources import ROOT

REQUIREMENTS = [
    row
    for row in rows(page("docs/reference/laboratory.md"))
    if len(row) == 6 and row[0][:1].isdigit()
]
NEED_A_TEST = ("met", "met if fitted", "partly")
NEED_NONE = ("the house's", "not ours")


@pytest.mark.parametrize("row", REQUIREMENTS, ids=lambda row: row[0])
def test_a_requirement_is_shown_by_what_it_names(row: list[str]) -> None:
    _, requirement, source, verdict, what_there_is, by = row
    assert requirement, "what is asked?"
    assert source, "who asks it?"
    assert what_there_is, "what does banco do, or the house?"
    assert verdict in (*NEED_A_TEST, *NEED_NONE)
    assert by or verdict in NEED_NONE, "which test shows it?"
    for test in filter(None, by.split(", ")):
        file, _, name = test.partition("::")
        assert (ROOT / file).is_file(), test
        assert not name or name in definitions_in(ROOT / file), test


def test_requirements_are_numbered_once() -> None:
    numbers = [row[0] for row in REQUIREMENTS]
    assert sorted(set(numbers)) == sorted(numbers)
    assert len(numbers) == 63
