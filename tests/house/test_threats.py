"""docs/explanation/threat-tests.md: each threat has a result and, unless it is open, a test that is
there.
"""

import pytest

from tests.house.documents import definitions_in, page, rows
from tests.house.sources import ROOT

THREATS = [
    row
    for row in rows(page("docs/explanation/threat-tests.md"))
    if len(row) == 5 and row[0] not in ("attacker", "---")
]


@pytest.mark.parametrize("threat", THREATS, ids=lambda row: row[1][:60])
def test_each_threat_is_tried(threat: list[str]) -> None:
    """Its last cell names tests as pytest takes them, one or several."""
    _, _, result, by, tests = threat
    assert result in ("stopped", "shown", "open")
    assert by, "what stops it, shows it, or would help?"
    if result == "open":
        return
    for named in tests.split(", "):
        file, _, test = named.partition("::")
        assert (ROOT / file).is_file(), named
        assert not test or test in definitions_in(ROOT / file), named
