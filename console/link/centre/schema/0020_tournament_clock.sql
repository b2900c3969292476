-- The clock that several tables of a tournament share (docs/poker-rules.md, section 16).
--
-- The centre knows no structure: the row says where the clock stood at its time, and each table counts on.

-- A role is made by the superuser who installs, not by the schema's owner.
RESET ROLE;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'link_poker_table') THEN
        CREATE ROLE link_poker_table NOLOGIN;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO link_poker_table', current_database());
END
$$;
GRANT USAGE ON SCHEMA link TO link_poker_table;
SET LOCAL ROLE link_owner;

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

SELECT link.secure_tables();

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

GRANT EXECUTE ON FUNCTION link.clock(jsonb) TO link_poker_table;
