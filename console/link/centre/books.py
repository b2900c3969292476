"""The centre's books, reckoned anew from its movements and calls.

docs/reference/link-rules.md, 2 and 7.
"""

from collections.abc import Iterator

from psycopg import Connection

from console.link.centre.chains import find_broken_links
from console.link.centre.terms_books import TERMS_CHECKS
from console.link.centre.tournament_books import TOURNAMENT_CHECKS

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
        SELECT member, {_SUMS} FROM link.movement
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
FROM link.entry GROUP BY member, epoch HAVING count(*) <> max(n)
UNION ALL
SELECT format('table %s: its last call is %s, its calls end at %s', name, n, last)
FROM (
    SELECT t.name, t.n, coalesce(max(e.n), 0) AS last
    FROM link.member AS t LEFT JOIN link.entry AS e ON e.member = t.name AND e.epoch = t.epoch
    GROUP BY t.name, t.n
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
            WHEN 'in-doubt' THEN w.paying > a.each * w.winners * 10000
                OR NOT doubt AND w.paying < a.each * w.winners * 10000
            ELSE w.paying <> a.each * w.winners * 10000
        END), false) AS otherwise
        FROM link.winner AS w WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number
    ) AS amounts
) AS counted
WHERE winners <> claimed OR total <> each * winners OR elsewhere OR otherwise
    OR (state <> 'cancelled') <> (claimed > 0)
    OR each <> CASE claimed WHEN 0 THEN 0
        ELSE reading * least(claimed * share, 10000)::bigint / (10000 * claimed)::bigint END
ORDER BY jackpot_id, number
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
        'correction', 'award', 'finish', 'cancel', 'round-over', 'rejoin', 'settings', 'alone',
        'win', 'win-again'
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
    _FINALS,
    _PENDING,
    _PROPOSALS,
    *TERMS_CHECKS,
    *TOURNAMENT_CHECKS,
)


def find_differences(connection: Connection) -> Iterator[str]:
    """What at the centre does not follow from what it has on record, each with its place.

    Raises psycopg.Error.
    """
    yield from find_broken_links(connection)[:MOST_NAMED]
    for check in CHECKS:
        rows = connection.execute(check.encode()).fetchmany(MOST_NAMED)
        yield from (row[0] for row in rows)
