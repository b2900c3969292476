-- No table's word is believed for money (docs/reference/link-rules.md, 2.4): what of a call fits the terms. What does not is
-- answered NOT_THE_TERMS, moves nothing, is stored, and bars the table until two operators have looked.

-- A whole number from 0 to 15 digits; null for all else.
CREATE FUNCTION link.read_whole(value jsonb) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN value::text ~ '^[0-9]{1,15}$' THEN value::text::bigint END;
END
$$;

-- The postings of one token, in order. `token` in cents, the shares in basis points of it.
CREATE FUNCTION link.write_stake(token bigint, to_jackpot integer, to_reserve integer) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN link.order_postings(link.write_transaction('', '', (
        -token * 10000, token * to_jackpot, token * to_reserve, token * (10000 - to_jackpot - to_reserve), 0, 0
    )::link.amounts) -> 'postings');
END
$$;

-- Of a token that is booked: what returns it.
CREATE FUNCTION link.reverse_postings(postings jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (
        SELECT jsonb_agg(jsonb_build_object('account', p ->> 'account', 'amount', -(p ->> 'amount')::bigint))
        FROM jsonb_array_elements(postings) AS p
    );
END
$$;

-- Postings in one order: a ledger has them in another than a call.
CREATE FUNCTION link.order_postings(postings jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (SELECT jsonb_agg(p ORDER BY p ->> 'account') FROM jsonb_path_query(postings, '$[*]') AS p);
END
$$;

-- The postings of one token by the terms now in force, and by those that were in force since the act `since`. Null: now.
CREATE FUNCTION link.list_stakes(of_jackpot text, since bigint) RETURNS jsonb[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
    stakes jsonb[];
BEGIN
    SELECT ARRAY[link.write_stake(token, to_jackpot, to_reserve)] INTO STRICT stakes
    FROM link.jackpot WHERE id = of_jackpot;
    IF since IS NOT NULL THEN
        stakes := stakes || ARRAY(
            SELECT link.write_stake(
                (terms ->> 'token')::bigint, (terms ->> 'to_jackpot')::integer, (terms ->> 'to_reserve')::integer
            )
            FROM link.list_terms(of_jackpot, since) AS terms
        );
    END IF;
    RETURN stakes;
END
$$;

-- The terms that were in force since this act, the latest first. Those that came into force since a backup are among them
-- before the centre is recovered (3.13).
CREATE FUNCTION link.list_terms(of_jackpot text, since bigint) RETURNS SETOF jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT details -> 'terms' FROM link.list_unrecorded(of_jackpot) WHERE what = 'settings' ORDER BY number DESC;
    RETURN QUERY
        SELECT details -> 'terms' FROM link.act
        WHERE jackpot_id = of_jackpot AND kind IN ('jackpot', 'settings') AND number >= coalesce((
            SELECT max(number) FROM link.act
            WHERE jackpot_id = of_jackpot AND kind IN ('jackpot', 'settings') AND number <= since
        ), 0)
        ORDER BY number DESC;
END
$$;

-- The jackpot's last act as the member's round was opened, in whatever epoch; null: it never was. A refused opening is none.
CREATE FUNCTION link.find_opening(of_member text, of_round jsonb) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT act FROM link.entry
        WHERE member = of_member AND call ->> 'call' = 'open' AND call -> 'round' = of_round
            AND answer ->> 'refusal' IS NULL
        ORDER BY epoch DESC, n DESC LIMIT 1
    );
END
$$;

-- The tokens of a round that are booked in this epoch: their postings by identity. `place`: TABLE/round-R/seat-
CREATE FUNCTION link.find_tokens(m link.member, place text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((
        SELECT jsonb_object_agg(identity, link.write_transaction(
            '', '', (tray, jackpot, reserve, house, pending, paid)::link.amounts
        ) -> 'postings')
        FROM link.movement
        WHERE jackpot_id = m.jackpot_id AND member = m.name AND epoch = m.epoch AND identity = ANY (ARRAY(
            SELECT place || seat || what
            FROM generate_series(1, 7) AS seat, unnest(ARRAY['/stake', '/returned']) AS what
        ))
    ), '{}');
END
$$;

-- Whether a delivery fits: each stake is, posting by posting, one token of terms in force since its round was opened, at
-- one of the seven seats, once; each return is the exact reverse of a stake of this epoch, once.
CREATE FUNCTION link.fits_terms(m link.member, call jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
    place text := format('%s/round-%s/seat-', m.name, link.read_whole(call -> 'round'));
    opened bigint;
    stakes jsonb[];
    there jsonb;
    token jsonb;
    seat text;
    fits boolean;
BEGIN
    IF link.read_whole(call -> 'round') IS NULL THEN
        RETURN false;
    ELSIF m.open_round IS DISTINCT FROM link.read_whole(call -> 'round') THEN
        opened := link.find_opening(m.name, call -> 'round');
        IF opened IS NULL THEN
            RETURN false;
        END IF;
    END IF;
    IF jsonb_typeof(call -> 'transactions') IS DISTINCT FROM 'array' THEN
        RETURN false;
    END IF;
    stakes := link.list_stakes(m.jackpot_id, opened);
    there := link.find_tokens(m, place);
    FOR token IN SELECT jsonb_array_elements(call -> 'transactions') LOOP
        seat := place || substring(token ->> 'identity' FROM '/seat-([1-7])/');
        fits := link.is_stake(token, seat, stakes) OR link.is_return(token, seat, there);
        IF NOT fits AND opened IS NULL THEN -- settings may have changed since the open round was opened
            opened := link.find_opening(m.name, call -> 'round');
            stakes := link.list_stakes(m.jackpot_id, opened);
            fits := link.is_stake(token, seat, stakes);
        END IF;
        IF NOT fits OR coalesce(there ? (token ->> 'identity'), true) THEN
            RETURN false;
        END IF;
        there := there || jsonb_build_object(token ->> 'identity', token -> 'postings');
    END LOOP;
    RETURN true;
END
$$;

-- `seat`: TABLE/round-R/seat-S; null: the token names none.
CREATE FUNCTION link.is_stake(token jsonb, seat text, stakes jsonb[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN coalesce(
        link.order_postings(token -> 'postings') = ANY (stakes)
        AND token = jsonb_build_object(
            'identity', seat || '/stake', 'reason', 'stake', 'postings', token -> 'postings'
        ),
        false
    );
END
$$;

-- `there`: the postings of the tokens that may be returned, by identity.
CREATE FUNCTION link.is_return(token jsonb, seat text, there jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN coalesce(
        token = jsonb_build_object(
            'identity', seat || '/returned', 'reason', 'token_returned', 'postings', token -> 'postings'
        )
        AND link.order_postings(token -> 'postings')
            = link.order_postings(link.reverse_postings(there -> (seat || '/stake'))),
        false
    );
END
$$;

-- Whether a list for a rejoin fits: each is, once, one token, or the reverse of one, of terms that ever were in force. That
-- they are the table's, two operators say.
CREATE FUNCTION link.fits_list(m link.member, tokens jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
    stakes jsonb[] := link.list_stakes(m.jackpot_id, 0);
BEGIN
    RETURN jsonb_typeof(tokens) IS NOT DISTINCT FROM 'array' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(tokens) AS token
        CROSS JOIN LATERAL (
            SELECT m.name || substring(substr(token ->> 'identity', length(m.name) + 1) FROM '^/round-[0-9]{1,15}/seat-[1-7]')
        ) AS named (seat)
        WHERE seat IS NULL OR NOT link.is_stake(token, seat, stakes) AND NOT EXISTS (
            SELECT FROM unnest(stakes) AS s WHERE link.is_return(token, seat, jsonb_build_object(seat || '/stake', s))
        )
    ) AND (SELECT count(*) = count(DISTINCT token ->> 'identity') FROM jsonb_array_elements(tokens) AS token);
END
$$;

-- Whether it names an award of this member: TABLE/round-R/award-K. `round`: R, as a pattern.
CREATE FUNCTION link.is_own_award(m link.member, of_identity text, round text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN coalesce(
        starts_with(of_identity, m.name || '/')
        AND substr(of_identity, length(m.name) + 1) ~ format('^/round-%s/award-[0-9]{1,9}$', round),
        false
    );
END
$$;

-- Whether the jackpot has a prize for it; for a part that is there, it must be the award's.
CREATE FUNCTION link.is_prize_of(part link.winner, of_jackpot text, of_combination text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((SELECT prizes ? of_combination FROM link.jackpot WHERE id = of_jackpot), false) AND NOT EXISTS (
        SELECT FROM link.award AS a
        WHERE a.jackpot_id = part.jackpot_id AND a.number = part.award AND a.combination <> of_combination
    );
END
$$;

-- Six whole amounts that sum to 0; nothing below 0 is pending or paid.
CREATE FUNCTION link.are_balances(balances jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    brought link.amounts;
BEGIN
    IF jsonb_typeof(balances) IS DISTINCT FROM 'object'
        OR EXISTS (SELECT FROM jsonb_each(balances) AS b WHERE b.value::text !~ '^-?[0-9]{1,17}$')
    THEN
        RETURN false;
    END IF;
    brought := jsonb_populate_record(NULL::link.amounts, balances);
    RETURN to_jsonb(brought) = balances AND brought.pending >= 0 AND brought.paid >= 0
        AND brought.tray + brought.jackpot + brought.reserve + brought.house + brought.pending + brought.paid = 0;
END
$$;

-- What a call waits for that names terms, or a prize, that the centre does not know (3.13).

-- Let it wait for this, and say so.
CREATE FUNCTION link.let_wait(of_member text, what jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link.member SET awaits = what WHERE name = of_member AND awaits IS DISTINCT FROM what;
    RETURN jsonb_build_object('barred', 'LINK_SETTINGS', 'awaits', what);
END
$$;

-- Of the terms that a hello named what people can be shown; nothing of what are no terms.
CREATE FUNCTION link.keep_terms(terms jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF jsonb_typeof(terms) IS DISTINCT FROM 'object' OR jsonb_typeof(terms -> 'prizes') IS DISTINCT FROM 'object'
        OR pg_column_size(terms) > 4096 OR coalesce(terms ->> 'game', '') !~ '^[a-z0-9-]{1,40}$'
        OR link.read_whole(terms -> 'token') IS NULL OR link.read_whole(terms -> 'to_jackpot') IS NULL
        OR link.read_whole(terms -> 'to_reserve') IS NULL
        OR EXISTS (
            SELECT FROM jsonb_each(terms -> 'prizes') AS p
            WHERE p.key !~ '^[A-Z_]{1,40}$' OR link.read_whole(p.value) IS NULL
        )
    THEN
        RETURN '{}';
    END IF;
    RETURN jsonb_build_object('terms', terms);
END
$$;

-- The same of an award that a table was told of.
CREATE FUNCTION link.keep_award(award jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF coalesce(award ->> 'combination', '') !~ '^[A-Z_]{1,40}$' OR link.read_whole(award -> 'number') IS NULL
        OR link.read_whole(award -> 'reading') IS NULL OR link.read_whole(award -> 'each') IS NULL
        OR link.read_whole(award -> 'winners') IS NULL
    THEN
        RETURN '{}';
    END IF;
    RETURN jsonb_build_object('award', jsonb_build_object(
        'number', award -> 'number', 'combination', award -> 'combination', 'reading', award -> 'reading',
        'each', award -> 'each', 'winners', award -> 'winners'
    ));
END
$$;

-- The token of a delivery that the terms do not know: what it is worth, and how it is divided. A return names none.
CREATE FUNCTION link.find_awaited_token(m link.member, call jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    stakes jsonb[] := link.list_stakes(m.jackpot_id, link.find_opening(m.name, call -> 'round'));
    moved link.amounts;
BEGIN
    moved := (
        SELECT link.read_postings(token -> 'postings')
        FROM jsonb_path_query(call, '$.transactions[*] ? (@.reason == "stake")') AS token
        WHERE link.order_postings(token -> 'postings') <> ALL (stakes)
        LIMIT 1
    );
    RETURN jsonb_build_object('call', call -> 'n', 'token', CASE WHEN moved.tray < 0 THEN jsonb_build_object(
        'token', -moved.tray / 10000,
        'to_jackpot', moved.jackpot * 10000 / -moved.tray,
        'to_reserve', moved.reserve * 10000 / -moved.tray
    ) END);
END
$$;

-- Whether an award divides its reading by this share, in basis points. One without winners says nothing.
CREATE FUNCTION link.is_divided_by(share integer, award jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE (award ->> 'winners')::bigint WHEN 0 THEN share > 0 ELSE
        (award ->> 'each')::bigint = (award ->> 'reading')::bigint * least((award ->> 'winners')::bigint * share, 10000)
            / (10000 * (award ->> 'winners')::bigint)
    END
$$;

-- The share of an award that was frozen since the backup, by the terms that have been in force since then; null: by none.
CREATE FUNCTION link.find_recalled_share(of_jackpot text, award jsonb) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT share FROM (
        SELECT (terms -> 'prizes' ->> (award ->> 'combination'))::integer AS share, place
        FROM link.list_terms(of_jackpot, (SELECT max(number) FROM link.act WHERE jackpot_id = of_jackpot))
            WITH ORDINALITY AS listed (terms, place)
    ) AS shares
    WHERE link.is_divided_by(share, award) ORDER BY place LIMIT 1
$$;

-- Whether these terms are those that a call waits for.
CREATE FUNCTION link.meets_wait(awaits jsonb, terms jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(CASE
        WHEN awaits ? 'terms' THEN awaits -> 'terms' = terms
        WHEN awaits ? 'token' THEN jsonb_typeof(awaits -> 'token') = 'object' AND terms @> (awaits -> 'token')
        WHEN awaits ? 'award' THEN link.is_divided_by(
            (terms -> 'prizes' ->> (awaits -> 'award' ->> 'combination'))::integer, awaits -> 'award'
        )
    END, false)
$$;

-- Whether what a table tells again waits for these terms.
CREATE FUNCTION link.is_awaited_by_recall(of_jackpot text, terms jsonb) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM link.member WHERE jackpot_id = of_jackpot AND recovering AND link.meets_wait(awaits, terms)
    )
$$;
