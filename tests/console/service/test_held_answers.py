"""What the journal holds of the centre's answers (docs/reference/link-rules.md, 3.13)."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.rules.acts import (
    KINDS,
    Act,
)
from console.rules.link import (
    Answer,
    AwardState,
    Change,
    Held,
    LinkedAward,
    Open,
    Rejoined,
    Shown,
)
from console.rules.link_state import (
    LinkAnswered,
    LinkRejoined,
    LinkShown,
)
from console.rules.round.draft import ActOutcome
from console.service.disk import RECORDS_A_PAGE, read_held
from jackpot.failures import LedgerUnavailable
from jackpot.ledger.journal import SNAPSHOT, Encodable, Entry
from jackpot.ledger.ledger import Ledger
from jackpot.money.amounts import Cents
from jackpot.money.prizes import Combination
from jackpot.trust.signing import PrivateKey
from tests.jackpot.archives import make_archive

AWARD = LinkedAward(
    "t/round-1/award-1", 1, Combination.FLUSH, AwardState.PENDING, Cents(9), Cents(9), 1, 1, 1, 0
)


def make_answer(n: int, *acts: int) -> LinkAnswered:
    changes = tuple(Change(act, AWARD, None) for act in acts)
    return LinkAnswered(Answer(n, f"hash {n}", Cents(1), changes=changes), Open(n, n))


def make_shown(*acts: int) -> LinkShown:
    return LinkShown(Shown(Cents(1), tuple(Change(act, AWARD, None) for act in acts)))


def write(folder: Path, *acts: Act, outcome: ActOutcome = ActOutcome.DONE) -> None:
    with closing(Ledger.open(folder, durable=False, begun=True)) as ledger:
        ledger.begin(ledger.recovered.boot + 1)
        for act in acts:
            body: dict[str, Encodable] = {"act": act, "outcome": outcome, "changes": {}}
            ledger.commit([Entry(KINDS[type(act)], 0, 0, "wall", 1, body)])


def read_all(folder: Path, after: int) -> Iterator[Held]:
    """All pages."""
    seq: int | None = 0
    while seq is not None:
        page = read_held(folder, after, seq)
        yield from page.held
        seq = page.last


def numbers(folder: Path, after: int) -> list[int]:
    """The calls, in their order; 0 for changes that a beat brought."""
    return [held.call.n if held.call is not None else 0 for held in read_all(folder, after)]


def begin(folder: Path) -> None:
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([Entry(SNAPSHOT, 0, 0, "wall", 1, {"state": {}})])


def test_calls_come_with_their_answers_and_beats_with_their_changes(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, make_answer(1), make_answer(2, 7), make_shown(), make_shown(8), make_answer(3))
    held = list(read_all(tmp_path, 0))
    assert [one.call for one in held] == [Open(1, 1), Open(2, 2), None, Open(3, 3)]
    assert [[change.act for change in one.changes] for one in held] == [[], [7], [8], []]
    assert held[1].answer == Answer(2, "hash 2", Cents(1))


def test_they_begin_with_the_call_before(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, *(make_answer(n) for n in range(1, 10)))
    assert numbers(tmp_path, 5) == [4, 5, 6, 7, 8, 9]
    assert numbers(tmp_path, 9) == [8, 9]


def test_a_page_is_bounded(tmp_path: Path) -> None:
    begin(tmp_path)
    many = 2 * RECORDS_A_PAGE + 3
    write(tmp_path, *(make_answer(n) for n in range(1, many + 1)))
    assert len(read_held(tmp_path, 0, 0).held) == RECORDS_A_PAGE
    assert numbers(tmp_path, 0) == list(range(1, many + 1))


def test_what_had_no_effect_was_no_answer(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, make_answer(1))
    write(tmp_path, make_answer(1), outcome=ActOutcome.NO_EFFECT)
    assert numbers(tmp_path, 0) == [1]


def test_calls_of_an_older_epoch_are_left_out(tmp_path: Path) -> None:
    begin(tmp_path)
    rejoined = LinkRejoined(Rejoined(2, 1, "hash", 3, ()))
    write(tmp_path, make_answer(1), make_answer(2), rejoined, make_answer(2), make_answer(3))
    assert numbers(tmp_path, 1) == [2, 3]


def test_without_an_answer_there_is_nothing(tmp_path: Path) -> None:
    begin(tmp_path)
    assert read_held(tmp_path, 0, 0).held == ()


def test_answers_in_an_archive_are_not_to_be_had(tmp_path: Path) -> None:
    begin(tmp_path)
    write(tmp_path, make_answer(1), make_answer(2))
    with closing(Ledger.open(tmp_path, durable=False, begun=True)) as ledger:
        ledger.begin(ledger.recovered.boot + 1)
        ledger.commit([Entry(SNAPSHOT, 0, 0, "wall", 1, {"state": {}})])
    write(tmp_path, make_answer(3), make_answer(4))
    make_archive(tmp_path, PrivateKey(Ed25519PrivateKey.generate()), last=3)
    assert numbers(tmp_path, 5) == [4]
    with pytest.raises(LedgerUnavailable, match="from call 1 on are in an archive"):
        read_held(tmp_path, 2, 0)
