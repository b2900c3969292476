"""The books of tournament jackpots, reckoned anew.

docs/reference/link-rules.md, sections 6 and 7.
"""

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
