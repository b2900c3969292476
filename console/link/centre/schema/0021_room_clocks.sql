-- The room shows the clocks of tournaments, and how many players their tables have (docs/poker-rules.md, section 16).

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

-- As in 0018, and the clocks.
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
                'jackpot', id, 'game', game, 'prizes', prizes, 'amount', link.read_jackpot(id),
                'tables', link.describe_tables(id), 'awards', link.describe_awards(id, 'pending'),
                'finals', link.describe_awards(id, 'final')
            ) ORDER BY id), '[]')
            FROM link.jackpot WHERE NOT link.is_tournament(id)
        ),
        'tournaments', link.read_tournaments(), 'clocks', link.read_clocks()
    );
END
$$;
