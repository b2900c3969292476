-- Balances and movements of money (docs/link-rules.md, 2.1).

-- Whole cents, rounded towards minus infinity.
CREATE FUNCTION link.to_cents(units numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(units / 10000)::bigint
$$;

-- The jackpot's balances: its own row's, and all its members'.
CREATE FUNCTION link.sum_balances(of_jackpot text) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT (
        sum(tray)::bigint, sum(jackpot)::bigint, sum(reserve)::bigint, sum(house)::bigint,
        sum(pending)::bigint, sum(paid)::bigint
    )::link.amounts
    FROM (
        SELECT tray, jackpot, reserve, house, pending, paid FROM link.jackpot WHERE id = of_jackpot
        UNION ALL
        SELECT tray, jackpot, reserve, house, pending, paid FROM link.member_balance WHERE jackpot_id = of_jackpot
    ) AS rows
$$;

-- The jackpot in whole cents.
CREATE FUNCTION link.read_jackpot(of_jackpot text) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$ -- keeps its plan; a function in SQL is planned at each call
BEGIN
    RETURN link.to_cents(
        (SELECT jackpot FROM link.jackpot WHERE id = of_jackpot)
        + (SELECT coalesce(sum(jackpot), 0) FROM link.member_balance WHERE jackpot_id = of_jackpot)
    );
END
$$;

-- Record a movement of the jackpot's own row, and make it.
CREATE FUNCTION link.move(
    of_jackpot text, of_member text, of_epoch integer, identity text, reason text, act bigint, moved link.amounts
) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.movement (
        jackpot_id, member, epoch, identity, reason, act, tray, jackpot, reserve, house, pending, paid
    )
    VALUES (
        of_jackpot, of_member, of_epoch, identity, reason, act, moved.tray, moved.jackpot, moved.reserve,
        moved.house, moved.pending, moved.paid
    );
    UPDATE link.jackpot AS j SET
        tray = j.tray + moved.tray,
        jackpot = j.jackpot + moved.jackpot,
        reserve = j.reserve + moved.reserve,
        house = j.house + moved.house,
        pending = j.pending + moved.pending,
        paid = j.paid + moved.paid
    WHERE j.id = of_jackpot;
$$;

-- A movement as a `Transaction` of the wire: postings in the order of the accounts, none of 0.
CREATE FUNCTION link.write_transaction(identity text, reason text, moved link.amounts) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('identity', identity, 'reason', reason, 'postings', coalesce(
        jsonb_agg(jsonb_build_object('account', account, 'amount', amount) ORDER BY place)
            FILTER (WHERE amount <> 0),
        '[]'
    ))
    FROM (
        VALUES
            (1, 'tray', moved.tray), (2, 'jackpot', moved.jackpot), (3, 'reserve', moved.reserve),
            (4, 'house', moved.house), (5, 'pending', moved.pending), (6, 'paid', moved.paid)
    ) AS posting (place, account, amount)
$$;

-- The reverse: the amounts of a `Transaction` of the wire.
CREATE FUNCTION link.read_postings(postings jsonb) RETURNS link.amounts
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    moved link.amounts := (0, 0, 0, 0, 0, 0);
    posting record;
BEGIN
    FOR posting IN SELECT account, amount FROM jsonb_to_recordset(postings) AS p (account text, amount bigint)
    LOOP
        CASE posting.account
            WHEN 'tray' THEN moved.tray := moved.tray + posting.amount;
            WHEN 'jackpot' THEN moved.jackpot := moved.jackpot + posting.amount;
            WHEN 'reserve' THEN moved.reserve := moved.reserve + posting.amount;
            WHEN 'house' THEN moved.house := moved.house + posting.amount;
            WHEN 'pending' THEN moved.pending := moved.pending + posting.amount;
            WHEN 'paid' THEN moved.paid := moved.paid + posting.amount;
        END CASE;
    END LOOP;
    RETURN moved;
END
$$;

-- What the jackpot or the reserve lacks of 0 the centre adds, from the reserve, then from the house. What it
-- adds; null: nothing lacks.
CREATE FUNCTION link.reckon_addition(there link.amounts) RETURNS link.amounts
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    to_jackpot bigint := greatest(-there.jackpot, 0);
    from_reserve bigint := least(to_jackpot, greatest(there.reserve, 0));
    to_reserve bigint := greatest(-there.reserve, 0);
BEGIN
    IF to_jackpot = 0 AND to_reserve = 0 THEN
        RETURN NULL;
    END IF;
    RETURN (0, to_jackpot, to_reserve - from_reserve, from_reserve - to_jackpot - to_reserve, 0, 0)::link.amounts;
END
$$;
