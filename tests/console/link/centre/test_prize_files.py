"""Prizes of a file in PostgreSQL: the audit, a recovery, a centre of the first release."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from psycopg import Connection

from console.database.install import install_schema
from console.link.awaited_terms import describe_awaited
from console.link.centre.books import find_book_differences
from console.link.centre.membership import create_jackpot
from console.link.centre.postgres_calls import AnsweringCentre
from console.link.centre.proposals import ProposalText, TwoPeopleAct, read_settings
from console.link.centre.roles import load_link_schema
from console.link.centre.room_reading import read_room
from console.link.centre.status import read_status
from console.office.link.centre import render_status
from console.office.link.proposal_words import describe_proposal
from console.rules.link import CentreBars, MemberHello, Terms
from console.web.serving.room_signs import describe_sign, describe_wins
from jackpot.failures import Refused
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, Units
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import TERMS, LinkedTable, read_terms
from tests.console.link.member_calls.expected import ROYAL, why_awaited
from tests.console.link.member_calls.test_prize_files import HOUSE, HOUSE_TERMS, SUITED
from tests.console.link.servers import Server

NAME = "first_release"


@pytest.fixture
def begin(make_empty_centre: Callable[[], PostgresCentre]) -> Callable[[Terms], PostgresCentre]:
    """Begins a jackpot with these terms."""
    return lambda terms: make_empty_centre().begin(terms)


@pytest.fixture
def first_release(server: Server) -> Iterator[Connection]:
    """A database with the schema of the first release."""
    server.make_database(NAME)
    try:
        with server.connect(database=NAME) as connection:
            schema = load_link_schema()
            install_schema(connection, replace(schema, migrations=schema.migrations[:1]))
            yield connection
    finally:
        server.drop_database(NAME)


def test_the_audit_reckons_amounts_anew(begin: Callable[[Terms], PostgresCentre]) -> None:
    centre = begin(HOUSE_TERMS)
    table = seat_table(centre, "a", HOUSE_TERMS)
    table.open(stakes=3)
    table.claim(SUITED)
    table.claim(SUITED, 2)
    table.agree()
    table.claim(ROYAL)
    assert list(find_book_differences(centre.superuser)) == []
    centre.superuser.execute("UPDATE link.award SET amount = amount - 1 WHERE amount > 0")
    (found,) = find_book_differences(centre.superuser)
    assert found.startswith("award stud/1: final, 2 winners x 400000 of 1000420 makes 800000")


def test_people_read_what_the_file_says(begin: Callable[[Terms], PostgresCentre]) -> None:
    terms = HOUSE_TERMS
    centre = begin(TERMS)
    assert read_settings(centre.superuser, JACKPOT).terms == TERMS
    centre.member("a")
    table = LinkedTable("a", centre.member("a"), terms)
    words = why_awaited(table)
    assert words.startswith("it plays by other terms than the jackpot's: game caribbean-stud, ")
    assert words.endswith(
        "prizes currency CHF; overflow reserve; "
        "ROYAL_FLUSH key JPH share 60 ways 4/2598960; "
        "SUITED_21 key JPL amount 4000.00 it 21 DI COLORE en SUITED 21"
    )
    assert centre.settle(terms) is None
    assert read_settings(centre.superuser, JACKPOT).terms == terms
    table.hello()
    table.join()
    assert centre.settle(TERMS) is None
    assert read_settings(centre.superuser, JACKPOT).terms == TERMS


def test_operators_read_amounts_in_the_currency_of_the_file(
    begin: Callable[[Terms], PostgresCentre],
) -> None:
    centre = begin(HOUSE_TERMS)
    table = seat_table(centre, "a", HOUSE_TERMS)
    table.open(stakes=3)
    table.claim(SUITED)
    table.beat()
    status = read_status(centre.superuser)
    pending = {"member": "a", "identity": table.award}
    given = {"combination": SUITED, "winners": 1, "round": 1}
    money = {"source": "house", "target": "jackpot", "amount": 12_500, "reason": "why"}
    balances = Balances(jackpot=Units(20_000)).to_dict()
    settings = {"terms": to_builtins(HOUSE_TERMS, str_keys=True), "base": 1, "tie": "order"}
    asked: dict[TwoPeopleAct, dict[str, Any]] = {
        TwoPeopleAct.CORRECT: money,
        TwoPeopleAct.AWARD: pending | given,
        TwoPeopleAct.FINISH: pending,
        TwoPeopleAct.CANCEL: pending,
        TwoPeopleAct.JOIN: {"member": "a", "balances": balances},
        TwoPeopleAct.SETTINGS: settings,
    }
    texts = [ProposalText(JACKPOT, what, facts) for what, facts in asked.items()]
    pages = [describe_proposal(centre.superuser, text) for text in texts]
    for page in (render_status(status), *pages):
        assert "CHF" in "".join(page)
        assert "EUR" not in "".join(page)
    (jackpot,) = msgspec.json.decode(msgspec.json.encode(status))["jackpots"]
    assert jackpot["currency"] == "CHF"
    own = msgspec.json.encode(read_status(begin(TERMS).superuser))
    assert b"currency" not in own


def test_the_sign_has_the_words_of_the_file(begin: Callable[[Terms], PostgresCentre]) -> None:
    (jackpot,) = read_room(begin(HOUSE_TERMS).superuser).jackpots
    shown = describe_sign(jackpot, "en", simulated=True)["texts"]
    assert shown["it"]["combinations"][SUITED] == "21 DI COLORE"
    assert shown["en"]["combinations"] == {SUITED: "SUITED 21", "ROYAL_FLUSH": "ROYAL FLUSH"}
    (own,) = read_room(begin(TERMS).superuser).jackpots
    assert own.prize_file is None


def test_a_win_keeps_the_words_and_the_currency_of_its_own_time(
    begin: Callable[[Terms], PostgresCentre],
) -> None:
    centre = begin(read_terms(HOUSE))
    one = seat_table(centre, "a", read_terms(HOUSE))
    one.open()
    one.claim(SUITED)
    one.agree()
    one.close()
    text = HOUSE.replace("SUITED 21", "SUITED TWO").replace("CHF", "EUR")
    terms = to_builtins(read_terms(text), str_keys=True)
    assert centre.approve("settings", {"terms": terms, "base": 0, "tie": "split"}) is None
    other = seat_table(centre, "b", read_terms(text))
    other.open()
    other.claim(SUITED)
    (jackpot,) = read_room(centre.superuser).jackpots
    (pending,) = jackpot.awards
    assert pending.prize_file is not None
    assert [prize.en for prize in pending.prize_file.prizes] == ["SUITED TWO"]
    other.agree()
    (jackpot,) = read_room(centre.superuser).jackpots
    wins = describe_wins(jackpot)["wins"]
    assert [(win.name.en, win.currency) for win in wins] == [
        ("SUITED TWO", "EUR"),
        ("SUITED 21", "CHF"),
    ]


NO_TERMS = "it names what are no terms at all"
UNKNOWN = "no prize file that is known here"


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ([], NO_TERMS),
        ("all", NO_TERMS),
        (None, NO_TERMS),
        ({"prizes": 1}, UNKNOWN),
        ({"prizes": [], "currency": "\x1b[2J"}, UNKNOWN),
        ({"prizes": [{"combination": "X2", "share": 1, "high": True, "it": "\n"}]}, UNKNOWN),
    ],
)
def test_what_is_no_file_is_told_as_none(
    begin: Callable[[Terms], PostgresCentre], file: Any, words: str
) -> None:
    centre = begin(TERMS)
    centre.member("a")
    record = Head(1, "0" * 64)
    hello = to_builtins(MemberHello(1, TERMS, 0, "", record), str_keys=True)
    hello["terms"]["prize_file"] = file
    with pytest.raises(CentreBars) as bars:
        AnsweringCentre(centre.connect("a")).ask("hello", hello)
    assert bars.value.awaits is not None
    assert describe_awaited(bars.value.awaits, "EUR").endswith(words)


def test_an_amount_that_the_centre_does_not_know_waits_for_the_settings(
    begin: Callable[[Terms], PostgresCentre],
) -> None:
    terms = HOUSE_TERMS
    centre = begin(TERMS)
    table = seat_table(centre, "a", TERMS)
    centre.save()
    assert centre.settle(terms) is None
    table.terms = terms
    table.hello()
    table.open()
    table.claim(SUITED)
    table.agree()
    before = centre.total
    centre.set_back(None)
    centre.recover()
    assert (
        why_awaited(table) == "award 1 names the prize SUITED_21, 1 x 4000.00 EUR of 10001.40 EUR"
    )
    dearer = read_terms(HOUSE.replace("4000.00", "4000.01"))
    assert centre.settle(dearer) == "RECOVERING"
    assert centre.settle(terms) is None
    table.hello()
    assert centre.total == before
    assert list(find_book_differences(centre.superuser)) == []


def test_a_centre_of_the_first_release_is_brought_up_and_plays_on(
    first_release: Connection,
) -> None:
    terms = HOUSE_TERMS
    with pytest.raises(Refused, match="version 1, without prize files: bring it up"):
        create_jackpot(first_release, "other", terms, Cents(0), Cents(0), "split")
    create_jackpot(first_release, JACKPOT, TERMS, Cents(500_000), Cents(1_000_000), "split")
    assert list(find_book_differences(first_release)) == []
    assert read_settings(first_release, JACKPOT).terms == TERMS
    first_release.execute(
        "INSERT INTO link.award (jackpot_id, number, combination, share, reading, winners, each,"
        " total, state) VALUES ('stud', 1, 'FLUSH', 100, 1000000, 0, 0, 0, 'cancelled')"
    )
    assert install_schema(first_release, load_link_schema()) == len(load_link_schema().migrations)
    assert list(find_book_differences(first_release)) == []
    assert read_settings(first_release, JACKPOT).terms == TERMS
    create_jackpot(first_release, "other", terms, Cents(0), Cents(0), "split")
    assert read_settings(first_release, "other").terms == terms
