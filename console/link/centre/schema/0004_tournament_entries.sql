-- Entries and chips of a tournament (docs/reference/poker-rules.md, section 16), as a table has them declared; and the days of a tournament
-- jackpot (docs/reference/link-rules.md, section 6).

ALTER TABLE link.clock_table
    ADD COLUMN entries integer NOT NULL DEFAULT 0 CHECK (entries >= 0),
    ADD COLUMN chips bigint NOT NULL DEFAULT 0 CHECK (chips >= 0);

-- A table need not tell its players, nor the entries.
CREATE OR REPLACE FUNCTION link.note_players(request jsonb) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.clock_table AS t SET players = told.players, entries = told.entries, chips = told.chips
    FROM (
        SELECT
            coalesce((request ->> 'players')::integer, c.players) AS players,
            coalesce((request ->> 'entries')::integer, 0) AS entries,
            coalesce((request ->> 'chips')::bigint, 0) AS chips
        FROM link.clock_table AS c
        WHERE c.tournament = request ->> 'tournament' AND c.member = session_user
    ) AS told
    WHERE t.tournament = request ->> 'tournament' AND t.member = session_user
        AND (t.players, t.entries, t.chips) <> (told.players, told.entries, told.chips)
$$;

-- A table that was not heard for a minute is not counted. Entries and chips: those of the table that has the most entries.
CREATE OR REPLACE FUNCTION link.read_clocks() RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'tournament', c.tournament, 'step', c.step, 'left_ms', c.left_ms,
        'resumes_ms', c.resumes_ms, 'running', c.running, 'held', c.held,
        'hand_for_hand', c.hand_for_hand,
        'age_ms', greatest(0, round(1000 * extract(epoch FROM clock_timestamp() - c.at)))::bigint,
        'tables', coalesce(t.tables, 0), 'players', coalesce(t.players, 0),
        'entries', coalesce(t.entries, 0), 'chips', coalesce(t.chips, 0)
    ) ORDER BY c.tournament), '[]')
    FROM link.tournament_clock AS c LEFT JOIN (
        SELECT
            tournament, count(*) AS tables, sum(players) AS players, max(entries) AS entries,
            (array_agg(chips ORDER BY entries DESC, chips DESC))[1] AS chips
        FROM link.clock_table
        WHERE beat > clock_timestamp() - interval '1 minute' GROUP BY tournament
    ) AS t USING (tournament)
$$;

-- A day never comes back, so a day in a mistyped year would end the jackpot for ever. No gaming day is more than 2 days after the
-- centre's date, wherever on the earth the house is; a clock that is further behind refuses, and ends nothing.
CREATE OR REPLACE FUNCTION link.do_day(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_day date := (call ->> 'day')::date;
    act bigint;
BEGIN
    IF link.refuse_day(m.jackpot_id, of_day) = 'DAY_OVER' THEN
        RETURN 'DAY_OVER';
    ELSIF of_day > (clock_timestamp() AT TIME ZONE 'UTC')::date + 2 THEN
        RETURN 'DAY_FAR_AHEAD';
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
