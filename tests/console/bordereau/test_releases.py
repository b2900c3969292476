"""The releases that the service ran, on the bordereau: their versions and digests."""

import json
from pathlib import Path

from console.bordereau.json import json_of
from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import COLUMNS, group_hash, text_of
from console.rules.acts import Started
from console.rules.release_marks import ReleaseFound
from tests.console.bordereau.played_nights import IN_ENGLISH, IN_ITALIAN
from tests.console.bordereau.test_configurations import ROUND
from tests.console.table import table_in

FIRST, SECOND = ("ab" * 32, "cd" * 32)


def test_each_release_of_the_night_is_in_it_once(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*ROUND)
        for version, digest in (("1.2.3", FIRST), ("1.2.3", FIRST), ("1.2.4", SECOND)):
            found = ReleaseFound(version, digest, "the key", "21:00")
            table.simulated_table.service.report(Started(release=found))
            table.play("wait 1s")
        folder = tmp_path / "ledger"
        report = bordereau_of(folder, newest_night(folder))
    assert [one.version for _, one in report.releases] == ["1.2.3", "1.2.4"]
    releases = json.loads(json_of(report))["releases"]
    assert [one["sha256"] for one in releases] == [FIRST, SECOND]
    for say in (IN_ENGLISH, IN_ITALIAN):
        text = text_of(sheet_of(report, say))
        assert max(map(len, text.splitlines())) <= COLUMNS
        for line in (*group_hash(FIRST), *group_hash(SECOND)):
            assert line in text


def test_a_checkout_leaves_the_bordereau_as_it_was(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*ROUND)
        folder = tmp_path / "ledger"
        report = bordereau_of(folder, newest_night(folder))
    assert report.releases == ()
    assert "releases" not in json.loads(json_of(report))
