"""Names and currency of a record are those of the settings before it."""

from pathlib import Path

import pytest

from console.bordereau.names_in_force import NamesInForce, name_currencies, names_before
from console.rules.acts import KINDS, Adopted
from console.rules.records import SNAPSHOT
from console.texts.table_texts import NOT_KNOWN
from jackpot.ledger.journal import Record
from jackpot.ledger.reading import read_records
from tests.console.table import table_in

PRIZES = Path(__file__).parents[2] / "scenarios" / "prizes" / "new-names.toml"
ROUND = ("press GAME_OVER", "token 1", "press COIN_IN", "press GAME_OVER", "press COIN_IN")
LONG = ROUND * 30
"""With a snapshot within it."""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a table that played in EUR, in CHF and in EUR again."""
    folder = tmp_path_factory.mktemp("table")
    disks = []
    for named in ((), (f"prizes {PRIZES}",), ()):
        with table_in(folder, *named) as table:
            table.play(*LONG)
            disks.append(table.machine.disk.folder)
    return disks[-1]


def adoptions(records: list[Record]) -> list[int]:
    return [one.seq for one in records if one.kind == KINDS[Adopted]]


def test_each_record_has_the_currency_in_force_in_either_order(ledger: Path) -> None:
    records = list(read_records(ledger))
    first, second, third = adoptions(records)
    snapshots = [one.seq for one in records if one.kind == SNAPSHOT]
    assert any(second < one < third for one in snapshots)
    expected = ["CHF" if second <= one.seq < third else "EUR" for one in records]
    onward, back = NamesInForce(ledger), NamesInForce(ledger, newest_first=True)
    assert [onward.at(one).currency for one in records] == expected
    assert [back.at(one).currency for one in records[::-1]] == expected[::-1]
    alone = [NamesInForce(ledger).at(one).currency for one in records]
    assert alone == expected
    assert names_before(ledger, first) == NOT_KNOWN


def test_all_currencies_of_a_stretch_are_named(ledger: Path) -> None:
    records = list(read_records(ledger))
    _, second, third = adoptions(records)
    last = records[-1].seq
    for after, to, named in (
        (0, second - 1, "EUR"),
        (0, second, "EUR / CHF"),
        (second - 2, second, "CHF"),
        (second - 1, third - 1, "CHF"),
        (second, third, "CHF / EUR"),
        (third - 1, last, "EUR"),
        (0, last, "EUR / CHF"),
    ):
        assert name_currencies(ledger, after, to) == named, (after, to)
