-- The jackpot of tournaments: days, tournaments, fees and wins (docs/reference/link-rules.md, section 6).
--
-- It is a row of link.jackpot whose game is `tournament`: the token is the fee, a prize's name is a level. Its members
-- are cash desks. Each row names the entry of the desk that told it.

CREATE TABLE link.tournament_day (
    jackpot_id text REFERENCES link.jackpot,
    day date,
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day),
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

-- Level 1 begins a tournament. 2: from the second level to the end of late registration; then it is over.
CREATE TABLE link.tournament_level (
    jackpot_id text,
    day date,
    tournament text CHECK (tournament ~ '^[A-Za-z0-9.-]{1,40}$'),
    level text CHECK (level IN ('1', '2', 'over')),
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day, tournament, level),
    FOREIGN KEY (jackpot_id, day) REFERENCES link.tournament_day,
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE link.tournament_fee (
    jackpot_id text,
    day date,
    tournament text,
    ticket text CHECK (ticket ~ '^[A-Za-z0-9.-]{1,40}$'),
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day, tournament, ticket),
    FOREIGN KEY (jackpot_id, day) REFERENCES link.tournament_day,
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

-- One a day, of a ticket whose fee is paid. `level`: in which the hand was dealt. `share` in basis points of the
-- reading; reading and amount in cents.
CREATE TABLE link.tournament_win (
    jackpot_id text,
    day date,
    tournament text NOT NULL,
    ticket text NOT NULL,
    level text NOT NULL CHECK (level IN ('1', '2')),
    share integer NOT NULL CHECK (share BETWEEN 1 AND 10000),
    reading bigint NOT NULL CHECK (reading >= 0),
    amount bigint NOT NULL,
    act bigint NOT NULL,
    proposal bigint NOT NULL REFERENCES link.proposal,
    PRIMARY KEY (jackpot_id, day),
    FOREIGN KEY (jackpot_id, day, tournament, ticket) REFERENCES link.tournament_fee,
    FOREIGN KEY (jackpot_id, act) REFERENCES link.act DEFERRABLE INITIALLY DEFERRED,
    CHECK (amount = reading * share / 10000)
);

SELECT link.make_append_only(ARRAY['tournament_day', 'tournament_level', 'tournament_fee', 'tournament_win']);

-- What cash desks tell, and what two people book. Every function that changes something is called under the jackpot's
-- exclusive lock; a desk's call does not wait for its number, but is known by what it says: told again, it gets the
-- answer that it had.

CREATE FUNCTION link.fee(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_desk(request, 'fee');
END
$$;

CREATE FUNCTION link.level(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_desk(request, 'level');
END
$$;

CREATE FUNCTION link.day(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_desk(request, 'day');
END
$$;

-- Why nothing more is told of this day, or null: a day never comes back.
CREATE FUNCTION link.refuse_day(of_jackpot text, of_day date) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN max(day) > of_day THEN 'DAY_OVER' WHEN max(day) = of_day THEN NULL ELSE 'DAY_NOT_BEGUN' END
    FROM link.tournament_day WHERE jackpot_id = of_jackpot
$$;

-- The levels in their order; 0: not begun.
CREATE FUNCTION link.rank_level(level text) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_position(ARRAY['1', '2', 'over'], level), 0)
$$;

-- The tournament's level now; null: it has not begun.
CREATE FUNCTION link.find_level(of_jackpot text, of_day date, of_tournament text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT level FROM link.tournament_level
    WHERE jackpot_id = of_jackpot AND day = of_day AND tournament = of_tournament
    ORDER BY link.rank_level(level) DESC LIMIT 1
$$;

CREATE FUNCTION link.is_won(of_jackpot text, of_day date) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.tournament_win WHERE jackpot_id = of_jackpot AND day = of_day)
$$;

-- The share that a win has at this level, in basis points; 0: none.
CREATE FUNCTION link.find_share(of_jackpot text, of_day date, level text) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN link.is_won(of_jackpot, of_day) THEN 0 ELSE coalesce((prizes ->> level)::integer, 0)
    END
    FROM link.jackpot WHERE id = of_jackpot
$$;

-- The tournaments of the day that was begun last.
CREATE FUNCTION link.list_tournaments(of_jackpot text)
RETURNS TABLE (tournament text, level text, share integer, fees bigint)
LANGUAGE sql STABLE AS $$
    SELECT t.tournament, t.level, link.find_share(of_jackpot, t.day, t.level), (
        SELECT count(*) FROM link.tournament_fee AS f
        WHERE f.jackpot_id = of_jackpot AND f.day = t.day AND f.tournament = t.tournament
    )
    FROM (
        SELECT DISTINCT ON (tournament) day, tournament, level FROM link.tournament_level
        WHERE jackpot_id = of_jackpot
            AND day = (SELECT max(day) FROM link.tournament_day WHERE jackpot_id = of_jackpot)
        ORDER BY tournament, link.rank_level(level) DESC
    ) AS t
    ORDER BY t.tournament
$$;

-- A `TournamentJackpot` (console/link/centre/tournament.py): all that is known of the day.
CREATE FUNCTION link.describe_tournament(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'jackpot', j.id,
        'amount', link.read_jackpot(j.id),
        'base', j.base,
        'fee', j.token,
        'day', today.day,
        'fees', (
            SELECT count(*) FROM link.tournament_fee AS f WHERE f.jackpot_id = j.id AND f.day = today.day
        ),
        'win', (
            SELECT jsonb_build_object(
                'tournament', w.tournament, 'ticket', w.ticket, 'level', w.level, 'share', w.share,
                'reading', w.reading, 'amount', w.amount
            )
            FROM link.tournament_win AS w WHERE w.jackpot_id = j.id AND w.day = today.day
        ),
        'tournaments', (
            SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM link.list_tournaments(j.id) AS t
        )
    )
    FROM link.jackpot AS j
    LEFT JOIN LATERAL (
        SELECT max(day) AS day FROM link.tournament_day WHERE jackpot_id = j.id
    ) AS today ON true
    WHERE j.id = of_jackpot
$$;

-- All tournament jackpots, as the page and the desks show them.
CREATE FUNCTION link.read_tournaments() RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (
        SELECT coalesce(jsonb_agg(link.describe_tournament(id) ORDER BY id), '[]')
        FROM link.jackpot WHERE game = 'tournament'
    );
END
$$;

-- The entry in which some desk told just this, if one did.
CREATE FUNCTION link.find_told(of_jackpot text, call jsonb) RETURNS SETOF link.entry
LANGUAGE sql STABLE AS $$
    SELECT e.*
    FROM link.entry AS e
    JOIN (
        SELECT 'day' AS call, jackpot_id, day, NULL AS tournament, NULL AS what, member, epoch, n
        FROM link.tournament_day
        UNION ALL
        SELECT 'level', jackpot_id, day, tournament, level, member, epoch, n FROM link.tournament_level
        UNION ALL
        SELECT 'fee', jackpot_id, day, tournament, ticket, member, epoch, n FROM link.tournament_fee
    ) AS told USING (member, epoch, n)
    WHERE told.call = find_told.call ->> 'call' AND told.jackpot_id = of_jackpot
        AND told.day = (find_told.call ->> 'day')::date
        AND (told.call = 'day' OR told.tournament = find_told.call ->> 'tournament')
        AND (told.call = 'day' OR told.what = coalesce(find_told.call ->> 'level', find_told.call ->> 'ticket'))
$$;

-- Whether the call says what one of its name says, and nothing beside: it is stored as it came. Its day is looked at before.
CREATE FUNCTION link.has_desk_form(call jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(
        (
            SELECT array_agg(key ORDER BY key) = CASE call ->> 'call'
                WHEN 'day' THEN ARRAY['call', 'day']
                WHEN 'level' THEN ARRAY['call', 'day', 'level', 'tournament']
                WHEN 'fee' THEN ARRAY['call', 'day', 'ticket', 'tournament']
            END
            FROM jsonb_object_keys(call) AS key
        ) AND NOT EXISTS (
            SELECT FROM jsonb_each(call) AS said WHERE said.value::text !~ '^"[A-Za-z0-9.-]{1,40}"$'
        ),
        false
    )
$$;

-- Take a desk's call. Told again it writes, too, so that its answer waits for the standby.
CREATE FUNCTION link.answer_desk(call jsonb, expected text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    m link.member;
    told link.entry;
    stored jsonb;
BEGIN
    PERFORM link.check_message(call);
    PERFORM link.watch_sessions();
    IF call ->> 'call' IS DISTINCT FROM expected THEN
        RAISE EXCEPTION 'link.% was called with the call %', expected, call ->> 'call';
    ELSIF (call ->> 'day') ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' IS NOT TRUE THEN
        RAISE EXCEPTION 'day: a date such as 2026-11-23' USING ERRCODE = 'invalid_parameter_value';
    ELSIF NOT link.has_desk_form(call) THEN
        RAISE EXCEPTION 'tournament, ticket: letters, digits, dots and dashes, at most 40, and nothing beside'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    IF m.name IS NULL OR m.ended OR NOT link.is_tournament(m.jackpot_id) THEN
        RETURN jsonb_build_object('barred', 'LINK_NOT_A_MEMBER');
    END IF;
    PERFORM link.note_record(m.name, NULL);
    PERFORM pg_advisory_xact_lock(link.lock_key(m.jackpot_id));
    SELECT * INTO told FROM link.find_told(m.jackpot_id, call);
    IF told.n IS NULL THEN
        stored := jsonb_build_object('n', m.n + 1, 'cash_desk', m.name, 'refusal', link.do_desk_call(m, call));
        PERFORM link.store_entry(m, j.act, call, stored) FROM link.jackpot AS j WHERE j.id = m.jackpot_id;
    ELSE
        stored := told.answer;
    END IF;
    RETURN stored
        || jsonb_build_object('again', told.n IS NOT NULL, 'today', link.describe_tournament(m.jackpot_id));
END
$$;

-- A desk's call that is not told yet. Its refusal, or null.
CREATE FUNCTION link.do_desk_call(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE call ->> 'call'
        WHEN 'day' THEN link.do_day(m, call)
        WHEN 'level' THEN link.do_level(m, call)
        WHEN 'fee' THEN link.do_fee(m, call)
    END;
END
$$;

-- The next day begins: the jackpot is raised to its base.
CREATE FUNCTION link.do_day(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (call ->> 'day')::date;
    act bigint;
BEGIN
    IF link.refuse_day(m.jackpot_id, of_day) = 'DAY_OVER' THEN
        RETURN 'DAY_OVER';
    ELSIF EXISTS (
        SELECT FROM link.list_tournaments(m.jackpot_id) AS t WHERE t.share > 0
    ) THEN
        RETURN 'TOURNAMENT_RUNNING';
    END IF;
    act := link.begin_act(m.jackpot_id);
    INSERT INTO link.tournament_day (jackpot_id, day, member, epoch, n)
    VALUES (m.jackpot_id, of_day, m.name, m.epoch, m.n + 1);
    PERFORM link.raise_to_base(m.jackpot_id, act, format('%s/reseed', of_day));
    PERFORM link.record_act(m.jackpot_id, act, 'day', m.name, call);
    RETURN NULL;
END
$$;

-- The tournament is at this level; it never goes back.
CREATE FUNCTION link.do_level(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (call ->> 'day')::date;
    before integer := link.rank_level(link.find_level(m.jackpot_id, of_day, call ->> 'tournament'));
    now integer := link.rank_level(call ->> 'level');
    refusal text := link.refuse_day(m.jackpot_id, of_day);
    act bigint;
BEGIN
    IF refusal IS NOT NULL THEN
        RETURN refusal;
    ELSIF before = 0 AND now > 1 THEN
        RETURN 'NO_TOURNAMENT';
    ELSIF now BETWEEN 1 AND before THEN
        RETURN 'LEVEL_OVER';
    END IF;
    act := link.begin_act(m.jackpot_id);
    INSERT INTO link.tournament_level (jackpot_id, day, tournament, level, member, epoch, n)
    VALUES (m.jackpot_id, of_day, call ->> 'tournament', call ->> 'level', m.name, m.epoch, m.n + 1);
    PERFORM link.record_act(m.jackpot_id, act, 'level', m.name, call);
    RETURN NULL;
END
$$;

-- A ticket takes part in the jackpot.
CREATE FUNCTION link.do_fee(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (call ->> 'day')::date;
    level text := link.find_level(m.jackpot_id, of_day, call ->> 'tournament');
    refusal text := link.refuse_day(m.jackpot_id, of_day);
    moved link.amounts := link.reckon_fee(m.jackpot_id);
BEGIN
    IF refusal IS NOT NULL THEN
        RETURN refusal;
    ELSIF level IS NULL THEN
        RETURN 'NO_TOURNAMENT';
    ELSIF link.is_won(m.jackpot_id, of_day) THEN
        RETURN 'WON_TODAY';
    ELSIF level <> '1' THEN
        RETURN 'LEVEL_OVER';
    END IF;
    INSERT INTO link.tournament_fee (jackpot_id, day, tournament, ticket, member, epoch, n)
    VALUES (m.jackpot_id, of_day, call ->> 'tournament', call ->> 'ticket', m.name, m.epoch, m.n + 1);
    PERFORM link.record_token(
        m, format('%s/%s/%s', of_day, call ->> 'tournament', call ->> 'ticket'), 'fee', moved
    );
    PERFORM link.add_to_member(m.name, moved);
    RETURN NULL;
END
$$;

-- What a fee moves: the jackpot's token, by its shares.
CREATE FUNCTION link.reckon_fee(of_jackpot text) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT (
        -token * 10000, token * to_jackpot, token * to_reserve, token * (10000 - to_jackpot - to_reserve), 0, 0
    )::link.amounts
    FROM link.jackpot WHERE id = of_jackpot
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

-- {day, tournament, ticket, level}: the royal flush of a ticket whose fee is paid, in a hand dealt in this level. Told
-- again it is booked already.
CREATE FUNCTION link.do_win(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (arguments ->> 'day')::date;
    of_tournament text := arguments ->> 'tournament';
    of_ticket text := arguments ->> 'ticket';
    of_level text := arguments ->> 'level';
    reached text := link.find_level(of_jackpot, of_day, of_tournament);
    share integer := link.find_share(of_jackpot, of_day, of_level);
    refusal text := link.refuse_day(of_jackpot, of_day);
    act bigint;
BEGIN
    IF EXISTS (
        SELECT FROM link.tournament_win AS w
        WHERE w.jackpot_id = of_jackpot AND w.day = of_day AND w.tournament = of_tournament
            AND w.ticket = of_ticket AND w.level = of_level
    ) THEN
        act := link.begin_act(of_jackpot);
        PERFORM link.record_act(of_jackpot, act, 'win-again', NULL, arguments);
        RETURN NULL;
    ELSIF refusal IS NOT NULL THEN
        RETURN refusal;
    ELSIF link.is_won(of_jackpot, of_day) THEN
        RETURN 'WON_TODAY';
    ELSIF NOT EXISTS (
        SELECT FROM link.tournament_fee AS f
        WHERE f.jackpot_id = of_jackpot AND f.day = of_day AND f.tournament = of_tournament AND f.ticket = of_ticket
    ) THEN
        RETURN 'FEE_NOT_PAID';
    ELSIF link.rank_level(of_level) > link.rank_level(reached) THEN
        RETURN 'LEVEL_NOT_REACHED';
    END IF;
    PERFORM link.book_win(of_jackpot, arguments, share);
    RETURN NULL;
END
$$;

CREATE FUNCTION link.book_win(of_jackpot text, arguments jsonb, share integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (arguments ->> 'day')::date;
    reading bigint := greatest(link.read_jackpot(of_jackpot), 0);
    amount bigint := reading * share / 10000;
    act bigint := link.begin_act(of_jackpot);
BEGIN
    INSERT INTO link.tournament_win (
        jackpot_id, day, tournament, ticket, level, share, reading, amount, act, proposal
    )
    VALUES (
        of_jackpot, of_day, arguments ->> 'tournament', arguments ->> 'ticket', arguments ->> 'level', share,
        reading, amount, act, (arguments ->> 'proposal')::bigint
    );
    PERFORM link.move(
        of_jackpot, NULL, NULL, format('%s/win/pending', of_day), 'award_pending', act,
        (0, -amount * 10000, 0, 0, amount * 10000, 0)
    );
    PERFORM link.move(
        of_jackpot, NULL, NULL, format('%s/win/final', of_day), 'award_final', act,
        (0, 0, 0, 0, -amount * 10000, amount * 10000)
    );
    PERFORM link.record_act(
        of_jackpot, act, 'win', NULL,
        arguments || jsonb_build_object('share', share, 'reading', reading, 'amount', amount)
    );
END
$$;

-- The clock that several tables of a tournament share (docs/reference/poker-rules.md, section 16).
--
-- The centre knows no structure: the row says where the clock stood at its time, and each table counts on.

-- `held`: hand for hand stops a level's clock. `owes`: hands that still cost time. `paid`: the number of the go up to
-- which they have. `go`: how many were sent; `go_asked`: one more is asked for. `resumes_ms`: what the step has left after an
-- extra break.
CREATE TABLE link.tournament_clock (
    tournament text PRIMARY KEY CHECK (tournament ~ '^[A-Za-z0-9.-]{1,40}$'),
    version bigint NOT NULL,
    step integer NOT NULL CHECK (step >= 0),
    left_ms bigint NOT NULL CHECK (left_ms >= 0),
    resumes_ms bigint CHECK (resumes_ms >= 0),
    running boolean NOT NULL,
    held boolean NOT NULL,
    hand_for_hand boolean NOT NULL,
    owes boolean NOT NULL,
    paid bigint NOT NULL,
    go bigint NOT NULL,
    go_asked boolean NOT NULL,
    at timestamptz NOT NULL
);

-- A table of a tournament. `n`: its last change that was taken; `playing`: a hand is played there.
CREATE TABLE link.clock_table (
    tournament text REFERENCES link.tournament_clock,
    member text,
    n bigint NOT NULL,
    playing boolean NOT NULL,
    beat timestamptz NOT NULL,
    players integer NOT NULL DEFAULT 0 CHECK (players >= 0),
    PRIMARY KEY (tournament, member)
);

-- {tournament, playing, players, version, n, face, go_asked}: the row, its age, and the last change of the table that was
-- taken. The first table of a tournament brings the row.
CREATE FUNCTION link.clock(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of_tournament text := request ->> 'tournament';
    face jsonb := request -> 'face';
    taken bigint;
    answer jsonb;
BEGIN
    PERFORM link.check_message(request);
    PERFORM link.watch_sessions();
    INSERT INTO link.tournament_clock (
        tournament, version, step, left_ms, resumes_ms, running, held, hand_for_hand, owes, paid, go, go_asked, at
    )
    VALUES (
        of_tournament, 1, (face ->> 'step')::integer, (face ->> 'left_ms')::bigint,
        (face ->> 'resumes_ms')::bigint, (face ->> 'running')::boolean,
        (face ->> 'held')::boolean, (face ->> 'hand_for_hand')::boolean, (face ->> 'owes')::boolean, 0, 0, false,
        clock_timestamp()
    )
    ON CONFLICT DO NOTHING;
    PERFORM FROM link.tournament_clock WHERE tournament = of_tournament FOR UPDATE;
    taken := link.hear_clock_table(of_tournament, (request ->> 'playing')::boolean);
    PERFORM link.note_players(request);
    taken := link.change_clock(request, taken);
    PERFORM link.send_go(of_tournament);
    SELECT jsonb_build_object(
        'version', c.version, 'n', taken, 'go', c.go,
        'age_ms', greatest(0, round(1000 * extract(epoch FROM clock_timestamp() - c.at)))::bigint,
        'face', jsonb_build_object(
            'step', c.step, 'left_ms', c.left_ms, 'resumes_ms', c.resumes_ms, 'running', c.running, 'held', c.held,
            'hand_for_hand', c.hand_for_hand, 'owes', c.owes, 'paid', c.paid
        )
    ) INTO answer
    FROM link.tournament_clock AS c WHERE c.tournament = of_tournament;
    RETURN answer;
END
$$;

-- Note that the table is there; the number of its last change that was taken.
CREATE FUNCTION link.hear_clock_table(of_tournament text, plays boolean) RETURNS bigint
LANGUAGE sql AS $$
    INSERT INTO link.clock_table AS t (tournament, member, n, playing, beat)
    VALUES (of_tournament, session_user, 0, plays, clock_timestamp())
    ON CONFLICT (tournament, member) DO UPDATE SET playing = excluded.playing, beat = excluded.beat
    RETURNING t.n
$$;

-- A table need not tell its players.
CREATE FUNCTION link.note_players(request jsonb) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.clock_table SET players = (request ->> 'players')::integer
    WHERE tournament = request ->> 'tournament' AND member = session_user
        AND players <> (request ->> 'players')::integer
$$;

-- The row as the table would have it, if it knows the row as it is, and the change is not taken yet.
CREATE FUNCTION link.change_clock(request jsonb, taken bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    face jsonb := request -> 'face';
    number bigint := (request ->> 'n')::bigint;
BEGIN
    UPDATE link.tournament_clock AS c SET
        version = c.version + 1,
        step = (face ->> 'step')::integer,
        left_ms = (face ->> 'left_ms')::bigint,
        resumes_ms = (face ->> 'resumes_ms')::bigint,
        running = (face ->> 'running')::boolean,
        held = (face ->> 'held')::boolean,
        hand_for_hand = (face ->> 'hand_for_hand')::boolean,
        owes = (face ->> 'owes')::boolean,
        paid = (face ->> 'paid')::bigint,
        go_asked = (face ->> 'hand_for_hand')::boolean AND (c.go_asked OR (request ->> 'go_asked')::boolean),
        at = clock_timestamp()
    WHERE c.tournament = request ->> 'tournament' AND c.version = (request ->> 'version')::bigint AND number > taken;
    IF NOT FOUND THEN
        RETURN taken;
    END IF;
    UPDATE link.clock_table SET n = number
    WHERE tournament = request ->> 'tournament' AND member = session_user;
    RETURN number;
END
$$;

-- A go that was asked for is sent when every table's hand is over; a table not heard for 5 s holds nobody up.
CREATE FUNCTION link.send_go(of_tournament text) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.tournament_clock AS c SET go = c.go + 1, go_asked = false
    WHERE c.tournament = of_tournament AND c.go_asked AND NOT EXISTS (
        SELECT FROM link.clock_table AS t
        WHERE t.tournament = of_tournament AND t.playing AND t.beat > clock_timestamp() - interval '5 seconds'
    )
$$;

-- A table that was not heard for a minute is not counted: the evening before had tables, too.
CREATE FUNCTION link.read_clocks() RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'tournament', c.tournament, 'step', c.step, 'left_ms', c.left_ms,
        'resumes_ms', c.resumes_ms, 'running', c.running, 'held', c.held,
        'hand_for_hand', c.hand_for_hand,
        'age_ms', greatest(0, round(1000 * extract(epoch FROM clock_timestamp() - c.at)))::bigint,
        'tables', coalesce(t.tables, 0), 'players', coalesce(t.players, 0)
    ) ORDER BY c.tournament), '[]')
    FROM link.tournament_clock AS c LEFT JOIN (
        SELECT tournament, count(*) AS tables, sum(players) AS players FROM link.clock_table
        WHERE beat > clock_timestamp() - interval '1 minute' GROUP BY tournament
    ) AS t USING (tournament)
$$;
