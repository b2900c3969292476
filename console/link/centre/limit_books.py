"""Whether the centre has kept each linked jackpot's limit, reckoned anew from its movements.

docs/reference/prizes.md, 2.19. A delivery that may reach the limit has the jackpot for itself, so
its tokens and what they bring above the limit have numbers one after the other.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from psycopg import Connection

from console.link.centre.seals import FROM_THE_BEGINNING, AuditBase
from jackpot.money.amounts import Cents
from jackpot.money.linked_limit import count_linked_overflow

_LIMITS = """
SELECT jackpot_id, number, (details -> 'terms' -> 'prize_file' ->> 'limit')::bigint,
    coalesce(details -> 'terms' -> 'prize_file' ->> 'overflow', 'reserve')
FROM link.act AS a WHERE kind IN ('jackpot', 'settings') AND EXISTS (
    SELECT FROM link.act AS t
    WHERE t.jackpot_id = a.jackpot_id AND t.kind IN ('jackpot', 'settings')
        AND t.details -> 'terms' -> 'prize_file' ? 'limit'
) ORDER BY jackpot_id, number
"""

_MOVEMENTS = """
SELECT coalesce(member, ''), identity, reason, coalesce(act, 0), jackpot, reserve, house,
    number < coalesce((
        SELECT min(later.number) FROM link.movement AS later
        WHERE later.jackpot_id = b.jackpot_id AND later.act > (
            SELECT max(r.number) FROM link.act AS r
            WHERE r.jackpot_id = b.jackpot_id AND r.kind = 'recover'
        )
    ), CASE WHEN EXISTS (
        SELECT FROM link.act AS r WHERE r.jackpot_id = b.jackpot_id AND r.kind = 'recover'
    ) THEN number + 1 ELSE 0 END) AS told_again
FROM link.movement AS b WHERE jackpot_id = %s ORDER BY number
"""

_BEFORE = """
SELECT s.jackpot + (
    SELECT coalesce(sum(m.jackpot), 0) FROM link.sealed_member AS m
    WHERE m.seal = s.seal AND m.jackpot_id = s.jackpot_id
)::bigint, s.act
FROM link.sealed_jackpot AS s WHERE s.seal = %s AND s.jackpot_id = %s
"""

_KEPT_BEFORE = """
SELECT identity, -jackpot FROM link.movement AS m
WHERE reason IN ('overflow', 'overflow_returned') AND jackpot_id = %s AND number <= (
    SELECT movement FROM link.sealed_jackpot WHERE seal = %s AND jackpot_id = m.jackpot_id
)
"""

_TOKENS = ("stake", "token_returned")
_OVERFLOWS = ("overflow", "overflow_returned")
_ROUND = re.compile(r"(?P<member>.+)/round-(?P<round>[0-9]+)/")
OF_A_LIST = 0
"""The round that the overflow of a list for a rejoin names: it has tokens of several."""


class _Limit(NamedTuple):
    act: int
    limit: Cents | None
    account: str


class _Moved(NamedTuple):
    member: str
    identity: str
    reason: str
    act: int
    jackpot: int
    reserve: int
    house: int
    told_again: bool


class _Delivery(NamedTuple):
    """Tokens of one table with nothing between them."""

    member: str
    there: int
    tokens: list[_Moved]


def find_wrong_overflows(
    connection: Connection, since: AuditBase = FROM_THE_BEGINNING
) -> Iterator[str]:
    """What is above a limit, or was kept out of a jackpot without need. Raises psycopg.Error."""
    limits: dict[str, list[_Limit]] = defaultdict(list)
    for jackpot, *row in connection.execute(_LIMITS.encode()).fetchall():
        limits[jackpot].append(_Limit(*row))
    for jackpot, of_jackpot in limits.items():
        audit = _LimitAudit(jackpot, of_jackpot)
        if jackpot in since.acts:
            before = connection.execute(_BEFORE.encode(), (since.seal, jackpot)).fetchone()
            kept = connection.execute(_KEPT_BEFORE.encode(), (jackpot, since.seal)).fetchall()
            assert before is not None
            audit.begin(before[0], before[1], kept)
        with connection.transaction(), connection.cursor("limits") as cursor:
            cursor.execute(since.word(_MOVEMENTS).encode(), (jackpot,))
            yield from audit.check(_Moved(*row) for row in cursor)


class _LimitAudit:
    def __init__(self, jackpot: str, limits: list[_Limit]) -> None:
        self._jackpot = jackpot
        self._limits = limits
        self._there = 0
        self._act = 0
        self._kept: dict[tuple[str, int], int] = defaultdict(int)
        self._open: _Delivery | None = None

    def begin(self, there: int, act: int, kept: Iterable[tuple[str, int]]) -> None:
        """What the jackpot was at a seal; `kept`: out of it, by an overflow's identity."""
        self._there, self._act = there, act
        for identity, over in kept:
            self._keep(identity, over)

    def check(self, moved: Iterator[_Moved]) -> Iterator[str]:
        for one in moved:
            if one.reason in _TOKENS and one.member:
                yield from self._take_token(one)
            elif one.reason in _OVERFLOWS:
                yield from self._end_delivery(one)
            else:
                yield from self._end_delivery(None)
            self._there += one.jackpot
            self._act = max(self._act, one.act)
        yield from self._end_delivery(None)

    def _take_token(self, one: _Moved) -> Iterator[str]:
        if self._open is None or self._open.member != one.member:
            yield from self._end_delivery(None)
            self._open = _Delivery(one.member, self._there, [])
        self._open.tokens.append(one)

    def _end_delivery(self, overflow: _Moved | None) -> Iterator[str]:
        delivery, self._open = self._open, None
        if delivery is None and overflow is None:
            return
        over = -overflow.jackpot if overflow is not None else 0
        checked = overflow or (delivery and delivery.tokens[0])
        if checked is not None and not checked.told_again:
            due = self._reckon(delivery, overflow)
            if over not in due:
                yield (
                    f"jackpot {self._jackpot}: {checked.identity}: its limit keeps out {over}, "
                    f"and should {' or '.join(str(one) for one in sorted(due))}"
                )
            yield from self._check_account(overflow)
        if overflow is not None:
            self._keep(overflow.identity, over)

    def _keep(self, identity: str, over: int) -> None:
        named = _ROUND.match(identity.partition("/")[2])
        if named is not None:
            self._kept[named["member"], int(named["round"])] += over

    def _reckon(self, delivery: _Delivery | None, overflow: _Moved | None) -> set[int]:
        """What may be kept out: by the terms at its act, or by any since the last one known."""
        if delivery is None:
            return {0}
        act = overflow.act if overflow is not None else self._act
        known = [one for one in self._limits if one.act <= act][-1:]
        later = [] if overflow is not None else [one for one in self._limits if one.act > act]
        return {self._count(delivery, one.limit) for one in (*known, *later)} | {
            self._count_together(delivery, one.limit) for one in (*known, *later)
        }

    def _count(self, delivery: _Delivery, limit: Cents | None) -> int:
        """Each round takes back what it had kept out itself."""
        there, over = delivery.there, 0
        kept: dict[int, int] = {}
        for token in delivery.tokens:
            number = _round_of(token)
            before = kept.setdefault(number, self._kept[delivery.member, number])
            one = count_linked_overflow([token.jackpot], there, before, limit)
            kept[number] += one
            there += token.jackpot - one
            over += one
        return over

    def _count_together(self, delivery: _Delivery, limit: Cents | None) -> int:
        """The tokens of several rounds in a list; of one round in a delivery."""
        rounds = {_round_of(token) for token in delivery.tokens}
        kept = self._kept[delivery.member, rounds.pop()] if len(rounds) == 1 else 0
        return count_linked_overflow(
            [one.jackpot for one in delivery.tokens], delivery.there, kept, limit
        )

    def _check_account(self, overflow: _Moved | None) -> Iterator[str]:
        if overflow is None or overflow.reason != "overflow":
            return
        known = [one for one in self._limits if one.act <= overflow.act][-1:]
        if known and getattr(overflow, known[0].account, 0) != -overflow.jackpot:
            yield f"jackpot {self._jackpot}: {overflow.identity} is not the {known[0].account}'s"


def _round_of(token: _Moved) -> int:
    named = _ROUND.match(token.identity)
    return int(named["round"]) if named is not None else OF_A_LIST
