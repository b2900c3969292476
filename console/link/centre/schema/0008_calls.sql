-- What a numbered call does (docs/link-rules.md, section 3). Each returns its refusal, or null.
--
-- The caller has locked the member's row, and the jackpot: shared for open and deliver without a returned token, else
-- exclusive.

CREATE FUNCTION link.do_join(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF NOT link.are_balances(call -> 'balances') THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.book_join(m, call, act);
    PERFORM link.add_what_lacks(m.jackpot_id, act);
    PERFORM link.record_act(m.jackpot_id, act, 'join', m.name, '{}');
    RETURN NULL;
END
$$;

CREATE FUNCTION link.book_join(m link.member, call jsonb, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    brought link.amounts := jsonb_populate_record(NULL::link.amounts, call -> 'balances');
BEGIN
    INSERT INTO link.movement (
        jackpot_id, member, epoch, identity, reason, act, tray, jackpot, reserve, house, pending, paid
    )
    VALUES (m.jackpot_id, m.name, m.epoch, format('join-%s', act), 'join', act, brought.*);
    PERFORM link.add_to_member(m.name, brought);
    UPDATE link.member SET joined = true, asked = NULL, allowed = NULL WHERE name = m.name;
END
$$;

CREATE FUNCTION link.add_to_member(of_member text, moved link.amounts) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link.member_balance AS b SET
        tray = b.tray + moved.tray,
        jackpot = b.jackpot + moved.jackpot,
        reserve = b.reserve + moved.reserve,
        house = b.house + moved.house,
        pending = b.pending + moved.pending,
        paid = b.paid + moved.paid
    WHERE b.member = of_member;
END
$$;

CREATE FUNCTION link.do_leave(m link.member) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF EXISTS (SELECT FROM link.winner WHERE member = m.name AND state NOT IN ('final', 'cancelled')) THEN
        RETURN 'AWARD_PENDING';
    END IF;
    PERFORM link.end_round(m, m.name);
    act := link.begin_act(m.jackpot_id);
    UPDATE link.member SET joined = false, leaving = true WHERE name = m.name;
    PERFORM link.record_act(m.jackpot_id, act, 'leave', m.name, '{}');
    RETURN NULL;
END
$$;

-- End the member's round and its holds, and settle the awards that waited for it alone.
CREATE FUNCTION link.end_round(m link.member, cause text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    waited bigint;
BEGIN
    UPDATE link.member SET open_round = NULL, stakes = 0, winners = 0 WHERE name = m.name;
    FOR waited IN
        WITH ended AS (DELETE FROM link.hold WHERE member = m.name RETURNING award)
        SELECT award FROM ended ORDER BY award
    LOOP
        PERFORM link.settle_award(m.jackpot_id, waited, cause);
    END LOOP;
END
$$;

CREATE FUNCTION link.do_open(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    opened bigint := link.read_whole(call -> 'round');
BEGIN
    IF opened IS NULL THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF m.open_round IS NOT NULL THEN
        PERFORM link.end_round(m, m.name);
    END IF;
    UPDATE link.member SET open_round = opened WHERE name = m.name;
    RETURN NULL;
END
$$;

CREATE FUNCTION link.do_close(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF m.open_round = link.read_whole(call -> 'round') THEN
        PERFORM link.end_round(m, m.name);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION link.do_deliver(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.fits_terms(m, call) THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    RETURN link.do_list(m, call);
END
$$;

-- Book the stakes and returned tokens of a delivery that fits, or of a list that two operators approved.
CREATE FUNCTION link.do_list(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    moved link.amounts := link.book_tokens(m, call);
BEGIN
    IF moved.jackpot < 0 OR moved.reserve < 0 THEN
        PERFORM link.add_for_returned_token(m);
    END IF;
    RETURN NULL;
END
$$;

-- Book stakes and returned tokens, whenever they come (3.11). What was booked, in all.
CREATE FUNCTION link.book_tokens(m link.member, call jsonb) RETURNS link.amounts
LANGUAGE plpgsql AS $$
DECLARE
    booked record;
BEGIN
    WITH fresh AS (
        INSERT INTO link.movement (
            jackpot_id, member, epoch, identity, reason, tray, jackpot, reserve, house, pending, paid
        )
        SELECT m.jackpot_id, m.name, m.epoch, t.identity, t.reason, p.*
        FROM jsonb_to_recordset(call -> 'transactions') AS t (identity text, reason text, postings jsonb)
        CROSS JOIN LATERAL link.read_postings(t.postings) AS p
        RETURNING *
    )
    SELECT
        (
            coalesce(sum(tray), 0), coalesce(sum(jackpot), 0), coalesce(sum(reserve), 0), coalesce(sum(house), 0),
            coalesce(sum(pending), 0), coalesce(sum(paid), 0)
        )::link.amounts AS moved,
        count(*) FILTER (WHERE reason = 'stake') AS stakes
    INTO booked FROM fresh;
    PERFORM link.add_to_member(m.name, booked.moved);
    IF booked.stakes > 0 THEN
        UPDATE link.member AS w SET stakes = w.stakes + booked.stakes
        WHERE w.name = m.name AND w.open_round = (call ->> 'round')::bigint;
    END IF;
    RETURN booked.moved;
END
$$;

-- Record a token's movement. False if it is there already; an error if the one there is another.
CREATE FUNCTION link.record_token(m link.member, of_identity text, reason text, moved link.amounts) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    there link.amounts;
BEGIN
    INSERT INTO link.movement (
        jackpot_id, member, epoch, identity, reason, tray, jackpot, reserve, house, pending, paid
    )
    VALUES (m.jackpot_id, m.name, m.epoch, of_identity, reason, moved.*)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN true;
    END IF;
    SELECT tray, jackpot, reserve, house, pending, paid INTO STRICT there FROM link.movement AS v
    WHERE v.jackpot_id = m.jackpot_id AND v.member = m.name AND v.epoch = m.epoch AND v.identity = of_identity;
    IF there IS DISTINCT FROM moved THEN
        RAISE EXCEPTION '% is booked already, with other postings', of_identity;
    END IF;
    RETURN false;
END
$$;

-- What a returned token lacks in the jackpot the centre adds, by an act (2.1).
CREATE FUNCTION link.add_for_returned_token(m link.member) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF link.reckon_addition(link.sum_balances(m.jackpot_id)) IS NOT NULL THEN
        act := link.begin_act(m.jackpot_id);
        PERFORM link.add_what_lacks(m.jackpot_id, act);
        PERFORM link.record_act(m.jackpot_id, act, 'addition', m.name, '{}');
    END IF;
END
$$;

-- The member's part of this identity: the live one, or else of the latest epoch.
CREATE FUNCTION link.find_part(of_member text, of_identity text) RETURNS SETOF link.winner
LANGUAGE sql STABLE AS $$
    SELECT * FROM link.winner WHERE member = of_member AND identity = of_identity
    ORDER BY state NOT IN ('final', 'cancelled') DESC, epoch DESC
    LIMIT 1
$$;

CREATE FUNCTION link.do_claim(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
    claimed bigint := link.read_whole(call -> 'winners');
    more bigint;
BEGIN
    IF NOT link.is_own_award(m, call ->> 'identity', link.read_whole(call -> 'round')::text) OR coalesce(claimed, 0) < 1 THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    SELECT * INTO part FROM link.find_part(m.name, call ->> 'identity');
    IF part.state IN ('final', 'cancelled', 'in-doubt') THEN
        RETURN 'AWARD_FINAL';
    ELSIF m.open_round IS DISTINCT FROM link.read_whole(call -> 'round') THEN
        RETURN 'ROUND_CLOSED';
    ELSIF NOT link.is_prize_of(part, m.jackpot_id, call ->> 'combination') THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    more := claimed - coalesce(part.winners, 0);
    IF more < 1 THEN
        RETURN NULL; -- the centre was set back, and knows the claim from what the member has booked of it
    ELSIF m.winners + more > m.stakes THEN
        RETURN 'NOBODY_ELIGIBLE';
    END IF;
    UPDATE link.member SET winners = winners + more WHERE name = m.name;
    PERFORM link.claim_winners(m, part.award, call ->> 'identity', call ->> 'combination', claimed::integer);
    RETURN NULL;
END
$$;

-- A claim joins the award that it names, or the oldest one that holds its round, or freezes one of its own.
CREATE FUNCTION link.claim_winners(
    m link.member, of_award bigint, identity text, combination text, claimed integer
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint := link.begin_act(m.jackpot_id);
    joined bigint := coalesce(of_award, link.find_held_award(m, combination));
BEGIN
    IF joined IS NULL THEN
        joined := link.freeze_award(m, combination);
    END IF;
    DELETE FROM link.hold WHERE jackpot_id = m.jackpot_id AND award = joined AND member = m.name;
    INSERT INTO link.winner AS w (member, epoch, identity, jackpot_id, award, round, winners)
    VALUES (m.name, m.epoch, identity, m.jackpot_id, joined, m.open_round, claimed)
    ON CONFLICT ON CONSTRAINT winner_pkey DO UPDATE SET winners = excluded.winners, state = 'pending';
    PERFORM link.divide_award(m.jackpot_id, joined, act, m.name);
    PERFORM link.record_act(
        m.jackpot_id, act, 'award-pending', m.name,
        jsonb_build_object('award', joined, 'identity', identity, 'winners', claimed)
    );
END
$$;

CREATE FUNCTION link.find_held_award(m link.member, of_combination text) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT min(a.number)
    FROM link.hold AS h
    JOIN link.award AS a ON a.jackpot_id = h.jackpot_id AND a.number = h.award
    WHERE h.jackpot_id = m.jackpot_id AND h.member = m.name AND h.round = m.open_round
        AND a.state = 'pending' AND a.combination = of_combination
$$;

-- A new award on the jackpot as it now reads; its number.
CREATE FUNCTION link.begin_award(of_jackpot text, combination text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    j link.jackpot;
BEGIN
    UPDATE link.jackpot SET awards = awards + 1 WHERE id = of_jackpot RETURNING * INTO STRICT j;
    IF NOT j.prizes ? combination THEN
        RAISE EXCEPTION '% wins nothing in %', combination, j.game;
    END IF;
    INSERT INTO link.award (jackpot_id, number, combination, share, reading)
    VALUES (
        j.id, j.awards, combination, (j.prizes ->> combination)::integer, greatest(link.read_jackpot(j.id), 0)
    );
    RETURN j.awards;
END
$$;

-- A new award. With tie `split`, the highest combination's holds every other open round (3.6).
CREATE FUNCTION link.freeze_award(m link.member, combination text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    frozen bigint := link.begin_award(m.jackpot_id, combination);
BEGIN
    INSERT INTO link.hold (jackpot_id, award, member, round)
    SELECT j.id, frozen, other.name, other.open_round
    FROM link.jackpot AS j
    JOIN link.member AS other ON other.jackpot_id = j.id AND other.open_round IS NOT NULL AND other.name <> m.name
    WHERE j.id = m.jackpot_id AND j.tie = 'split'
        AND (j.prizes ->> combination)::integer = (
            SELECT max(value::integer) FROM jsonb_each_text(j.prizes)
        );
    RETURN frozen;
END
$$;

-- The key is back in R: agreed, and final if nobody else is awaited (3.6). Of what was refused there is nothing to
-- agree to.
CREATE FUNCTION link.do_agree(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
BEGIN
    IF NOT link.is_own_award(m, call ->> 'identity', '[0-9]{1,15}') THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    SELECT * INTO part FROM link.find_part(m.name, call ->> 'identity');
    IF part.state = 'in-doubt' THEN
        RETURN link.decide_part(part, true, m.name);
    ELSIF part.state = 'cancelled' THEN
        RETURN 'AWARD_FINAL';
    ELSIF part.state = 'pending' THEN
        PERFORM link.agree_part(part, m.name);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION link.agree_part(part link.winner, cause text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    part.state := 'agreed';
    UPDATE link.winner SET state = 'agreed'
    WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
    IF NOT link.settle_award(part.jackpot_id, part.award, cause) THEN
        act := link.begin_act(part.jackpot_id);
        PERFORM link.record_change(part, act, NULL);
        PERFORM link.record_act(
            part.jackpot_id, act, 'award-agreed', cause,
            jsonb_build_object('award', part.award, 'member', part.member)
        );
    END IF;
END
$$;

-- The combination is pressed again (3.8). What was never booked needs no cancelling.
CREATE FUNCTION link.do_cancel(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
BEGIN
    IF NOT link.is_own_award(m, call ->> 'identity', '[0-9]{1,15}') THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    SELECT * INTO part FROM link.find_part(m.name, call ->> 'identity');
    IF part.state = 'in-doubt' THEN
        RETURN link.decide_part(part, false, m.name);
    ELSIF part.state = 'final' THEN
        RETURN 'AWARD_FINAL';
    ELSIF part.state IN ('pending', 'agreed') THEN
        PERFORM link.give_places_back(m, part);
        PERFORM link.cancel_part(part, m.open_round, m.name);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION link.give_places_back(m link.member, part link.winner) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.member SET winners = winners - part.winners WHERE name = m.name AND open_round = part.round
$$;
