-- Awards, the tables in them, and the rounds that may still join (docs/reference/link-rules.md, 2, 3.3 to 3.8).
--
-- Who calls a function that changes an award holds the jackpot's exclusive lock.

-- `share`: of one winner, in basis points of the frozen reading.
CREATE TABLE link.award (
    jackpot_id text REFERENCES link.jackpot,
    number bigint,
    combination text NOT NULL,
    share integer NOT NULL CHECK (share BETWEEN 1 AND 10000),
    reading bigint NOT NULL CHECK (reading >= 0), -- cents
    winners integer NOT NULL DEFAULT 0 CHECK (winners >= 0),
    each bigint NOT NULL DEFAULT 0 CHECK (each >= 0), -- cents
    total bigint NOT NULL DEFAULT 0, -- cents
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'final', 'cancelled')),
    base_from_reserve bigint, -- what the base took when it was put in; null: it was not
    base_from_house bigint,
    PRIMARY KEY (jackpot_id, number),
    CHECK (total = each * winners AND total <= reading),
    CHECK ((base_from_reserve IS NULL) = (base_from_house IS NULL))
);

CREATE INDEX award_pending ON link.award (jackpot_id, number) WHERE state = 'pending';

-- One table's part of an award. `identity` is the table's: TABLE/round-R/award-K. `place`: the order of claims.
-- `paying`: what the table's ledger has for it as pending or paid. `in-doubt`: a recovery left the table out, and two
-- operators are to say what became of it (3.13).
CREATE TABLE link.winner (
    member text REFERENCES link.member,
    epoch integer,
    identity text,
    jackpot_id text NOT NULL,
    award bigint NOT NULL,
    round bigint NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    winners integer NOT NULL CHECK (winners > 0),
    paying bigint NOT NULL DEFAULT 0 CHECK (paying >= 0),
    state text NOT NULL DEFAULT 'pending' CHECK (
        state IN ('pending', 'agreed', 'in-doubt', 'final', 'cancelled')
    ),
    PRIMARY KEY (member, epoch, identity),
    FOREIGN KEY (jackpot_id, award) REFERENCES link.award
);

CREATE INDEX winner_award ON link.winner (jackpot_id, award);
CREATE INDEX winner_live ON link.winner (member) WHERE state NOT IN ('final', 'cancelled');

-- A round that may still join the award.
CREATE TABLE link.hold (
    jackpot_id text,
    award bigint,
    member text REFERENCES link.member,
    round bigint NOT NULL,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (jackpot_id, award, member),
    FOREIGN KEY (jackpot_id, award) REFERENCES link.award
);

CREATE INDEX hold_member ON link.hold (member);

-- The parts of an award never exceed its reading. While tables tell again, parts are of different times.
CREATE FUNCTION link.check_parts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT link.is_recovering(NEW.jackpot_id) AND (
        SELECT sum(w.paying) FROM link.winner AS w WHERE w.jackpot_id = NEW.jackpot_id AND w.award = NEW.award
    ) > (
        SELECT a.reading * 10000 FROM link.award AS a WHERE a.jackpot_id = NEW.jackpot_id AND a.number = NEW.award
    ) THEN
        RAISE EXCEPTION 'award %/%: its tables would get more than its reading', NEW.jackpot_id, NEW.award
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;

-- At the transaction's end: as an award is divided anew, one table's part rises before another's falls.
CREATE CONSTRAINT TRIGGER parts_within_reading AFTER INSERT OR UPDATE ON link.winner
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link.check_parts();

-- What a call does to awards. Each returns its refusal, or null.

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

-- How an award changes: divided, final, cancelled.

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

-- Divide a shared award, or one of a single table, among its winners as they now are: min(N x share, 100 %) of the frozen reading, each rounded
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
