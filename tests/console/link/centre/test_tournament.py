"""The tournament jackpot (docs/reference/link-rules.md, section 6)."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from psycopg.errors import (
    CheckViolation,
    DatetimeFieldOverflow,
    ForeignKeyViolation,
    InsufficientPrivilege,
    InvalidParameterValue,
    UniqueViolation,
)

from console.link.centre.books import find_book_differences
from console.link.centre.membership import admit_member
from console.link.centre.proposals import ProposalRefusal, ProposalText, TwoPeopleAct, propose
from console.link.centre.room_reading import read_room
from console.link.centre.tournament import CashDesk, Level, TournamentRefusal
from console.rules.link import Barred, CentreBars
from jackpot.money.amounts import Cents
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centre.tournament_house import (
    BASE,
    FEE,
    MONDAY,
    POKER,
    TUESDAY,
    TournamentHouse,
)


@pytest.fixture
def house(postgres: PostgresCentre) -> TournamentHouse:
    """A house on Monday, with the tournament "night" in its first level."""
    house = TournamentHouse(postgres)
    house.begin(MONDAY, "night")
    return house


def test_all_of_a_fee_goes_to_the_jackpot(house: TournamentHouse) -> None:
    """LINK 6.2, 6.3: both fees and base are in it."""
    answer = house.cashier.sell_fee(MONDAY, "night", "1")
    assert (answer.refusal, answer.again, answer.cash_desk) == (None, False, "cash-1")
    assert answer.today == house.now
    assert house.now.amount == BASE + FEE
    assert house.now.fees == 1
    assert house.balances.tray == -FEE * 10_000
    assert house.balances.house == -BASE * 10_000
    assert list(find_book_differences(house.centre.superuser)) == []


def test_a_fee_told_again_at_any_desk_is_booked_once(house: TournamentHouse) -> None:
    """LINK 6.8: the identity is day/tournament/ticket."""
    first = house.cashier.sell_fee(MONDAY, "night", "1")
    house.cashier.sell_fee(MONDAY, "night", "2")
    for cashier in (house.cashier, house.other_cashier):
        again = cashier.sell_fee(MONDAY, "night", "1")
        assert again.again
        assert (again.n, again.cash_desk, again.refusal) == (first.n, first.cash_desk, None)
    assert house.now.amount == BASE + 2 * FEE
    assert house.now.tournaments[0].fees == 2


def test_a_call_told_again_writes_so_that_its_answer_waits_for_the_standby(
    house: TournamentHouse,
) -> None:
    query = "SELECT xmin::text FROM link.member WHERE name = 'cash-1'"
    house.cashier.sell_fee(MONDAY, "night", "1")
    before = house.centre.one(query)
    assert house.cashier.sell_fee(MONDAY, "night", "1").again
    assert house.centre.one(query) != before


def test_a_fee_told_again_after_the_level_has_the_answer_that_it_had(
    house: TournamentHouse,
) -> None:
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    house.begin(TUESDAY)
    again = house.cashier.sell_fee(MONDAY, "night", "1")
    assert (again.refusal, again.again) == (None, True)
    assert house.now.amount == BASE + FEE


def test_fees_are_sold_until_the_end_of_the_first_level(house: TournamentHouse) -> None:
    """LINK 6.2, 6.8: LEVEL_OVER."""
    house.begin_tournament(MONDAY, "late")
    house.cashier.set_level(MONDAY, "night", Level.LATE)
    assert house.cashier.sell_fee(MONDAY, "night", "1").refusal is TournamentRefusal.LEVEL_OVER
    assert house.cashier.sell_fee(MONDAY, "late", "1").refusal is None
    house.cashier.set_level(MONDAY, "late", Level.OVER)
    assert house.cashier.sell_fee(MONDAY, "late", "2").refusal is TournamentRefusal.LEVEL_OVER
    assert house.now.amount == BASE + FEE


def test_what_was_refused_is_on_record_and_may_be_asked_again(house: TournamentHouse) -> None:
    refused = house.cashier.sell_fee(MONDAY, "late", "1")
    assert refused.refusal is TournamentRefusal.NO_TOURNAMENT
    stored = house.centre.one(
        "SELECT answer ->> 'refusal' FROM link.entry WHERE member = 'cash-1' AND n = %s", refused.n
    )
    assert stored == "NO_TOURNAMENT"
    house.begin_tournament(MONDAY, "late")
    assert house.cashier.sell_fee(MONDAY, "late", "1").refusal is None


@pytest.mark.parametrize(
    ("level", "share"), [(Level.FIRST, 10_000), (Level.LATE, 3_000), (Level.OVER, 0)]
)
def test_the_level_says_the_share(house: TournamentHouse, level: Level, share: int) -> None:
    """LINK 6.4: 100 %, 30 %, nothing."""
    house.cashier.set_level(MONDAY, "night", level)
    (tournament,) = house.now.tournaments
    assert (tournament.level, tournament.share) == (level, share)


def test_a_level_never_goes_back(house: TournamentHouse) -> None:
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    answer = house.other_cashier.set_level(MONDAY, "night", Level.LATE)
    assert answer.refusal is TournamentRefusal.LEVEL_OVER
    assert house.cashier.set_level(MONDAY, "night", Level.FIRST).again
    assert house.now.tournaments[0].level is Level.OVER


def test_a_tournament_begins_with_its_first_level(house: TournamentHouse) -> None:
    answer = house.cashier.set_level(MONDAY, "nihgt", Level.LATE)
    assert answer.refusal is TournamentRefusal.NO_TOURNAMENT
    with pytest.raises(InvalidParameterValue):
        house.cashier.set_level(MONDAY, "a/b", Level.FIRST)


def test_a_win_in_the_first_level_takes_all(house: TournamentHouse) -> None:
    """LINK 6.4: 100 %."""
    house.cashier.sell_fee(MONDAY, "night", "1")
    assert house.win("1") is None
    win = house.now.win
    assert win is not None
    assert (win.ticket, win.share, win.reading, win.amount) == ("1", 10_000, 1_000_500, 1_000_500)
    assert house.now.amount == 0
    assert house.balances.paid == 1_000_500 * 10_000
    assert list(find_book_differences(house.centre.superuser)) == []


def test_a_win_later_takes_thirty_per_cent_and_the_rest_stays(house: TournamentHouse) -> None:
    """LINK 6.4, 6.10: rounded down to a cent."""
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.centre.superuser.execute(
        "UPDATE link.jackpot SET jackpot = jackpot + 30000, house = house - 30000 "
        "WHERE id = 'poker'"
    )  # 3 cents more: 30 % of 10,005.03 is 3,001.509
    house.cashier.set_level(MONDAY, "night", Level.LATE)
    assert house.win("1", Level.LATE) is None
    win = house.now.win
    assert win is not None
    assert (win.reading, win.amount) == (1_000_503, 300_150)
    assert house.now.amount == 1_000_503 - 300_150
    house.begin(TUESDAY)
    assert house.now.amount == BASE


def test_the_hand_decides_not_the_moment_of_telling(house: TournamentHouse) -> None:
    house.cashier.sell_fee(MONDAY, "night", "1")
    assert house.win("1", Level.LATE) is ProposalRefusal.LEVEL_NOT_REACHED
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    with pytest.raises(InvalidParameterValue, match="level: 1 or 2"):
        house.win("1", Level.OVER)
    assert house.win("1", Level.FIRST) is None


def test_only_a_ticket_that_paid_in_that_tournament_wins(house: TournamentHouse) -> None:
    """LINK 6.2: only buyers."""
    house.begin_tournament(MONDAY, "late")
    house.cashier.sell_fee(MONDAY, "late", "1")
    assert house.win("1", tournament="night") is ProposalRefusal.FEE_NOT_PAID
    assert house.win("2", tournament="late") is ProposalRefusal.FEE_NOT_PAID
    assert house.win("1", tournament="late") is None


def test_once_won_there_is_no_other_that_day_in_any_tournament(house: TournamentHouse) -> None:
    """LINK 6.6, 6.8: WON_TODAY."""
    house.begin_tournament(MONDAY, "late")
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.cashier.sell_fee(MONDAY, "late", "2")
    assert house.win("1") is None
    assert house.win("1") is None  # told again
    assert house.win("2", tournament="late") is ProposalRefusal.WON_TODAY
    assert house.cashier.sell_fee(MONDAY, "late", "3").refusal is TournamentRefusal.WON_TODAY
    assert [tournament.share for tournament in house.now.tournaments] == [0, 0]
    assert house.balances.paid == 1_001_000 * 10_000


def test_it_begins_again_with_the_next_day(house: TournamentHouse) -> None:
    """LINK 6.7, 6.8: with the base."""
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.win("1")
    house.begin(TUESDAY, "night")
    assert (house.now.amount, house.now.fees, house.now.win) == (BASE, 0, None)
    assert house.cashier.sell_fee(TUESDAY, "night", "1").refusal is None
    assert house.win("1", day=TUESDAY) is None
    assert house.balances.house == -2 * BASE * 10_000


def test_the_base_comes_from_the_reserve_first(postgres: PostgresCentre) -> None:
    house = TournamentHouse(postgres, opening=Cents(400_000))
    postgres.superuser.execute(
        "UPDATE link.jackpot SET reserve = reserve + 1000000000, house = house - 1000000000 "
        "WHERE id = 'poker'"
    )
    house.begin(MONDAY)
    assert house.now.amount == BASE
    assert house.balances.reserve == 0
    assert house.cashier.begin_day(MONDAY).again
    assert house.now.amount == BASE


def test_a_day_never_comes_back(house: TournamentHouse) -> None:
    later = house.cashier.sell_fee(TUESDAY, "night", "1")
    assert later.refusal is TournamentRefusal.DAY_NOT_BEGUN
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    house.begin(TUESDAY)
    for answer in (
        house.cashier.sell_fee(MONDAY, "night", "1"),
        house.cashier.set_level(MONDAY, "other", Level.FIRST),
        house.cashier.begin_day(MONDAY - timedelta(days=1)),
    ):
        assert answer.refusal is TournamentRefusal.DAY_OVER
    assert house.win("1") is ProposalRefusal.DAY_OVER
    assert house.now.day == TUESDAY


def test_a_day_in_a_mistyped_year_is_refused_and_ends_nothing(house: TournamentHouse) -> None:
    """Else every real day were DAY_OVER, for ever: a day never comes back."""
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    today = datetime.now(UTC).date()
    for day in (today + timedelta(days=4), TUESDAY.replace(year=9999)):
        assert house.cashier.begin_day(day).refusal is TournamentRefusal.DAY_FAR_AHEAD
    assert house.now.day == MONDAY
    house.begin(TUESDAY)
    house.begin(today + timedelta(days=2))


@pytest.mark.parametrize(
    "day", ["infinity", "5000000-01-01", "today", "24.11.2026", "2026-02-30", "", None, 1, {}]
)
def test_a_day_is_a_date_that_all_can_read(postgres: PostgresCentre, day: object) -> None:
    """Else neither desks nor the room could show any jackpot, for ever: a day never comes back."""
    house = TournamentHouse(postgres)
    call = json.dumps({"call": "day", "day": day})
    with pytest.raises((InvalidParameterValue, DatetimeFieldOverflow)):
        postgres.connect("cash-2").execute("SELECT link.day(%s::jsonb)", (call,))
    read_room(postgres.superuser)
    assert house.cashier.begin_day(TUESDAY).refusal is None


@pytest.mark.parametrize(
    "changed",
    [
        {"more": "x" * 60_000},
        {"tournament": "x" * 60_000},
        {"ticket": "x" * 60_000},
        {"ticket": None},
        {"level": "1"},
    ],
)
def test_a_desk_says_what_its_call_says_and_nothing_beside(
    postgres: PostgresCentre, changed: dict[str, str | None]
) -> None:
    """A call that is refused is stored each time that it is told."""
    TournamentHouse(postgres)
    fee = {"call": "fee", "day": str(MONDAY), "tournament": "night", "ticket": "1"}
    with pytest.raises(InvalidParameterValue):
        postgres.connect("cash-2").execute(
            "SELECT link.fee(%s::jsonb)", (json.dumps(fee | changed),)
        )
    assert postgres.one("SELECT count(*) FROM link.entry") == 0


def test_no_day_begins_while_a_tournament_may_still_be_won(house: TournamentHouse) -> None:
    house.cashier.set_level(MONDAY, "night", Level.LATE)
    assert house.cashier.begin_day(TUESDAY).refusal is TournamentRefusal.TOURNAMENT_RUNNING
    house.cashier.set_level(MONDAY, "night", Level.OVER)
    assert house.cashier.begin_day(TUESDAY).refusal is None


def test_a_table_cannot_play_for_it_nor_a_desk_for_another(house: TournamentHouse) -> None:
    """LINK 6.1: its members are cash desks."""
    admit_member(house.centre.superuser, "cash-9", JACKPOT)  # a table's jackpot
    house.centre.superuser.execute('GRANT link_cash_desk TO "cash-9"')
    with pytest.raises(CentreBars) as barred:
        CashDesk(house.centre.connect("cash-9")).sell_fee(MONDAY, "night", "1")
    assert barred.value.barred is Barred.NOT_A_MEMBER


def test_a_tournament_alone_has_wins(house: TournamentHouse) -> None:
    asked = '{"day": "2025-11-24", "tournament": "night", "ticket": "1", "level": "1"}'
    with pytest.raises(InvalidParameterValue, match="stud is no tournament jackpot"):
        house.centre.connect("olga").execute(
            "SELECT link.propose(%s, 'win', %s::jsonb)", (JACKPOT, asked)
        )


WIN = (
    "INSERT INTO link.tournament_win (jackpot_id, day, tournament, ticket, level, share, reading, "
    "amount, act, proposal) SELECT 'poker', day, 'night', {ticket}, '1', 3000, 1001, {amount}, "
    "act, proposal FROM link.tournament_win"
)


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        (WIN.format(ticket="'1'", amount=300), UniqueViolation),
        (WIN.format(ticket="'1'", amount=301), CheckViolation),
        (
            "INSERT INTO link.tournament_fee "
            "(jackpot_id, day, tournament, ticket, member, epoch, n) "
            "VALUES ('poker', '2025-11-25', 'night', '1', 'cash-1', 1, 1)",
            ForeignKeyViolation,
        ),
        ("DELETE FROM link.tournament_fee", InsufficientPrivilege),
        ("UPDATE link.tournament_win SET amount = 0", InsufficientPrivilege),
        ("UPDATE link.tournament_level SET level = '2'", InsufficientPrivilege),
        ("TRUNCATE link.tournament_day CASCADE", InsufficientPrivilege),
    ],
)
def test_the_tables_keep_it_too(
    house: TournamentHouse, statement: str, error: type[Exception]
) -> None:
    """LINK 6.9: and append-only."""
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.win("1")
    with pytest.raises(error):
        house.centre.superuser.execute(statement.encode())


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("DELETE FROM link.tournament_fee", "fee 2025-11-24/night/1 of cash-1: in a call, in no"),
        ("DELETE FROM link.movement WHERE reason = 'fee'", "in the list, not booked"),
        ("UPDATE link.movement SET tray = tray + 1, house = house - 1", "booked wrong"),
        (
            "UPDATE link.tournament_win SET reading = 0, amount = 0",
            "win poker/2025-11-24/win/final",
        ),
        ("DELETE FROM link.tournament_win", "none, its movement 1000500, its act none"),
        ("DELETE FROM link.proposal WHERE approves IS NOT NULL", "win, without two operators"),
    ],
)
def test_the_audit_names_what_was_changed_all_the_same(
    house: TournamentHouse, statement: str, named: str
) -> None:
    house.cashier.sell_fee(MONDAY, "night", "1")
    house.win("1")
    assert list(find_book_differences(house.centre.superuser)) == []
    with house.centre.superuser.transaction(force_rollback=True):
        house.centre.superuser.execute("SET LOCAL session_replication_role = replica")
        house.centre.superuser.execute(statement.encode())
        assert named in "\n".join(find_book_differences(house.centre.superuser))


def test_what_is_of_tables_is_not_proposed_for_it(house: TournamentHouse) -> None:
    text = ProposalText(POKER, TwoPeopleAct.ROUND_OVER, {"member": "cash-1"})
    with pytest.raises(InvalidParameterValue, match="round-over is not for a tournament jackpot"):
        propose(house.centre.connect("olga"), text)
