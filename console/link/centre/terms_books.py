"""Whether the money that tables told is money of the terms, asked anew of what is stored.

docs/reference/link-rules.md, 2.4. It is asked of the calls that were booked, by the postings
themselves: not by the functions that let them pass.
"""

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
            SELECT FROM link.entry AS e
            WHERE e.member = r.member AND e.epoch = r.epoch AND e.call ->> 'call' = 'rejoin'
                AND jsonb_path_exists(
                    e.call, '$.transactions[*] ? (@.identity == $identity)',
                    jsonb_build_object('identity', r.identity)
                )
        ))
        AND (s.tray, s.jackpot, s.reserve, s.house) = (-r.tray, -r.jackpot, -r.reserve, -r.house)
) ORDER BY r.number
"""

_NAMES = """
SELECT format('movement %s of %s/%s: it is not named after its table', identity, member, epoch)
FROM link.movement
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
