"""What two operators do at the centre (docs/reference/link-rules.md, 3.7 to 3.11)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import to_builtins

from console.rules.link import Agree, Cancel, Deliver
from console.simulation.centre.awards import CentreAwards, has_envy, is_own_award
from console.simulation.centre.books import AwardPart, MemberRow, SharedAward
from jackpot.money.accounts import Account, Reason
from jackpot.money.prizes import Combination
from tests.console.link.model.books import OperatedBooks

NO_CALL = 0
"""The number of what no member has called."""

Arguments = Mapping[str, Any]


class CentreOperators:
    """Each act returns why it is refused, or None. Its arguments are those of the proposal."""

    def __init__(
        self, books: OperatedBooks, awards: CentreAwards, end_round: Callable[[str], None]
    ) -> None:
        self._books = books
        self._awards = awards
        self._end_round = end_round

    def approve(self, what: str, arguments: Arguments) -> str | None:
        """Do what was proposed. Raises KeyError for what the model has not."""
        status = self._books.status.get(arguments.get("member", ""))
        joins = what == "join" and status is not None and status.recovering
        if self._books.behind and not joins:
            return "RECOVERING"
        acts: Mapping[str, Callable[[Arguments], str | None]] = {
            "correct": self.correct,
            "award": self.award,
            "finish": self.finish,
            "cancel": self.cancel,
            "round-over": self.end_member_round,
            "join": self.allow_join,
        }
        return acts[what](arguments)

    def correct(self, arguments: Arguments) -> str | None:
        """Money from one account of the centre's to another; in units (section 3.9)."""
        source, target = Account(arguments["source"]), Account(arguments["target"])
        amount = arguments["amount"]
        there = self._books.total
        if source is Account.JACKPOT and self._has_staked_round():
            return "ROUNDS_OPEN"
        if source in (Account.JACKPOT, Account.RESERVE) and there.of(source) < amount:
            return "NOT_COVERED"
        act = self._books.record_act("correction")
        moved = {source: -amount, target: amount}
        self._books.move_own(f"act-{act}/correction", "correction", moved)
        if "member" in arguments:
            self._books.members[arguments["member"]].doubted = False
        return None

    def award(self, arguments: Arguments) -> str | None:
        """An award for a claim of a round that was ended meanwhile; final at once (3.11)."""
        books, row = self._books, self._books.members[arguments["member"]]
        number, winners = arguments["round"], arguments["winners"]
        refusal = self._refuse_award(row, arguments["identity"], number)
        if refusal is not None:
            return refusal
        combination, others = Combination(arguments["combination"]), arguments.get("others", 0)
        if others and not has_envy(books.terms.prize_of(combination)):
            return "NOT_THE_TERMS"
        used, stakes = self._awards.count_winners(row.name, number), count_stakes(row, number)
        if max(used, others) + winners > stakes:
            return "NOBODY_ELIGIBLE"
        award = SharedAward(books.last_award + 1, combination, books.reading)
        part = AwardPart(row.name, number, arguments["identity"], winners, others=others)
        award.parts[part.identity] = part
        books.awards.append(award)
        self._awards.divide(award, part, books.record_act("award"))
        self._awards.agree(row, Agree(NO_CALL, part.identity))
        return None

    def _refuse_award(self, row: MemberRow, identity: str, number: int) -> str | None:
        """Why no award of this name is given for this round."""
        if not is_own_award(row.name, identity, number):
            return "NOT_THE_TERMS"
        if self._books.part_of(row.name, identity) is not None:
            return "AWARD_FINAL"
        if row.round is not None and row.round.number == number:
            return "ROUNDS_OPEN"
        return None

    def finish(self, arguments: Arguments) -> str | None:
        """A dead table's part is agreed; its round and its epoch end (section 3.10)."""
        row, identity = self._books.members[arguments["member"]], arguments["identity"]
        if not self._end_member(row, identity):
            return "AWARD_FINAL"
        self._awards.agree(row, Agree(NO_CALL, identity))
        return None

    def cancel(self, arguments: Arguments) -> str | None:
        """A dead table's part is cancelled; its round and its epoch end (section 3.10)."""
        row, identity = self._books.members[arguments["member"]], arguments["identity"]
        if not self._end_member(row, identity):
            return "AWARD_FINAL"
        self._awards.cancel(row, Cancel(NO_CALL, identity))
        return None

    def allow_join(self, arguments: Arguments) -> str | None:
        """It may join with these balances, which it has asked for (section 3.14)."""
        status, balances = self._books.status[arguments["member"]], arguments["balances"]
        if status.asked is None or to_builtins(status.asked) != balances:
            return "LIST_OUTDATED"
        status.allowed, status.asked = status.asked, None
        if not self._books.behind:
            self._books.record_act("join-allowed")
        return None

    def end_member_round(self, arguments: Arguments) -> str | None:
        """Its round is over; they have looked at the table (section 3.7)."""
        row = self._books.members[arguments["member"]]
        open_round = row.round.number if row.round is not None else None
        if arguments.get("round", open_round) != open_round:
            return "ROUND_CLOSED"
        self._books.record_act("round-over")
        self._end_round(arguments["member"])
        return None

    def _end_member(self, row: MemberRow, identity: str) -> bool:
        known = self._books.part_of(row.name, identity)
        if known is None or not known[1].live:
            return False
        self._books.status[row.name].ended = True
        self._end_round(row.name)
        return known[1].live

    def _has_staked_round(self) -> bool:
        rows = self._books.members.values()
        return any(row.round is not None and row.round.stakes for row in rows)


def count_stakes(row: MemberRow, number: int) -> int:
    """The stakes that the round ever had; of two rounds of that number, those of the later."""
    stakes = Counter(
        epoch
        for (epoch, _), entry in row.entries.items()
        if isinstance(entry.call, Deliver) and entry.call.round == number and entry.refusal is None
        for token in entry.call.transactions
        if token.reason is Reason.STAKE
    )
    return stakes[max(stakes)] if stakes else 0
