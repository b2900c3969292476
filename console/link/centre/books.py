"""The centre's books, reckoned anew from its movements and calls.

docs/reference/link-rules.md, 2 and 7.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any

from psycopg import Connection

from console.link.centre.limit_books import find_wrong_overflows
from console.link.centre.seals import FROM_THE_BEGINNING, AuditBase

_FEES = """
WITH called AS (
    SELECT t.jackpot_id, e.member, e.epoch, format(
        '%s/%s/%s', e.call ->> 'day', e.call ->> 'tournament', e.call ->> 'ticket'
    ) AS identity, 1 AS calls
    FROM link.entry AS e JOIN link.member AS t ON t.name = e.member
    WHERE e.call ->> 'call' = 'fee' AND e.answer ->> 'refusal' IS NULL
), listed AS (
    SELECT jackpot_id, member, epoch, format('%s/%s/%s', day, tournament, ticket) AS identity,
        1 AS lists
    FROM link.tournament_fee
), booked AS (
    SELECT m.jackpot_id, m.member, m.epoch, m.identity,
        m.tray = -j.token * 10000 AND m.jackpot = j.token * j.to_jackpot AS rightly
    FROM link.movement AS m JOIN link.jackpot AS j ON j.id = m.jackpot_id
    WHERE m.reason = 'fee'
)
SELECT format(
    'fee %s of %s: %s, %s, %s', identity, member,
    CASE WHEN calls IS NULL THEN 'in no call' ELSE 'in a call' END,
    CASE WHEN lists IS NULL THEN 'in no list' ELSE 'in the list' END,
    CASE WHEN rightly IS NULL THEN 'not booked' WHEN rightly THEN 'booked' ELSE 'booked wrong' END
)
FROM called FULL JOIN listed USING (jackpot_id, member, epoch, identity)
FULL JOIN booked USING (jackpot_id, member, epoch, identity)
WHERE calls IS NULL OR lists IS NULL OR rightly IS NOT TRUE ORDER BY identity, member
"""

_WINS = """
SELECT format(
    'win %s/%s: %s, its movement %s, its act %s', coalesce(w.jackpot_id, m.jackpot_id),
    coalesce(w.day || '/win/final', m.identity), coalesce(w.amount::text, 'none'),
    coalesce((m.paid / 10000)::text, 'none'), coalesce(a.details ->> 'amount', 'none')
)
FROM link.tournament_win AS w
FULL JOIN (
    SELECT jackpot_id, identity, act, paid FROM link.movement
    WHERE reason = 'award_final' AND member IS NULL
) AS m ON m.jackpot_id = w.jackpot_id AND m.identity = w.day || '/win/final' AND m.act = w.act
LEFT JOIN link.act AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.act AND a.kind = 'win'
WHERE m.paid IS DISTINCT FROM w.amount * 10000
    OR (a.details ->> 'amount')::bigint IS DISTINCT FROM w.amount
    OR (a.details ->> 'ticket') IS DISTINCT FROM w.ticket
    OR (a.details ->> 'proposal')::bigint IS DISTINCT FROM w.proposal
ORDER BY w.jackpot_id, w.day
"""

TOURNAMENT_CHECKS = (_FEES, _WINS)


_TERMS = """
terms AS (
    SELECT t.jackpot_id, t.number, lead(t.number) OVER (
        PARTITION BY t.jackpot_id ORDER BY t.number
    ) AS until, p.postings
    FROM (
        SELECT jackpot_id, number, details -> 'terms' AS terms FROM link.act
        WHERE kind IN ('jackpot', 'settings')
        UNION ALL
        SELECT id, act + 1, jsonb_build_object(
            'token', token, 'to_jackpot', to_jackpot, 'to_reserve', to_reserve
        ) FROM link.jackpot
    ) AS t, LATERAL (
        SELECT jsonb_object_agg(account, share * (terms ->> 'token')::bigint) AS postings
        FROM (VALUES
            ('tray', -10000),
            ('jackpot', (terms ->> 'to_jackpot')::bigint),
            ('reserve', (terms ->> 'to_reserve')::bigint),
            ('house', 10000 - (terms ->> 'to_jackpot')::bigint - (terms ->> 'to_reserve')::bigint)
        ) AS shares (account, share) WHERE share <> 0
    ) AS p
)
"""

_STAKES = f"""
WITH {_TERMS}, told AS (
    SELECT m.jackpot_id, e.member, e.epoch, e.n, e.call -> 'round' AS round,
        t ->> 'identity' AS identity, (
            SELECT jsonb_object_agg(p ->> 'account', (p ->> 'amount')::bigint)
            FROM jsonb_array_elements(t -> 'postings') AS p
        ) AS postings
    FROM link.entry AS e
    JOIN link.member AS m ON m.name = e.member, jsonb_array_elements(e.call -> 'transactions') AS t
    WHERE e.call ->> 'call' = 'deliver' AND e.answer ->> 'refusal' IS NULL
        AND t ->> 'reason' = 'stake'
)
SELECT format(
    'entry %s/%s/%s: %s is no token of the terms since its round was opened', member, epoch, n,
    identity
)
FROM told AS s
WHERE identity NOT IN (
    SELECT format('%s/round-%s/seat-%s/stake', member, round, seat)
    FROM generate_series(1, 7) AS seat
) OR NOT EXISTS (
    SELECT FROM terms, LATERAL (
        SELECT o.act FROM link.entry AS o
        WHERE o.member = s.member AND o.call ->> 'call' = 'open' AND o.call -> 'round' = s.round
            AND (o.epoch, o.n) < (s.epoch, s.n)
        ORDER BY o.epoch DESC, o.n DESC LIMIT 1
    ) AS opened
    WHERE terms.jackpot_id = s.jackpot_id AND terms.postings = s.postings
        AND coalesce(terms.until > opened.act, true)
) ORDER BY member, epoch, n
"""

_RETURNS = """
SELECT format('movement %s of %s/%s: it reverses no stake', r.identity, r.member, r.epoch)
FROM link.movement AS r
WHERE r.reason = 'token_returned' AND NOT EXISTS (
    SELECT FROM link.movement AS s
    WHERE s.jackpot_id = r.jackpot_id AND s.member = r.member AND s.reason = 'stake'
        AND s.identity = regexp_replace(r.identity, '/returned$', '/stake') AND s.epoch <= r.epoch
        AND (s.epoch = r.epoch OR EXISTS (
            SELECT FROM link.entry AS o
            WHERE o.member = r.member AND o.epoch = r.epoch AND o.call ->> 'call' = 'rejoin'
                AND jsonb_path_exists(
                    o.call, '$.transactions[*] ? (@.identity == $identity)',
                    jsonb_build_object('identity', r.identity)
                )
        ))
        AND (s.tray, s.jackpot, s.reserve, s.house) = (-r.tray, -r.jackpot, -r.reserve, -r.house)
) ORDER BY r.number
"""

_NAMES = """
SELECT format('movement %s of %s/%s: it is not named after its table', identity, member, epoch)
FROM link.movement AS b
WHERE reason IN ('stake', 'token_returned') AND NOT starts_with(identity, member || '/round-')
ORDER BY number
"""

_JOINS = """
SELECT format('movement %s of %s/%s: nobody let it join with that', m.identity, m.member, m.epoch)
FROM link.movement AS m
WHERE m.reason = 'join'
    AND (m.tray, m.jackpot, m.reserve, m.house, m.pending, m.paid) <> (0, 0, 0, 0, 0, 0)
    AND NOT EXISTS (
        SELECT FROM link.act AS a WHERE a.jackpot_id = m.jackpot_id AND (
            a.kind = 'join-allowed' AND a.number < m.act AND a.details ->> 'member' = m.member
            AND a.details -> 'balances' = jsonb_build_object(
                'tray', m.tray, 'jackpot', m.jackpot, 'reserve', m.reserve, 'house', m.house,
                'pending', m.pending, 'paid', m.paid
            )
            OR a.kind = 'recover' AND a.number > m.act
        )
    ) ORDER BY m.number
"""

TERMS_CHECKS = (_STAKES, _RETURNS, _NAMES, _JOINS)


FETCH_ROWS = 1_000

ENTRIES = """
SELECT member, epoch, n, act, hash, jsonb_build_array(member, epoch, n, act, call, answer)::text
FROM link.entry AS e ORDER BY member, epoch, n
"""
ACTS = """
SELECT j.id, j.act, j.hash, a.number, a.hash,
    CASE WHEN a.number IS NOT NULL
        THEN link.write_act(j.id, a.number, a.kind, a.member, a.details) END
FROM link.jackpot AS j LEFT JOIN link.act AS a ON a.jackpot_id = j.id ORDER BY j.id, a.number
"""
HEADS = """
SELECT j.id, e.act, e.member, encode(e.hash, 'hex')
FROM link.jackpot AS j
LEFT JOIN link.member AS m ON m.jackpot_id = j.id
LEFT JOIN link.entry AS e ON e.member = m.name
ORDER BY j.id, e.act, e.member, e.epoch, e.n
"""
MEMBERS = "SELECT jackpot_id, name FROM link.member ORDER BY jackpot_id, name"

_jackpot_of = itemgetter(0)


def find_broken_links(connection: Connection, since: AuditBase = FROM_THE_BEGINNING) -> list[str]:
    """What does not follow from what is before it, each with its place; nothing if all does.

    Raises psycopg.Error.
    """
    with connection.transaction():
        return [*_check_entries(connection, since), *_check_acts(connection, since)]


def _check_entries(connection: Connection, since: AuditBase) -> Iterator[str]:
    heads = dict(since.hashes)
    for member, epoch, n, _, found, text in _stream(connection, "entries", since.word(ENTRIES)):
        if sha256(heads.get(member, b"") + text.encode()).digest() != found:
            yield f"entry {member}/{epoch}/{n}: its hash is another"
        heads[member] = found
    rows = connection.execute("SELECT name, hash FROM link.member ORDER BY name").fetchall()
    for member, head in rows:
        if heads.get(member, b"") != head:
            yield f"member {member}: its last entry is another"


def _check_acts(connection: Connection, since: AuditBase) -> Iterator[str]:
    """All jackpots in one pass: each has a row at least among the acts, and among the heads."""
    members: dict[str, list[str]] = {}
    for jackpot, name in connection.execute(MEMBERS).fetchall():
        members.setdefault(jackpot, []).append(name)
    with (
        closing(_stream(connection, "acts", since.word(ACTS))) as acts,
        closing(_stream(connection, "heads", since.word(HEADS))) as heads,
    ):
        each = zip(groupby(acts, _jackpot_of), groupby(heads, _jackpot_of), strict=True)
        for (jackpot, its_acts), (_, its_heads) in each:
            known = {name: since.hashes.get(name, b"") for name in members.get(jackpot, [])}
            before = since.acts.get(jackpot, (0, b""))
            yield from _check_acts_of(jackpot, known, before, its_acts, its_heads)


def _check_acts_of(
    jackpot: str,
    hashes: dict[str, bytes],
    last: tuple[int, bytes],
    acts: Iterator[Any],
    heads: Iterator[Any],
) -> Iterator[str]:
    """`hashes`: of each member's last entry before these; `last`: the act read last."""
    covered = _cover_heads(hashes, heads)
    next(covered)
    known, before = (0, b""), last[0]
    for _, known_number, known_hash, number, found, text in acts:
        known = known_number, known_hash
        if number is not None and number > before:
            if sha256(last[1] + (covered.send(number) + text).encode()).digest() != found:
                yield f"act {jackpot}/{number}: its hash is another"
            last = number, found
    if known != last:
        yield f"jackpot {jackpot}: its last act is another"


def _cover_heads(hashes: dict[str, bytes], entries: Iterator[Any]) -> Generator[str, int, None]:
    """For each act sent, in their order: every member's head before it, as its hash covers them."""
    heads = {name: f"{name}:{found.hex()}" if found else "" for name, found in hashes.items()}
    following = next(entries, None)
    number = yield ""
    while True:
        while following is not None and following[1] is not None and following[1] < number:
            _, _, member, head = following
            heads[member] = f"{member}:{head}"
            following = next(entries, None)
        number = yield ",".join(head for head in heads.values() if head)


def _stream(connection: Connection, name: str, query: str) -> Generator[Any, None, None]:
    """The rows, a few at a time."""
    with connection.cursor(name) as cursor:
        cursor.itersize = FETCH_ROWS
        yield from cursor.execute(query.encode())


MOST_NAMED = 50
"""The most differences that one check names."""

_ACCOUNTS = ("tray", "jackpot", "reserve", "house", "pending", "paid")
_SUMS = ", ".join(f"sum({name})::bigint AS {name}" for name in _ACCOUNTS)
_MADE = "ROW({})::text".format(", ".join(f"coalesce(m.{name}, 0)" for name in _ACCOUNTS))
_TOKENS = "('stake', 'token_returned')"
_POSTED = ", ".join(f"'{name}', nullif(b.{name}, 0)" for name in _ACCOUNTS)

_JACKPOT_ROWS = f"""
SELECT format('jackpot %s: its balances are %s, its movements make %s', id, there, made)
FROM (
    SELECT j.id, ROW(j.tray, j.jackpot, j.reserve, j.house, j.pending, j.paid)::text AS there,
        {_MADE} AS made
    FROM link.jackpot AS j LEFT JOIN (
        SELECT jackpot_id, {_SUMS} FROM link.movement
        WHERE reason NOT IN ('stake', 'token_returned', 'fee', 'join') GROUP BY jackpot_id
    ) AS m ON m.jackpot_id = j.id
) AS compared WHERE there <> made ORDER BY id
"""

_MEMBER_ROWS = f"""
SELECT format('table %s: its balances are %s, its movements make %s', name, there, made)
FROM (
    SELECT t.member AS name,
        ROW(t.tray, t.jackpot, t.reserve, t.house, t.pending, t.paid)::text AS there,
        {_MADE} AS made
    FROM link.member_balance AS t LEFT JOIN (
        SELECT member, {_SUMS} FROM link.movement AS b
        WHERE reason IN ('stake', 'token_returned', 'fee', 'join') GROUP BY member
    ) AS m ON m.member = t.member
) AS compared WHERE there <> made ORDER BY name
"""

_TOKENS_TOLD = f"""
WITH told AS (
    SELECT DISTINCT ON (e.member, e.epoch, t ->> 'identity')
        e.member, e.epoch, e.n, t ->> 'identity' AS identity, jsonb_build_object(
            'reason', t ->> 'reason', 'postings', (
                SELECT jsonb_object_agg(p ->> 'account', p -> 'amount')
                FROM jsonb_array_elements(t -> 'postings') AS p
            )
        ) AS told
    FROM link.entry AS e, jsonb_array_elements(e.call -> 'transactions') AS t
    WHERE e.call ->> 'call' IN ('deliver', 'rejoin') AND e.answer ->> 'refusal' IS NULL
    ORDER BY e.member, e.epoch, t ->> 'identity', e.n
), booked AS (
    SELECT b.member, b.epoch, b.identity, jsonb_build_object(
        'reason', b.reason, 'postings', jsonb_strip_nulls(jsonb_build_object({_POSTED}))
    ) AS booked
    FROM link.movement AS b WHERE b.reason IN {_TOKENS}
)
SELECT format(
    'movement %s of %s/%s: its call says %s, it is booked as %s', identity, member, epoch,
    coalesce(told::text, 'nothing'), coalesce(booked::text, 'nothing')
)
FROM told FULL JOIN booked USING (member, epoch, identity)
WHERE told IS DISTINCT FROM booked ORDER BY member, epoch, identity
"""

_ENTRY_NUMBERS = """
SELECT format('table %s: epoch %s has %s calls up to %s', member, epoch, count(*), max(n))
FROM link.entry AS e GROUP BY member, epoch HAVING count(*) <> max(n) - min(n) + 1
UNION ALL
SELECT format('table %s: its last call is %s, its calls end at %s', name, n, last)
FROM (
    SELECT t.name, t.n, coalesce((
        SELECT max(o.n) FROM link.entry AS o WHERE o.member = t.name AND o.epoch = t.epoch
    ), 0) AS last
    FROM link.member AS t
) AS compared WHERE n <> last
"""

_AWARDS = """
SELECT format(
    'award %s/%s: %s, %s winners x %s of %s makes %s; its tables have %s winners, %s', jackpot_id,
    number, state, winners, each, reading, total, claimed, states
)
FROM (
    SELECT a.*, CASE WHEN doubt THEN a.winners ELSE claimed END AS claimed, states, CASE a.state
            WHEN 'pending' THEN finals > 0 AND NOT doubt
            WHEN 'final' THEN live > 0
            ELSE live + finals > 0
        END AS elsewhere, otherwise OR paying > a.reading * 10000 AS otherwise
    FROM link.award AS a, LATERAL (
        SELECT coalesce(sum(w.winners) FILTER (WHERE w.state <> 'cancelled'), 0) AS claimed,
            coalesce(string_agg(DISTINCT w.state, ', '), 'none') AS states,
            count(*) FILTER (WHERE w.state = 'final') AS finals,
            count(*) FILTER (WHERE w.state NOT IN ('final', 'cancelled')) AS live,
            count(*) FILTER (WHERE w.state = 'final') > 0
                AND count(*) FILTER (WHERE w.state = 'in-doubt') > 0 AS doubt,
            coalesce(sum(w.paying), 0) AS paying
        FROM link.winner AS w WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number
    ) AS parts, LATERAL (
        SELECT coalesce(bool_or(CASE w.state
            WHEN 'cancelled' THEN w.paying <> 0
            WHEN 'in-doubt' THEN w.paying > (a.each * w.winners + e.due) * 10000
                OR NOT doubt AND w.paying < (a.each * w.winners + e.due) * 10000
            ELSE w.paying <> (a.each * w.winners + e.due) * 10000
        END OR w.state <> 'cancelled' AND e.seats > 0 AND e.each <> least(
            w.winners * (to_jsonb(a) ->> 'envy')::bigint, (a.reading - a.total) / e.seats
        )), false) AS otherwise
        FROM link.winner AS w, LATERAL (
            SELECT seats, each, seats * each AS due FROM (
                SELECT coalesce((to_jsonb(w) ->> 'others')::bigint, 0) AS seats,
                    coalesce((to_jsonb(w) ->> 'envy')::bigint, 0) AS each
            ) AS envy
        ) AS e
        WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number
    ) AS amounts
) AS counted
WHERE winners <> claimed OR total <> each * winners OR elsewhere OR otherwise
    OR (state <> 'cancelled') <> (claimed > 0)
    OR each <> CASE
        WHEN claimed = 0 THEN 0
        WHEN share = 0 THEN least((to_jsonb(counted) ->> 'amount')::bigint, reading / claimed)
        ELSE reading * least(claimed * share, 10000)::bigint / (10000 * claimed)::bigint
    END
ORDER BY jackpot_id, number
"""

_OTHERS = """
SELECT format(
    '%s of %s: %s winners and envy for %s seats, of %s stakes', identity, member, winners, others,
    stakes
)
FROM (
    SELECT v.identity, v.member, v.winners, (to_jsonb(v) ->> 'others')::bigint AS others, (
        SELECT count(*) FROM link.entry AS e, jsonb_array_elements(e.call -> 'transactions') AS t
        WHERE e.member = v.member AND e.epoch = v.epoch AND e.call ->> 'call' = 'deliver'
            AND e.answer ->> 'refusal' IS NULL AND (e.call ->> 'round')::bigint = v.round
            AND t ->> 'reason' = 'stake'
    ) AS stakes
    FROM link.winner AS v WHERE v.state <> 'cancelled'
) AS counted
WHERE others > 0 AND winners + others > stakes ORDER BY member, identity
"""

_FINALS = """
SELECT format(
    '%s of %s: it is %s for %s, paid by %s', identity, member, coalesce(state, 'no award'),
    coalesce(paying, 0), coalesce(paid::text, 'nothing')
)
FROM (
    SELECT coalesce(w.identity, m.identity) AS identity, coalesce(w.member, m.member) AS member,
        w.state, w.paying, m.paid
    FROM link.winner AS w
    FULL JOIN (
        SELECT * FROM link.movement WHERE reason = 'award_final' AND member IS NOT NULL
    ) AS m ON m.member = w.member AND m.epoch = w.epoch AND m.identity = w.identity || '/final'
) AS paired
WHERE coalesce(state = 'final', false) <> (paid IS NOT NULL) OR paid <> paying
UNION ALL
SELECT format('%s of %s: it is final %s times', identity, member, count(*))
FROM link.winner WHERE state = 'final' GROUP BY member, identity HAVING count(*) > 1
"""

_PENDING = """
SELECT format('jackpot %s: %s is pending, its awards have %s', id, pending, live)
FROM (
    SELECT j.id, j.pending, coalesce(sum(w.paying), 0) AS live
    FROM link.jackpot AS j LEFT JOIN link.winner AS w
        ON w.jackpot_id = j.id AND w.state NOT IN ('final', 'cancelled')
    GROUP BY j.id, j.pending
) AS compared WHERE pending <> live
"""

_TRANSFERS = """
WITH acts AS (
    SELECT jackpot_id, number, details ->> 'proposal' AS proposal,
        (details ->> 'amount')::bigint * CASE jackpot_id
            WHEN details ->> 'source' THEN -1 WHEN details ->> 'target' THEN 1
        END AS due
    FROM link.act WHERE kind = 'transfer'
), booked AS (
    SELECT jackpot_id, act AS number, sum(jackpot) AS jackpot, sum(house) AS house
    FROM link.movement WHERE reason = 'transfer' GROUP BY jackpot_id, act
)
SELECT format(
    'act %s/%s: it transfers %s, booked are %s', jackpot_id, number, coalesce(due::text, 'nothing'),
    coalesce(jackpot::text, 'none')
)
FROM acts FULL JOIN booked USING (jackpot_id, number)
WHERE due IS NULL OR (jackpot, house) IS DISTINCT FROM (due::numeric, -due::numeric)
UNION ALL
SELECT format('proposal %s: it transfers %s units in %s jackpots', proposal, sum(due), count(*))
FROM acts GROUP BY proposal HAVING sum(due) <> 0 OR count(*) <> 2
"""

_PROPOSALS = """
SELECT format('proposal %s: approved by %s, who had proposed it', approves, approver)
FROM link.proposal WHERE approver = proposer
UNION ALL
SELECT format('proposal %s: its approval %s says something else', p.number, a.number)
FROM link.proposal AS a JOIN link.proposal AS p ON p.number = a.approves
WHERE (a.jackpot_id, a.what, a.arguments, a.proposer)
    IS DISTINCT FROM (p.jackpot_id, p.what, p.arguments, p.proposer)
UNION ALL
SELECT format('proposal %s: it is approved, and no act of it is on record', a.approves)
FROM link.proposal AS a
WHERE a.approves IS NOT NULL AND NOT EXISTS (
    SELECT FROM link.act AS t WHERE (t.details ->> 'proposal')::bigint = a.approves
) AND a.what <> 'alone' AND NOT (a.what IN ('recover', 'settings', 'join') AND EXISTS (
    SELECT FROM link.member AS m WHERE m.jackpot_id = a.jackpot_id AND m.recovering
))
UNION ALL
SELECT format('act %s/%s: %s, without two operators', t.jackpot_id, t.number, t.kind)
FROM link.act AS t
WHERE (
    t.details ? 'proposal'
    OR t.kind IN (
        'correction', 'transfer', 'award', 'finish', 'cancel', 'round-over', 'rejoin', 'settings',
        'alone', 'win', 'win-again'
    )
) AND NOT EXISTS (
    SELECT FROM link.proposal AS a
    WHERE a.approves = (t.details ->> 'proposal')::bigint AND a.approver <> a.proposer
        AND a.approver = t.details ->> 'approver' AND a.proposer = t.details ->> 'proposer'
)
"""

CHECKS = (
    _JACKPOT_ROWS,
    _MEMBER_ROWS,
    _TOKENS_TOLD,
    _ENTRY_NUMBERS,
    _AWARDS,
    _OTHERS,
    _FINALS,
    _PENDING,
    _PROPOSALS,
    _TRANSFERS,
    *TERMS_CHECKS,
    *TOURNAMENT_CHECKS,
)


def find_book_differences(
    connection: Connection, since: AuditBase = FROM_THE_BEGINNING
) -> Iterator[str]:
    """What at the centre does not follow from what it has on record, each with its place.

    Raises psycopg.Error.
    """
    yield from find_broken_links(connection, since)[:MOST_NAMED]
    yield from list(find_wrong_overflows(connection, since))[:MOST_NAMED]
    for check in CHECKS:
        rows = connection.execute(since.word(check).encode()).fetchmany(MOST_NAMED)
        yield from (row[0] for row in rows)
