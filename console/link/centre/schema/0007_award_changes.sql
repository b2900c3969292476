-- How an award changes: divided, final, cancelled (docs/link-rules.md, 3.3 to 3.8).
--
-- Every caller holds the jackpot's exclusive lock.

-- Who is awaited: other tables whose round may still join, or that have not agreed.
CREATE FUNCTION link.count_awaited(of_jackpot text, of_award bigint, of_member text) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT count(*)::integer FROM (
        SELECT member FROM link.hold
        WHERE jackpot_id = of_jackpot AND award = of_award AND member <> of_member
        UNION
        SELECT member FROM link.winner
        WHERE jackpot_id = of_jackpot AND award = of_award AND member <> of_member
            AND state IN ('pending', 'in-doubt')
    ) AS others
$$;

-- Whether one table's part is final. As it is so as a whole, the number of its winners and what each gets then stand; other
-- parts can only be in doubt (3.13).
CREATE FUNCTION link.is_decided(of_jackpot text, of_award bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.winner WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'final')
$$;

-- A `LinkedAward` of the wire: the award as this part's member sees it.
CREATE FUNCTION link.describe_award(part link.winner) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'identity', part.identity,
        'number', a.number,
        'combination', a.combination,
        'state', CASE part.state WHEN 'in-doubt' THEN 'pending' ELSE part.state END,
        'reading', a.reading,
        'each', a.each,
        'winners', a.winners,
        'own', CASE part.state WHEN 'cancelled' THEN 0 ELSE part.winners END,
        'tables', (
            SELECT count(DISTINCT w.member) FROM link.winner AS w
            WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
        ),
        'awaited', CASE
            WHEN part.state NOT IN ('final', 'cancelled') THEN link.count_awaited(a.jackpot_id, a.number, part.member)
            ELSE 0
        END
    )
    FROM link.award AS a WHERE a.jackpot_id = part.jackpot_id AND a.number = part.award
$$;

-- Book a part's movement. It, as a `Transaction` of the wire.
CREATE FUNCTION link.book_part(part link.winner, act bigint, suffix text, reason text, moved link.amounts)
RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    booked text := part.identity || suffix;
BEGIN
    PERFORM link.move(part.jackpot_id, part.member, part.epoch, booked, reason, act, moved);
    RETURN link.write_transaction(booked, reason, moved);
END
$$;

-- Record what an act changed for a part; `transaction` null: its ledger books nothing of it. A part that only other tables
-- told of has no round: under its name the table would know nothing.
CREATE FUNCTION link.record_change(part link.winner, act bigint, transaction jsonb) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.change (member, jackpot_id, act, award, transaction)
    SELECT part.member, part.jackpot_id, act, link.describe_award(part), transaction WHERE part.round > 0
$$;

-- Raise the jackpot to its base, from the reserve, then from the house. What moved.
CREATE FUNCTION link.raise_to_base(of_jackpot text, act bigint, identity text) RETURNS link.amounts
LANGUAGE plpgsql AS $$
DECLARE
    there link.amounts := link.sum_balances(of_jackpot);
    missing bigint;
    reserve bigint;
    moved link.amounts;
BEGIN
    SELECT greatest(j.base * 10000 - there.jackpot, 0) INTO missing FROM link.jackpot AS j WHERE j.id = of_jackpot;
    reserve := least(missing, greatest(there.reserve, 0));
    moved := (0, missing, -reserve, reserve - missing, 0, 0);
    PERFORM link.move(of_jackpot, NULL, NULL, identity, 'reseed', act, moved);
    RETURN moved;
END
$$;

-- The base is put in, once, as the award's total reaches 100 % (3.5).
CREATE FUNCTION link.put_base_in(a link.award, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    moved link.amounts := link.raise_to_base(
        a.jackpot_id, act, format('award-%s/act-%s/reseed', a.number, act)
    );
BEGIN
    UPDATE link.award SET base_from_reserve = -moved.reserve, base_from_house = -moved.house
    WHERE jackpot_id = a.jackpot_id AND number = a.number;
END
$$;

-- The base goes back as the award is cancelled: to the house, then to the reserve, never below 0 (3.8).
CREATE FUNCTION link.take_base_back(a link.award, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    there bigint := greatest((link.sum_balances(a.jackpot_id)).jackpot, 0);
    house bigint := least(there, a.base_from_house);
    reserve bigint := least(there - house, a.base_from_reserve);
BEGIN
    PERFORM link.move(
        a.jackpot_id, NULL, NULL, format('award-%s/act-%s/reseed-returned', a.number, act), 'reseed_returned', act,
        (0, -house - reserve, reserve, house, 0, 0)
    );
END
$$;

-- Divide the award among its winners as they now are: min(N x share, 100 %) of the frozen reading, each rounded
-- down. Every table in it books the difference. `claimant`: whose claim is the cause.
CREATE FUNCTION link.divide_award(of_jackpot text, of_award bigint, act bigint, claimant text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
    part link.winner;
    difference bigint;
BEGIN
    UPDATE link.award AS w SET (winners, each, total) = (
        SELECT n, e, e * n FROM (
            SELECT n, w.reading * least(n * w.share, 10000) / (10000 * n) AS e FROM (
                SELECT sum(p.winners)::integer AS n FROM link.winner AS p
                WHERE p.jackpot_id = of_jackpot AND p.award = of_award AND p.state <> 'cancelled'
            ) AS counted
        ) AS divided
    )
    WHERE w.jackpot_id = of_jackpot AND w.number = of_award
    RETURNING * INTO STRICT a;
    FOR part IN
        SELECT * FROM link.winner
        WHERE jackpot_id = of_jackpot AND award = of_award AND state NOT IN ('final', 'cancelled') ORDER BY place
    LOOP
        difference := a.each * part.winners * 10000 - part.paying;
        UPDATE link.winner SET paying = a.each * part.winners * 10000
        WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
        PERFORM link.record_change(part, act, link.book_part(
            part, act,
            CASE
                WHEN part.member IS DISTINCT FROM claimant THEN format('/divided-%s', act)
                WHEN part.winners = 1 THEN '/pending'
                ELSE format('/winner-%s', part.winners)
            END,
            CASE
                WHEN part.member = claimant AND part.winners = 1 THEN 'award_pending'
                ELSE 'award_raised'
            END,
            (0, -difference, 0, 0, difference, 0)
        ));
    END LOOP;
    PERFORM link.add_what_lacks(of_jackpot, act);
    IF a.base_from_house IS NULL AND a.winners * a.share >= 10000 THEN
        PERFORM link.put_base_in(a, act);
    END IF;
END
$$;

-- The award is final as a whole when all its tables agreed and no hold is left (3.6). Whether it is.
CREATE FUNCTION link.settle_award(of_jackpot text, of_award bigint, cause text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
    part link.winner;
BEGIN
    IF EXISTS (SELECT FROM link.hold WHERE jackpot_id = of_jackpot AND award = of_award)
        OR EXISTS (
            SELECT FROM link.winner
            WHERE jackpot_id = of_jackpot AND award = of_award AND state IN ('pending', 'in-doubt')
        )
        OR NOT EXISTS (SELECT FROM link.winner WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'agreed')
    THEN
        RETURN false;
    END IF;
    act := link.begin_act(of_jackpot);
    UPDATE link.award SET state = 'final' WHERE jackpot_id = of_jackpot AND number = of_award;
    FOR part IN
        UPDATE link.winner SET state = 'final'
        WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'agreed'
        RETURNING *
    LOOP
        PERFORM link.record_change(part, act, link.book_part(
            part, act, '/final', 'award_final', (0, 0, 0, 0, -part.paying, part.paying)
        ));
    END LOOP;
    PERFORM link.record_act(of_jackpot, act, 'award-final', cause, jsonb_build_object('award', of_award));
    RETURN true;
END
$$;

-- The last to cancel ends award and holds, and the base goes back.
CREATE FUNCTION link.cancel_award(of_jackpot text, of_award bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
BEGIN
    UPDATE link.award SET state = 'cancelled', winners = 0, each = 0, total = 0
    WHERE jackpot_id = of_jackpot AND number = of_award
    RETURNING * INTO STRICT a;
    DELETE FROM link.hold WHERE jackpot_id = of_jackpot AND award = of_award;
    IF a.base_from_house IS NOT NULL THEN
        PERFORM link.take_base_back(a, act);
    END IF;
END
$$;

-- Cancel one table's part: its amount returns, the others' each rises, and its round is in hold again (3.8).
-- `open_round`: the member's.
CREATE FUNCTION link.cancel_part(part link.winner, open_round bigint, cause text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint := link.begin_act(part.jackpot_id);
    returned jsonb := link.book_part(
        part, act, '/cancelled', 'award_cancelled', (0, part.paying, 0, 0, -part.paying, 0)
    );
BEGIN
    UPDATE link.winner SET state = 'cancelled', paying = 0
    WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
    IF EXISTS (
        SELECT FROM link.winner
        WHERE jackpot_id = part.jackpot_id AND award = part.award AND state NOT IN ('final', 'cancelled')
    ) THEN
        IF part.round = open_round THEN
            INSERT INTO link.hold (jackpot_id, award, member, round)
            VALUES (part.jackpot_id, part.award, part.member, part.round)
            ON CONFLICT DO NOTHING;
        END IF;
        PERFORM link.divide_award(part.jackpot_id, part.award, act);
    ELSE
        PERFORM link.cancel_award(part.jackpot_id, part.award, act);
    END IF;
    part.state := 'cancelled';
    PERFORM link.record_change(part, act, returned);
    PERFORM link.record_act(
        part.jackpot_id, act, 'award-cancelled', cause,
        jsonb_build_object('award', part.award, 'member', part.member)
    );
    PERFORM link.settle_award(part.jackpot_id, part.award, cause);
END
$$;
