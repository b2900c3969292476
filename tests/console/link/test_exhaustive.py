"""Every order of acts in small scopes, and that it finds what it is for (exhaustive.py)."""

from dataclasses import replace

import pytest

from console.rules.link import AnyCall
from console.simulation.centre.books import MemberRow
from tests.console.link.broken_centres import BREAKS
from tests.console.link.exhaustive import SCOPES, Scope, ScopeFailed, explore
from tests.console.link.model.books import OperatedBooks
from tests.console.link.model.membership import CentreMembership

DEPTH = 5
"""Deep enough to leave, to be let in again, and to put the older card in; `make nightly` goes
deeper."""


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_the_invariants_hold_in_every_order(scope: Scope) -> None:
    counts = explore(replace(scope, depth=DEPTH - 1))
    assert counts["states"] > 50


def test_an_older_card_after_leave_and_join_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hole that 10,000 random schedules had not met: what was known was forgotten."""
    forget_what_is_known(monkeypatch)
    scope = find_scope("leave, join, older cards")
    with pytest.raises(ScopeFailed, match="a clone is welcome") as failed:
        explore(replace(scope, depth=DEPTH))
    found = str(failed.value)
    for act in ("a: copy the card", "a: leave", "a: admit", "a: older card"):
        assert act in found


def forget_what_is_known(patch: pytest.MonkeyPatch) -> None:
    """As it was: who is let in again is unknown, and a lower number gets its stored answer."""
    admit = CentreMembership.admit

    def admit_unknown(self: CentreMembership, name: str) -> None:
        admit(self, name)
        books: OperatedBooks = self._books
        books.members[name].last = None

    def has_any(row: MemberRow, call: AnyCall) -> bool:
        return (row.epoch, call.n) in row.entries

    patch.setattr(CentreMembership, "admit", admit_unknown)
    patch.setattr(MemberRow, "has_stored", has_any)


FOUND = {
    "the proof: a clone is welcome": "leave, join, older cards",
    "the numbers: a call that comes again is done again": "a tie, calls lost, restarts",
    "an award is final a second time": "a tie, calls lost, restarts",
    "an award is final while a round may join": "a tie of three",
    "an award is final before all its tables agreed": "a tie of three",
    "no award is joined": "a tie of three",
    "a hold does not end": "a tie of three",
    "the base is not put in": "operators",
    "the jackpot is lowered in a staked round": "operators",
}
"""Rules of broken_centres.py, and the scope that finds them."""


@pytest.mark.parametrize("rule", FOUND)
def test_a_rule_broken_on_purpose_is_found(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    BREAKS[rule](monkeypatch)
    with pytest.raises(ScopeFailed):
        explore(replace(find_scope(FOUND[rule]), depth=DEPTH))


def find_scope(name: str) -> Scope:
    (scope,) = (one for one in SCOPES if one.name == name)
    return scope
