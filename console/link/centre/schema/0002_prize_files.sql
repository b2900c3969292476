-- Prizes as a house writes them (docs/reference/prizes.md; docs/reference/link-rules.md, 3.9): the terms hold the whole table,
-- and the centre divides fixed amounts, too. A jackpot without a prize file stays what it is.

-- Null: the game's own prizes. Else all of it, as the tables name it; `prizes` has those that the jackpot pays, with a share of 0
-- for a fixed amount.
ALTER TABLE link.jackpot ADD COLUMN prize_file jsonb CHECK (jsonb_typeof(prize_file) = 'object');

-- `amount`: in cents, of one winner, in place of a share.
ALTER TABLE link.award
    ADD COLUMN amount bigint NOT NULL DEFAULT 0 CHECK (amount >= 0),
    DROP CONSTRAINT award_share_check,
    ADD CONSTRAINT award_share_check CHECK (share BETWEEN 0 AND 10000 AND (share = 0) = (amount > 0));

-- `envy`: of each winner, to every other seat of its table, from the jackpot, in cents. `act`: by which it was frozen; null: before this
-- version.
ALTER TABLE link.award
    ADD COLUMN envy bigint NOT NULL DEFAULT 0 CHECK (envy >= 0),
    ADD COLUMN act bigint;

-- `others`: the seats that envy goes to, by the claim. `envy`: what each of them gets, in cents.
ALTER TABLE link.winner
    ADD COLUMN others integer NOT NULL DEFAULT 0 CHECK (others >= 0),
    ADD COLUMN envy bigint NOT NULL DEFAULT 0 CHECK (envy >= 0);

-- What one winner gets: a share in basis points or, where that is 0, an amount in cents; and the envy, as in an award.
CREATE TYPE link.prize AS (share integer, amount bigint, envy bigint);

-- By these terms; a share of null: the jackpot pays nothing for it.
CREATE FUNCTION link.find_prize(terms jsonb, of_combination text) RETURNS link.prize
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    of_file jsonb := (
        SELECT p FROM jsonb_array_elements(terms -> 'prize_file' -> 'prizes') AS p
        WHERE p ->> 'combination' = of_combination
    );
BEGIN
    RETURN (
        (terms -> 'prizes' ->> of_combination)::integer, coalesce((of_file ->> 'amount')::bigint, 0),
        CASE WHEN coalesce((of_file ->> 'by_house')::boolean, false) THEN 0 ELSE coalesce((of_file ->> 'envy')::bigint, 0) END
    )::link.prize;
END
$$;

-- What each of so many winners gets, in cents.
CREATE FUNCTION link.divide(prize link.prize, winners bigint, reading bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE
        WHEN prize.amount > 0 THEN least(prize.amount, reading / winners)
        ELSE reading * least(winners * prize.share, 10000) / (10000 * winners)
    END;
END
$$;

-- What each of a part's other seats gets, in cents: of what the prizes leave of the reading, `others` being those of all parts.
CREATE FUNCTION link.divide_envy(envy bigint, winners bigint, others bigint, rest bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN others > 0 THEN least(winners * envy, rest / others) ELSE 0 END;
END
$$;

-- What the part is to pay: its winners, and its other seats.
CREATE FUNCTION link.reckon_part(part link.winner, each bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (each * part.winners + part.envy * part.others) * 10000;
END
$$;

CREATE OR REPLACE FUNCTION link.describe_terms(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'game', game, 'token', token, 'to_jackpot', to_jackpot, 'to_reserve', to_reserve, 'prizes', prizes
    ) || CASE WHEN prize_file IS NULL THEN '{}' ELSE jsonb_build_object('prize_file', prize_file) END
    FROM link.jackpot WHERE id = of_jackpot
$$;

-- A new jackpot, and its settings.

CREATE OR REPLACE FUNCTION link.create_jackpot(id text, terms jsonb, base bigint, opening bigint, tie text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF EXISTS (SELECT FROM link.jackpot AS there WHERE there.id = create_jackpot.id) THEN
        RAISE EXCEPTION 'there is a jackpot % already', create_jackpot.id;
    END IF;
    INSERT INTO link.jackpot (id, game, token, to_jackpot, to_reserve, prizes, prize_file, base, tie)
    VALUES (
        id, terms ->> 'game', (terms ->> 'token')::bigint, (terms ->> 'to_jackpot')::integer,
        (terms ->> 'to_reserve')::integer, terms -> 'prizes', terms -> 'prize_file', base, tie
    );
    act := link.begin_act(id);
    PERFORM link.move(
        id, NULL, NULL, 'opening', 'opening', act, (0, opening * 10000, 0, -opening * 10000, 0, 0)
    );
    PERFORM link.record_act(
        id, act, 'jackpot', NULL, jsonb_build_object('terms', terms, 'base', base, 'opening', opening, 'tie', tie)
    );
END
$$;

-- A session knows the terms that its hello named. Between rounds, other ones end it: it would stake tokens of the terms before, and be taken
-- for a liar. `greeted`: the version of the settings then; null: from before that was kept.
ALTER TABLE link.member ADD COLUMN greeted integer;

CREATE FUNCTION link.note_greeting() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    NEW.greeted := (SELECT version FROM link.jackpot WHERE id = NEW.jackpot_id);
    RETURN NEW;
END
$$;

CREATE TRIGGER greeting BEFORE UPDATE OF session ON link.member
FOR EACH ROW EXECUTE FUNCTION link.note_greeting();

CREATE FUNCTION link.has_other_settings(m link.member, j link.jackpot) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT m.open_round IS NULL AND NOT m.recovering AND coalesce(m.greeted <> j.version, false)
$$;

CREATE FUNCTION link.has_other_settings(m link.member) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$ -- it sees what was committed before its lock
BEGIN
    RETURN (SELECT link.has_other_settings(m, j) FROM link.jackpot AS j WHERE j.id = m.jackpot_id);
END
$$;

CREATE OR REPLACE FUNCTION link.bar_session(m link.member, request jsonb) RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN m.name IS NULL THEN 'LINK_NOT_A_MEMBER'
        WHEN m.ended THEN 'LINK_FORKED'
        WHEN m.session IS DISTINCT FROM (request ->> 'session')::bigint THEN 'LINK_FENCED'
        WHEN m.doubted AND NOT m.recovering THEN 'LINK_SETTINGS'
        WHEN link.has_other_settings(m) THEN 'LINK_FENCED'
    END
$$;

-- Whether a table is at play: one that is off the link opens no round (4), and hears of other terms as it comes back.
CREATE FUNCTION link.has_open_table(of_jackpot text, terms jsonb) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM link.member AS m JOIN link.presence AS p ON p.member = m.name
        WHERE m.jackpot_id = of_jackpot AND m.joined AND NOT m.ended AND p.phase NOT IN ('PAUSED', 'SERVICE')
            AND p.heard > clock_timestamp() - interval '10 s' AND NOT link.meets_wait(m.awaits, terms)
    )
$$;

CREATE OR REPLACE FUNCTION link.do_settings(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    terms jsonb := arguments -> 'terms';
BEGIN
    IF link.is_recovering(of_jackpot) THEN
        NULL;
    ELSIF EXISTS (
        SELECT FROM link.member AS m
        WHERE m.jackpot_id = of_jackpot AND m.open_round IS NOT NULL AND NOT link.meets_wait(m.awaits, terms)
    ) THEN
        RETURN 'ROUNDS_OPEN';
    ELSIF EXISTS (
        SELECT FROM link.winner AS w JOIN link.member AS m ON m.name = w.member
        WHERE w.jackpot_id = of_jackpot AND w.state NOT IN ('final', 'cancelled')
            AND NOT link.meets_wait(m.awaits, terms)
    ) THEN
        RETURN 'AWARD_PENDING';
    ELSIF link.has_open_table(of_jackpot, terms) THEN
        RETURN 'NOT_PAUSED';
    ELSE
        PERFORM link.record_act(of_jackpot, link.begin_act(of_jackpot), 'settings', NULL, arguments);
    END IF;
    UPDATE link.jackpot SET
        game = terms ->> 'game', token = (terms ->> 'token')::bigint, to_jackpot = (terms ->> 'to_jackpot')::integer,
        to_reserve = (terms ->> 'to_reserve')::integer, prizes = terms -> 'prizes', prize_file = terms -> 'prize_file',
        base = (arguments ->> 'base')::bigint, tie = arguments ->> 'tie', version = version + 1
    WHERE id = of_jackpot;
    RETURN NULL;
END
$$;

-- Names of combinations have digits, too.

CREATE OR REPLACE FUNCTION link.has_form(call jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(
        call - CASE call ->> 'call'
            WHEN 'join' THEN ARRAY['call', 'n', 'balances']
            WHEN 'leave' THEN ARRAY['call', 'n']
            WHEN 'open' THEN ARRAY['call', 'n', 'round']
            WHEN 'deliver' THEN ARRAY['call', 'n', 'round', 'transactions']
            WHEN 'claim' THEN ARRAY['call', 'n', 'round', 'identity', 'combination', 'winners', 'others']
            WHEN 'agree' THEN ARRAY['call', 'n', 'identity']
            WHEN 'cancel' THEN ARRAY['call', 'n', 'identity']
            WHEN 'close' THEN ARRAY['call', 'n', 'round']
            WHEN 'rejoin' THEN ARRAY['call', 'n', 'head', 'transactions']
        END = '{}'
        AND link.read_whole(call -> 'n') IS NOT NULL
        AND (NOT call ? 'round' OR link.read_whole(call -> 'round') IS NOT NULL)
        AND (NOT call ? 'others' OR link.read_whole(call -> 'others') IS NOT NULL)
        AND (NOT call ? 'combination' OR (call -> 'combination')::text ~ '^"[A-Z0-9_]{1,40}"$'),
        false
    )
$$;

CREATE OR REPLACE FUNCTION link.keep_terms(terms jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF jsonb_typeof(terms) IS DISTINCT FROM 'object' OR jsonb_typeof(terms -> 'prizes') IS DISTINCT FROM 'object'
        OR pg_column_size(terms) > 4096 OR coalesce(terms ->> 'game', '') !~ '^[a-z0-9-]{1,40}$'
        OR link.read_whole(terms -> 'token') IS NULL OR link.read_whole(terms -> 'to_jackpot') IS NULL
        OR link.read_whole(terms -> 'to_reserve') IS NULL
        OR terms ? 'prize_file' AND jsonb_typeof(terms -> 'prize_file') <> 'object'
        OR EXISTS (
            SELECT FROM jsonb_each(terms -> 'prizes') AS p
            WHERE p.key !~ '^[A-Z0-9_]{1,40}$' OR link.read_whole(p.value) IS NULL
        )
    THEN
        RETURN '{}';
    END IF;
    RETURN jsonb_build_object('terms', terms);
END
$$;

CREATE OR REPLACE FUNCTION link.keep_award(award jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF coalesce(award ->> 'combination', '') !~ '^[A-Z0-9_]{1,40}$' OR link.read_whole(award -> 'number') IS NULL
        OR link.read_whole(award -> 'reading') IS NULL OR link.read_whole(award -> 'each') IS NULL
        OR link.read_whole(award -> 'winners') IS NULL
    THEN
        RETURN '{}';
    END IF;
    RETURN jsonb_build_object('award', jsonb_build_object(
        'number', award -> 'number', 'combination', award -> 'combination', 'reading', award -> 'reading',
        'each', award -> 'each', 'winners', award -> 'winners'
    ) || CASE WHEN NOT award ? 'envy' THEN '{}' ELSE jsonb_build_object(
        'envy', link.read_whole(award -> 'envy'), 'others', link.read_whole(award -> 'others'),
        'own', link.read_whole(award -> 'own')
    ) END);
END
$$;

-- Awards of a share or an amount.

CREATE OR REPLACE FUNCTION link.begin_award(of_jackpot text, combination text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    j link.jackpot;
    prize link.prize := link.find_prize(link.describe_terms(of_jackpot), combination);
BEGIN
    UPDATE link.jackpot SET awards = awards + 1 WHERE id = of_jackpot RETURNING * INTO STRICT j;
    IF prize.share IS NULL THEN
        RAISE EXCEPTION '% wins nothing in %', combination, j.game;
    END IF;
    INSERT INTO link.award (jackpot_id, number, combination, share, amount, envy, act, reading)
    VALUES (
        j.id, j.awards, combination, prize.share, prize.amount, prize.envy, j.act, greatest(link.read_jackpot(j.id), 0)
    );
    RETURN j.awards;
END
$$;

-- The highest combination has the greatest share (3.6); null: the jackpot pays no share.
CREATE FUNCTION link.find_highest_share(prizes jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT nullif(max(value::integer), 0) FROM jsonb_each_text(prizes)
$$;

-- Simultaneous winners: where the tie is split, an award of the highest combination holds every other open round, which may join it (3.6).
CREATE OR REPLACE FUNCTION link.freeze_award(m link.member, combination text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    frozen bigint := link.begin_award(m.jackpot_id, combination);
BEGIN
    INSERT INTO link.hold (jackpot_id, award, member, round)
    SELECT j.id, frozen, other.name, other.open_round
    FROM link.jackpot AS j
    JOIN link.member AS other ON other.jackpot_id = j.id AND other.open_round IS NOT NULL AND other.name <> m.name
    WHERE j.id = m.jackpot_id AND j.tie = 'split'
        AND (j.prizes ->> combination)::integer = link.find_highest_share(j.prizes);
    RETURN frozen;
END
$$;

CREATE OR REPLACE FUNCTION link.divide_award(of_jackpot text, of_award bigint, act bigint, claimant text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
    part link.winner;
    difference bigint;
    all_others bigint := (
        SELECT sum(p.others) FROM link.winner AS p
        WHERE p.jackpot_id = of_jackpot AND p.award = of_award AND p.state <> 'cancelled'
    );
BEGIN
    UPDATE link.award AS w SET (winners, each, total) = (
        SELECT n, e, e * n FROM (
            SELECT n, link.divide((w.share, w.amount, w.envy)::link.prize, n, w.reading) AS e FROM (
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
        part.envy := link.divide_envy(a.envy, part.winners, CASE WHEN part.others > 0 THEN all_others ELSE 0 END, a.reading - a.total);
        difference := link.reckon_part(part, a.each) - part.paying;
        UPDATE link.winner SET paying = paying + difference, envy = part.envy
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
    ELSIF a.base_from_house IS NOT NULL AND a.winners * a.share < 10000 THEN
        PERFORM link.take_base_back(a, act);
    END IF;
END
$$;

-- The base goes back as an award that was whole is so no more (3.8): to the house, then to the reserve, never below 0. Whole again, it gets
-- its base again.
CREATE OR REPLACE FUNCTION link.take_base_back(a link.award, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    there bigint := greatest((link.sum_balances(a.jackpot_id)).jackpot, 0);
    house bigint := least(there, a.base_from_house);
    reserve bigint := least(there - house, a.base_from_reserve);
BEGIN
    UPDATE link.award SET base_from_reserve = NULL, base_from_house = NULL
    WHERE jackpot_id = a.jackpot_id AND number = a.number;
    PERFORM link.move(
        a.jackpot_id, NULL, NULL, format('award-%s/act-%s/reseed-returned', a.number, act), 'reseed_returned', act,
        (0, -house - reserve, reserve, house, 0, 0)
    );
END
$$;

-- What the award's base moved as it was last put in; null: nothing, or it went back since. After a recovery movements are in whatever order
-- tables told them: their acts say which was the last.
CREATE OR REPLACE FUNCTION link.find_base(of_jackpot text, of_award bigint) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT CASE reason WHEN 'reseed' THEN (tray, jackpot, reserve, house, pending, paid)::link.amounts END FROM link.movement
    WHERE jackpot_id = of_jackpot AND reason IN ('reseed', 'reseed_returned') AND identity LIKE format('award-%s/%%', of_award)
    ORDER BY act DESC LIMIT 1
$$;

-- Awards that are told again after a recovery (3.13).

CREATE FUNCTION link.is_divided_by(prize link.prize, award jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE (award ->> 'winners')::bigint WHEN 0 THEN prize.share + prize.amount > 0 ELSE
        (award ->> 'each')::bigint
            = link.divide(prize, (award ->> 'winners')::bigint, (award ->> 'reading')::bigint)
        AND coalesce((award ->> 'envy')::bigint, 0) = link.divide_envy(
            prize.envy, (award ->> 'own')::bigint, coalesce((award ->> 'others')::bigint, 0),
            (award ->> 'reading')::bigint - (award ->> 'each')::bigint * (award ->> 'winners')::bigint
        )
    END
$$;

-- The prize of an award that was frozen since the backup, by the terms that have been in force since then; null: by none.
CREATE FUNCTION link.find_recalled_prize(of_jackpot text, award jsonb) RETURNS link.prize
LANGUAGE sql STABLE AS $$
    SELECT (prize).share, (prize).amount, (prize).envy FROM (
        SELECT link.find_prize(terms, award ->> 'combination') AS prize, place
        FROM link.list_terms(of_jackpot, (SELECT max(number) FROM link.act WHERE jackpot_id = of_jackpot))
            WITH ORDINALITY AS listed (terms, place)
    ) AS found
    WHERE link.is_divided_by(prize, award) ORDER BY place LIMIT 1
$$;

CREATE OR REPLACE FUNCTION link.meets_wait(awaits jsonb, terms jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(CASE
        WHEN awaits ? 'terms' THEN awaits -> 'terms' = terms
        WHEN awaits ? 'token' THEN jsonb_typeof(awaits -> 'token') = 'object' AND terms @> (awaits -> 'token')
        WHEN awaits ? 'award' THEN link.is_divided_by(
            link.find_prize(terms, awaits -> 'award' ->> 'combination'), awaits -> 'award'
        )
    END, false)
$$;

DROP FUNCTION link.find_recalled_share(text, jsonb);
DROP FUNCTION link.is_divided_by(integer, jsonb);

CREATE OR REPLACE FUNCTION link.recall_change(m link.member, of_act bigint, award jsonb, transaction jsonb, proof text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    there link.award;
    of_number bigint := (award ->> 'number')::bigint;
    prize link.prize;
    part link.winner;
    unproved text := link.bar_unproved(m, link.prove_change(m, of_act, award, transaction), proof);
BEGIN
    IF unproved IS NOT NULL THEN
        RETURN unproved;
    ELSIF EXISTS (SELECT FROM link.change AS c WHERE c.member = m.name AND c.jackpot_id = m.jackpot_id AND c.act = of_act) THEN
        RETURN NULL;
    ELSIF of_act <= (SELECT max(number) FROM link.act WHERE jackpot_id = m.jackpot_id) THEN
        RETURN 'LINK_FORKED'; -- the chain is closed over it
    END IF;
    SELECT * INTO there FROM link.award WHERE jackpot_id = m.jackpot_id AND number = of_number;
    IF there.number IS NULL THEN
        prize := link.find_recalled_prize(m.jackpot_id, award);
        IF prize.share IS NULL THEN
            PERFORM link.let_wait(m.name, link.keep_award(award));
            RETURN 'LINK_SETTINGS';
        END IF;
        INSERT INTO link.award (jackpot_id, number, combination, share, amount, envy, act, reading)
        VALUES (
            m.jackpot_id, of_number, award ->> 'combination', prize.share, prize.amount, prize.envy, of_act,
            (award ->> 'reading')::bigint
        )
        RETURNING * INTO STRICT there;
    END IF;
    UPDATE link.member SET awaits = NULL WHERE name = m.name AND awaits IS NOT NULL;
    IF (there.combination, there.reading) IS DISTINCT FROM (award ->> 'combination', (award ->> 'reading')::bigint) THEN
        RETURN 'LINK_FORKED'; -- since it was set back, the centre has used the number for another award
    END IF;
    part := link.recall_part(m, award);
    IF transaction ->> 'identity' IS NOT NULL THEN
        PERFORM link.move(
            m.jackpot_id, m.name, part.epoch, transaction ->> 'identity', transaction ->> 'reason', of_act,
            link.read_postings(transaction -> 'postings')
        );
    END IF;
    INSERT INTO link.change (member, jackpot_id, act, award, transaction)
    VALUES (m.name, m.jackpot_id, of_act, award, nullif(transaction, 'null'));
    UPDATE link.jackpot SET act = greatest(act, of_act), awards = greatest(awards, of_number) WHERE id = m.jackpot_id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION link.hold_rounds_again(of_jackpot text) RETURNS void
LANGUAGE sql AS $$
    WITH held AS (
        SELECT a.number, m.name, m.open_round
        FROM link.jackpot AS j
        JOIN link.award AS a ON a.jackpot_id = j.id AND a.state = 'pending' AND NOT link.is_decided(j.id, a.number)
        JOIN link.member AS m ON m.jackpot_id = j.id AND m.open_round IS NOT NULL
        WHERE j.id = of_jackpot AND j.tie = 'split'
            AND a.share = link.find_highest_share(j.prizes)
            AND NOT EXISTS (
                SELECT FROM link.winner AS w WHERE w.jackpot_id = j.id AND w.award = a.number AND w.member = m.name
                    AND w.state <> 'cancelled'
            )
            AND (
                SELECT e.act FROM link.entry AS e
                WHERE e.member = m.name AND e.epoch = m.epoch AND e.call ->> 'call' = 'open'
                    AND e.answer ->> 'refusal' IS NULL
                ORDER BY e.n DESC LIMIT 1
            ) < (
                SELECT min(c.act) FROM link.change AS c
                WHERE c.jackpot_id = j.id AND (c.award ->> 'number')::bigint = a.number
            )
    ), ended AS (
        DELETE FROM link.hold AS h WHERE h.jackpot_id = of_jackpot
            AND NOT EXISTS (SELECT FROM held WHERE held.number = h.award AND held.name = h.member)
    )
    INSERT INTO link.hold (jackpot_id, award, member, round)
    SELECT of_jackpot, number, name, open_round FROM held
    ON CONFLICT (jackpot_id, award, member) DO UPDATE SET round = excluded.round
$$;

-- The sign's words are the file's.
CREATE OR REPLACE FUNCTION link.read_room() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    position bigint := link.read_position();
BEGIN
    RETURN jsonb_build_object(
        'position', position, 'standby', pg_is_in_recovery(), 'beat_s', link.read_beat(),
        'now', link.to_milliseconds(clock_timestamp()),
        'jackpots', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'jackpot', id, 'game', game, 'prizes', prizes, 'prize_file', prize_file,
                'amount', link.read_jackpot(id),
                'tables', link.describe_tables(id), 'awards', link.describe_awards(id, 'pending'),
                'finals', link.describe_awards(id, 'final')
            ) ORDER BY id), '[]')
            FROM link.jackpot WHERE NOT link.is_tournament(id)
        ),
        'tournaments', link.read_tournaments(), 'clocks', link.read_clocks()
    );
END
$$;

-- The prize file that was in force when the award was frozen, with its one prize: what the award is called, and its currency. Null: there
-- was none.
CREATE FUNCTION link.find_named_prize(a link.award) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT prize_file || jsonb_build_object('prizes', jsonb_path_query_array(
        prize_file, '$.prizes[*] ? (@.combination == $name)', jsonb_build_object('name', a.combination)
    ))
    FROM (
        SELECT details -> 'terms' -> 'prize_file' AS prize_file FROM link.act
        WHERE jackpot_id = a.jackpot_id AND kind IN ('jackpot', 'settings') AND number <= a.act
        ORDER BY number DESC LIMIT 1
    ) AS terms
$$;

-- As before, with each part's envy, and with the names that were then in force.
CREATE OR REPLACE FUNCTION link.describe_award(a link.award) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'number', a.number, 'combination', a.combination, 'reading', a.reading, 'winners', a.winners,
        'each', a.each, 'whole', a.base_from_house IS NOT NULL, 'prize_file', link.find_named_prize(a),
        'parts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'table', w.member, 'winners', w.winners, 'state', w.state, 'others', w.others, 'envy', w.envy
            ) ORDER BY w.place), '[]')
            FROM link.winner AS w
            WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
        ),
        'holds', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'table', h.member, 'round', h.round, 'since', link.to_milliseconds(h.since)
            ) ORDER BY h.since, h.member), '[]')
            FROM link.hold AS h WHERE h.jackpot_id = a.jackpot_id AND h.award = a.number
        ),
        'at', (
            SELECT link.to_milliseconds(max(at)) FROM link.act
            WHERE jackpot_id = a.jackpot_id AND kind = 'award-final' AND details ->> 'award' = a.number::text
        )
    )
$$;

-- Envy from the jackpot (docs/reference/prizes.md, 2.20): the claim tells the seats, and the stakes bound them.

CREATE OR REPLACE FUNCTION link.do_claim(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
    claimed bigint := link.read_whole(call -> 'winners');
    others bigint := coalesce(link.read_whole(call -> 'others'), 0);
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
    ELSIF call ? 'others' AND (link.find_prize(link.describe_terms(m.jackpot_id), call ->> 'combination')).envy = 0 THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    more := claimed - coalesce(part.winners, 0);
    IF more < 1 THEN
        RETURN NULL; -- the centre was set back, and knows the claim from what the member has booked of it
    ELSIF m.winners + more > m.stakes THEN
        RETURN 'NOBODY_ELIGIBLE';
    ELSIF claimed + others > m.stakes THEN
        RETURN 'NOT_THE_TERMS'; -- more seats than the round ever had stakes
    END IF;
    UPDATE link.member SET winners = winners + more WHERE name = m.name;
    PERFORM link.claim_winners(
        m, part.award, call ->> 'identity', call ->> 'combination', claimed::integer, others::integer
    );
    RETURN NULL;
END
$$;

DROP FUNCTION link.claim_winners(link.member, bigint, text, text, integer);

CREATE FUNCTION link.claim_winners(
    m link.member, of_award bigint, identity text, combination text, claimed integer, of_others integer
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
    INSERT INTO link.winner AS w (member, epoch, identity, jackpot_id, award, round, winners, others)
    VALUES (m.name, m.epoch, identity, m.jackpot_id, joined, m.open_round, claimed, of_others)
    ON CONFLICT ON CONSTRAINT winner_pkey DO UPDATE SET
        winners = excluded.winners, others = excluded.others, state = 'pending';
    PERFORM link.divide_award(m.jackpot_id, joined, act, m.name);
    PERFORM link.record_act(
        m.jackpot_id, act, 'award-pending', m.name,
        jsonb_build_object('award', joined, 'identity', identity, 'winners', claimed)
    );
END
$$;

-- Two operators give the award of a claim that came too late, with the envy of the other seats that it told (3.11).
CREATE OR REPLACE FUNCTION link.do_award(m link.member, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
    part link.winner;
    of_round bigint := (arguments ->> 'round')::bigint;
    claimed integer := (arguments ->> 'winners')::integer;
    of_others integer := coalesce((arguments ->> 'others')::integer, 0);
    stakes bigint := link.count_stakes(m.name, of_round);
    used bigint;
BEGIN
    IF NOT link.is_own_award(m, arguments ->> 'identity', of_round::text) THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF EXISTS (SELECT FROM link.find_part(m.name, arguments ->> 'identity')) THEN
        RETURN 'AWARD_FINAL';
    ELSIF m.open_round = of_round THEN
        RETURN 'ROUNDS_OPEN'; -- the table can claim it yet
    ELSIF of_others > 0 AND (
        link.find_prize(link.describe_terms(m.jackpot_id), arguments ->> 'combination')
    ).envy IS NOT DISTINCT FROM 0 THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    SELECT coalesce(sum(w.winners), 0) INTO used FROM link.winner AS w
    WHERE w.member = m.name AND w.round = of_round AND w.state <> 'cancelled';
    IF used + claimed > stakes OR claimed + of_others > stakes THEN
        RETURN 'NOBODY_ELIGIBLE';
    END IF;
    act := link.begin_act(m.jackpot_id);
    INSERT INTO link.winner (member, epoch, identity, jackpot_id, award, round, winners, others)
    VALUES (
        m.name, m.epoch, arguments ->> 'identity', m.jackpot_id,
        link.begin_award(m.jackpot_id, arguments ->> 'combination'), of_round, claimed, of_others
    )
    RETURNING * INTO part;
    PERFORM link.divide_award(m.jackpot_id, part.award, act, m.name);
    PERFORM link.record_act(m.jackpot_id, act, 'award', NULL, arguments || jsonb_build_object('award', part.award));
    PERFORM link.agree_part(part, NULL);
    RETURN NULL;
END
$$;

-- A `LinkedAward` of the wire; without envy from the jackpot as it was before.
CREATE OR REPLACE FUNCTION link.describe_award(part link.winner) RETURNS jsonb
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
    ) || CASE
        WHEN a.envy = 0 THEN '{}'
        WHEN part.state = 'cancelled' THEN jsonb_build_object('others', 0, 'envy', 0)
        ELSE jsonb_build_object('others', part.others, 'envy', part.envy)
    END
    FROM link.award AS a WHERE a.jackpot_id = part.jackpot_id AND a.number = part.award
$$;

CREATE OR REPLACE FUNCTION link.recall_part(m link.member, award jsonb) RETURNS link.winner
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
    of_winners integer := (award ->> 'own')::integer;
    of_others integer := coalesce((award ->> 'others')::integer, 0);
    of_envy bigint := coalesce((award ->> 'envy')::bigint, 0);
BEGIN
    SELECT * INTO part FROM link.find_part(m.name, award ->> 'identity');
    INSERT INTO link.winner AS w (
        member, epoch, identity, jackpot_id, award, round, winners, paying, state, others, envy
    )
    VALUES (
        m.name, coalesce(part.epoch, m.epoch), award ->> 'identity', m.jackpot_id, (award ->> 'number')::bigint,
        substring(award ->> 'identity' FROM '/round-([0-9]+)/award-[0-9]+$')::bigint, greatest(of_winners, 1),
        ((award ->> 'each')::bigint * of_winners + of_envy * of_others) * 10000, award ->> 'state', of_others, of_envy
    )
    ON CONFLICT ON CONSTRAINT winner_pkey DO UPDATE SET
        winners = CASE of_winners WHEN 0 THEN w.winners ELSE of_winners END,
        paying = excluded.paying, state = excluded.state, others = excluded.others, envy = excluded.envy
    RETURNING * INTO part;
    RETURN part;
END
$$;

CREATE OR REPLACE FUNCTION link.list_outdated_awards(of_jackpot text) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
    SELECT a.number FROM link.award AS a
    JOIN link.winner AS w ON w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
    WHERE a.jackpot_id = of_jackpot AND a.state = 'pending' AND NOT link.is_decided(of_jackpot, a.number)
    GROUP BY a.jackpot_id, a.number
    HAVING sum(w.winners) <> a.winners OR bool_or(w.paying <> link.reckon_part(w, a.each))
    ORDER BY a.number
$$;

CREATE OR REPLACE FUNCTION link.set_left_out_parts(of_jackpot text, of_award bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    decided boolean := link.is_decided(of_jackpot, of_award);
    rest bigint := link.count_rest(of_jackpot, of_award);
    told bigint;
    agree boolean;
BEGIN
    SELECT coalesce(sum(w.winners), 0), coalesce(bool_and(w.paying = link.reckon_part(w, a.each)), true)
    INTO STRICT told, agree
    FROM link.winner AS w JOIN link.award AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.award
    WHERE w.jackpot_id = of_jackpot AND w.award = of_award AND w.state IN ('pending', 'agreed');
    IF NOT decided AND rest = told AND agree THEN
        PERFORM link.cancel_left_out(part, act) FROM link.winner AS part
        WHERE part.jackpot_id = of_jackpot AND part.award = of_award AND part.state = 'in-doubt';
    ELSIF rest > told THEN
        PERFORM link.give_to_left_out(of_jackpot, of_award, rest - told, act);
    END IF;
    IF decided THEN
        PERFORM link.share_rest(of_jackpot, of_award, act);
    END IF;
END
$$;

-- As before, with the base as the movements say it.
CREATE OR REPLACE FUNCTION link.set_recalled_award(of_jackpot text, of_award bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    last jsonb;
    base link.amounts := link.find_base(of_jackpot, of_award);
BEGIN
    SELECT c.award INTO STRICT last FROM link.change AS c
    WHERE c.jackpot_id = of_jackpot AND (c.award ->> 'number')::bigint = of_award
    ORDER BY c.act DESC, c.member LIMIT 1;
    UPDATE link.award SET
        winners = (last ->> 'winners')::integer,
        each = (last ->> 'each')::bigint,
        total = (last ->> 'each')::bigint * (last ->> 'winners')::integer,
        base_from_reserve = -base.reserve,
        base_from_house = -base.house
    WHERE jackpot_id = of_jackpot AND number = of_award;
    PERFORM link.set_left_out_parts(of_jackpot, of_award, act);
    UPDATE link.award AS a SET
        state = CASE WHEN NOT stands THEN 'cancelled' WHEN live THEN 'pending' ELSE 'final' END,
        winners = CASE WHEN stands THEN a.winners ELSE 0 END,
        each = CASE WHEN stands THEN a.each ELSE 0 END,
        total = CASE WHEN stands THEN a.total ELSE 0 END
    FROM (
        SELECT coalesce(bool_or(state <> 'cancelled'), false) AS stands,
            bool_or(state NOT IN ('final', 'cancelled')) AS live
        FROM link.winner WHERE jackpot_id = of_jackpot AND award = of_award
    ) AS parts
    WHERE a.jackpot_id = of_jackpot AND a.number = of_award;
END
$$;

-- The bases of awards that are whole by what was told, and of those that are not. An award from before this version that is final keeps
-- the base that it then had.
CREATE OR REPLACE FUNCTION link.put_bases_right(of_jackpot text, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
BEGIN
    FOR a IN
        SELECT * FROM link.award WHERE jackpot_id = of_jackpot AND state <> 'cancelled'
            AND base_from_house IS NULL AND winners * share >= 10000 ORDER BY number
    LOOP
        PERFORM link.put_base_in(a, act);
    END LOOP;
    FOR a IN
        SELECT * FROM link.award AS b WHERE jackpot_id = of_jackpot AND winners * share < 10000
            AND base_from_house IS NOT NULL AND (state <> 'final' OR b.act IS NOT NULL)
            AND link.find_base(of_jackpot, number) IS NOT NULL
        ORDER BY number
    LOOP
        PERFORM link.take_base_back(a, act);
    END LOOP;
END
$$;

-- The limit (docs/reference/prizes.md, 2.12, 2.15, 2.19). A table delivers whole tokens; what is above the limit the centre moves on by an
-- act of its own, before the delivery is answered.

-- Whether a movement may have this reason, by what it brings the jackpot.
CREATE FUNCTION link.is_reason(reason text, jackpot bigint) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN reason IN (
        'award_pending', 'award_raised', 'token_returned', 'reseed_returned', 'correction', 'overflow', 'transfer'
    ) OR (jackpot >= 0 AND reason IN (
        'opening', 'join', 'stake', 'fee', 'award_final', 'award_cancelled', 'reseed', 'addition', 'overflow_returned'
    ));
END
$$;

-- Each statement reads its table's constraints anew from their text: here it is short, and a stake needs no more.
ALTER TABLE link.movement
    DROP CONSTRAINT movement_check2,
    DROP CONSTRAINT movement_reason_check,
    ADD CONSTRAINT movement_reason_check CHECK ((reason = 'stake' AND jackpot >= 0) OR link.is_reason(reason, jackpot));

-- Of which table and round it is; its identity is act-N and this.
CREATE FUNCTION link.name_overflow(of_member text, of_round bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT format('%s/round-%s/overflow', of_member, of_round)
$$;

CREATE INDEX movement_overflow ON link.movement (jackpot_id, (substr(identity, strpos(identity, '/') + 1)))
    WHERE reason IN ('overflow', 'overflow_returned');

-- What the limit has kept out of the jackpot in this round of the table, by the account that has it.
CREATE FUNCTION link.sum_kept_out(m link.member, of_round bigint) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT (
        0, coalesce(sum(jackpot), 0), coalesce(sum(reserve), 0), coalesce(sum(house), 0), 0, 0
    )::link.amounts
    FROM link.movement
    WHERE jackpot_id = m.jackpot_id AND reason IN ('overflow', 'overflow_returned')
        AND substr(identity, strpos(identity, '/') + 1) = link.name_overflow(m.name, of_round)
$$;

CREATE FUNCTION link.read_limit(of_jackpot text) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$ -- in 1/10,000 of a cent; null: there is none
BEGIN
    RETURN (SELECT (prize_file ->> 'limit')::bigint * 10000 FROM link.jackpot WHERE id = of_jackpot);
END
$$;

-- Whether deliveries may bring the jackpot above its limit: as many at once as there are tables, each of seven tokens of whatever terms
-- ever were.
CREATE FUNCTION link.may_overflow(of_jackpot text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$ -- it sees what was committed before its lock
BEGIN
    RETURN (link.sum_balances(of_jackpot)).jackpot
        + (SELECT count(*) FROM link.member WHERE jackpot_id = of_jackpot) * 7 * (
            SELECT max((terms ->> 'token')::bigint * (terms ->> 'to_jackpot')::bigint)
            FROM link.list_terms(of_jackpot, 0) AS terms
        ) > link.read_limit(of_jackpot);
END
$$;

-- Lock it shared, if no delivery can reach the limit. False: one may, and the lock is given back, as in `lock_without_hold`.
CREATE FUNCTION link.lock_below_limit(of_jackpot text, key bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(key);
    IF link.may_overflow(of_jackpot) THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;

CREATE OR REPLACE FUNCTION link.lock_jackpot(m link.member, call jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    key bigint := link.lock_key(m.jackpot_id);
    name text := call ->> 'call';
BEGIN
    IF name = 'open' AND m.open_round IS NULL THEN
        PERFORM pg_advisory_xact_lock_shared(key);
        IF link.has_other_settings(m) THEN
            RAISE EXCEPTION 'the settings have just changed: say hello again' USING ERRCODE = 'serialization_failure';
        END IF;
    ELSIF name = 'deliver' AND NOT jsonb_path_exists(call, '$.transactions[*] ? (@.reason != "stake")') THEN
        IF link.read_limit(m.jackpot_id) IS NULL THEN
            PERFORM pg_advisory_xact_lock_shared(key);
            IF link.read_limit(m.jackpot_id) IS NOT NULL THEN
                RAISE EXCEPTION 'the settings have just changed: tell it again' USING ERRCODE = 'serialization_failure';
            END IF;
        ELSIF NOT link.lock_below_limit(m.jackpot_id, key) THEN
            PERFORM pg_advisory_xact_lock(key);
        END IF;
    ELSIF name NOT IN ('open', 'close') OR NOT link.lock_without_hold(m.name, key) THEN
        PERFORM pg_advisory_xact_lock(key);
    END IF;
END
$$;

-- What of these tokens, in their order, the limit keeps out of the jackpot; below 0: what goes back into it, since a returned token takes
-- first what its round had kept out. `there`: the jackpot before them. `kept`: what was kept out in this round before.
CREATE FUNCTION link.reckon_overflow(tokens jsonb, there bigint, kept bigint, top bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    token jsonb;
    part bigint;
    over bigint;
    before bigint := kept;
BEGIN
    FOR token IN SELECT jsonb_array_elements(tokens) LOOP
        part := (link.read_postings(token -> 'postings')).jackpot;
        over := CASE
            WHEN part > 0 THEN greatest(part - greatest(coalesce(top, there + part) - there, 0), 0)
            ELSE -least(-part, kept)
        END;
        there := there + part - over;
        kept := kept + over;
    END LOOP;
    RETURN kept - before;
END
$$;

-- Move on what these tokens brought above the limit, or back what the limit had kept out of those that are returned: by an act.
-- `brought`: to the jackpot, by all of them.
CREATE FUNCTION link.keep_limit(m link.member, call jsonb, brought bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    of_round bigint := (call ->> 'round')::bigint; -- null: a list for a rejoin, of several rounds
    kept link.amounts := (0, 0, 0, 0, 0, 0);
    there bigint := (link.sum_balances(m.jackpot_id)).jackpot - brought;
    over bigint;
    to_house boolean := coalesce(
        (SELECT prize_file ->> 'overflow' = 'house' FROM link.jackpot WHERE id = m.jackpot_id), false
    );
    act bigint;
BEGIN
    IF of_round IS NOT NULL THEN
        kept := link.sum_kept_out(m, of_round);
    END IF;
    over := link.reckon_overflow(call -> 'transactions', there, -kept.jackpot, link.read_limit(m.jackpot_id));
    IF over = 0 THEN
        RETURN;
    ELSIF over < 0 THEN
        to_house := kept.house > 0;
    END IF;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.move(
        m.jackpot_id, NULL, NULL, format('act-%s/%s', act, link.name_overflow(m.name, coalesce(of_round, 0))),
        CASE WHEN over > 0 THEN 'overflow' ELSE 'overflow_returned' END, act,
        (0, -over, CASE WHEN to_house THEN 0 ELSE over END, CASE WHEN to_house THEN over ELSE 0 END, 0, 0)
    );
    PERFORM link.record_act(
        m.jackpot_id, act, 'overflow', m.name, jsonb_build_object('round', of_round, 'kept_out', over)
    );
END
$$;

CREATE OR REPLACE FUNCTION link.do_list(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    moved link.amounts := link.book_tokens(m, call);
BEGIN
    PERFORM link.keep_limit(m, call, moved.jackpot)
    FROM link.jackpot WHERE id = m.jackpot_id AND prize_file IS NOT NULL;
    IF moved.jackpot < 0 OR moved.reserve < 0 THEN
        PERFORM link.add_for_returned_token(m);
    END IF;
    RETURN NULL;
END
$$;
