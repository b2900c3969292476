"""What happens to the centre in a random schedule: operators, promotions, restores (9.2)."""

from collections import Counter
from random import Random
from typing import Any

from console.link.rejoin_list import RejoinList, tokens_of
from console.rules.link import Deliver, LinkedAward
from jackpot.money.accounts import Account, Transaction
from jackpot.money.amounts import to_units
from tests.console.link.centres import AnyCentre
from tests.console.link.invariants import Auditor
from tests.console.link.linked_table import LIVE
from tests.console.link.lossy_wire import Loss
from tests.console.link.players import Player

CORRECTED = (Account.HOUSE, Account.RESERVE, Account.JACKPOT)


class CentreEvents:
    """The centre of a schedule. What an operator does must come out as the auditor reckons it."""

    def __init__(
        self, centre: AnyCentre, auditor: Auditor, random: Random, counts: Counter[str]
    ) -> None:
        self._centre = centre
        self._auditor = auditor
        self._random = random
        self._counts = counts
        self._saved: Any = None

    def save(self) -> None:
        """A base backup."""
        self._saved = self._centre.save()

    def promote(self, players: list[Player]) -> None:
        """The primary dies; what was under way is lost, or only its answer is."""
        self._counts["promotions"] += 1
        self._centre.promote()
        for player in players:
            player.up = False
            player.wire.loss = self._random.choice((None, *Loss))

    def restore(self, players: list[Player]) -> None:
        """The backup is put back; two operators recover it, and the tables tell what came after.

        All calls were answered before: then all is as it was.
        """
        if self._saved is None:
            return
        self._counts["restores"] += 1
        self._centre.set_back(self._saved)
        self._auditor.sessions.clear()
        self._centre.recover()
        for player in players:
            player.wire.loss = self._random.choice((None, None, *Loss))
            while not player.recall():
                player.wire.loss = self._random.choice((None, None, *Loss))
            player.wire.loss = None
        self._auditor.see_recovered()
        for player in players:
            player.table.hello()

    def correct(self) -> None:
        """Money from one account of the centre's to another."""
        source, target = self._random.sample(CORRECTED, 2)
        amount = to_units(self._random.choice((1, 5_000, 10_000_000)))
        before, auditor = self._centre.total, self._auditor
        staked = any(auditor.stakes[one] for one in auditor.rounds.items())
        expected = None
        if source is Account.JACKPOT and staked:
            expected = "ROUNDS_OPEN"
        elif source is not Account.HOUSE and before.of(source) < amount:
            expected = "NOT_COVERED"
        self.expect(
            expected,
            "correct",
            source=source.value,
            target=target.value,
            amount=amount,
            reason="counted twice on the 3rd",
        )
        if expected is None:
            auditor.note_correction(source, target, amount)
            self.save()

    def end_round(self, player: Player) -> None:
        """Two operators have looked at the table: its round is over."""
        name = player.table.name
        if name in self._auditor.rounds:
            self.expect(None, "round-over", member=name)
            self._auditor.end_round(name)
            self._auditor.check_act([])
            self.save()

    def award(self, player: Player) -> None:
        """A claim came after the end of its round: two operators award it."""
        claim, name, auditor = player.late, player.table.name, self._auditor
        player.late = None
        if claim is None:
            return
        used = auditor.count_winners(name, claim.round, claim.identity)
        expected = None
        if claim.identity in auditor.states:
            expected = "AWARD_FINAL"
        elif used + claim.winners > auditor.delivered[name, claim.round]:
            expected = "NOBODY_ELIGIBLE"
        reading = self._centre.reading
        self.expect(
            expected,
            "award",
            member=name,
            round=claim.round,
            identity=claim.identity,
            combination=claim.combination,
            winners=claim.winners,
        )
        if expected is None:
            auditor.see_late_award(name, claim, reading)
            self.save()

    def bury(self, player: Player) -> None:
        """The table is dead: its part is ended for it. It comes back, and is let rejoin."""
        name, auditor, card = player.table.name, self._auditor, player.card
        part = self.find_part(name)
        if part is None:
            return
        known = auditor.awards[part.number]
        alone = not (known.held | set(known.members.values()) - known.agreed) - {name}
        what = "finish" if alone and self._random.random() < 0.5 else "cancel"
        self.expect(None, what, member=name, identity=part.identity)
        auditor.end_round(name)
        if what == "finish":
            known.agreed.add(name)
        else:
            auditor.drop_part(known, name, part.identity)
        auditor.check_act([])
        lacks = self.list_missing(player)
        listed = RejoinList(
            player.table.epoch,
            card.head,
            lacks,
            tuple(one.identity for call in card.outbox for one in tokens_of(call)),
            self._centre.know(name),
            card.act,
        )
        assert self._centre.rejoin(name, listed) is None
        auditor.begin_epoch(name, card.head, list(lacks))
        player.late = None
        player.wire.loss = None
        player.table.hello()
        player.up = player.greeted = True
        self.save()

    def find_part(self, name: str) -> LinkedAward | None:
        """The table's award that is not ended at the centre."""
        for known in self._auditor.awards.values():
            for identity, member in known.members.items():
                state = self._auditor.states[identity]
                if member == name and state.state in LIVE:
                    return state
        return None

    def list_missing(self, player: Player) -> tuple[Transaction, ...]:
        """The tokens in the outbox that the centre has not."""
        there = {
            one.identity
            for entry in self._centre.entries(player.table.name)
            for one in tokens_of(entry.call)
        }
        waiting = [call for call in player.card.outbox if isinstance(call, Deliver)]
        return tuple(
            one for call in waiting for one in call.transactions if one.identity not in there
        )

    def expect(self, refusal: str | None, what: str, **arguments: object) -> None:
        """Two operators do it; it is refused for this reason, or done."""
        self._counts[f"operators: {what}"] += refusal is None
        answer = self._centre.approve(what, arguments)
        assert answer == refusal, f"{what} {arguments}: {answer}, not {refusal}"
