-- What the room shows (docs/reference/link-rules.md, section 7): each function is one read, without a lock that a call would
-- wait for. Amounts are cents, instants milliseconds since 1970.

CREATE FUNCTION link.to_milliseconds(instant timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT (extract(epoch FROM instant) * 1000)::bigint
$$;

-- How far this server has got: what it has written to its disk, or what it, a standby, shows.
CREATE FUNCTION link.read_position() RETURNS bigint
LANGUAGE sql AS $$
    SELECT pg_wal_lsn_diff(
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0'
    )::bigint
$$;

-- All that the room shows of jackpots, tables and clocks. The position is read first: what is shown is at least as new.
CREATE FUNCTION link.read_room() RETURNS jsonb
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

CREATE FUNCTION link.describe_tables(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'table', m.name, 'joined', m.joined, 'ended', m.ended, 'doubted', m.doubted, 'round', m.open_round, 'stakes', m.stakes,
        'winners', m.winners, 'heard', link.to_milliseconds(p.heard), 'phase', p.phase,
        'faults', coalesce(p.faults, '[]'), 'shown', p.shown, 'outbox', coalesce(p.outbox, 0),
        'unbooked', (
            SELECT count(*) FROM link.change AS c
            WHERE c.member = m.name AND c.jackpot_id = of_jackpot AND c.act > coalesce(p.act, 0)
        )
    ) ORDER BY m.name), '[]')
    FROM link.member AS m LEFT JOIN link.presence AS p ON p.member = m.name
    WHERE m.jackpot_id = of_jackpot
$$;

CREATE FUNCTION link.describe_award(a link.award) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'number', a.number, 'combination', a.combination, 'reading', a.reading, 'winners', a.winners,
        'each', a.each, 'whole', a.base_from_house IS NOT NULL,
        'parts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'table', w.member, 'winners', w.winners, 'state', w.state
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

-- Pending awards, oldest first; or the last eight that are final, newest first.
CREATE FUNCTION link.describe_awards(of_jackpot text, of_state text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(link.describe_award(a) ORDER BY CASE of_state WHEN 'final' THEN -number ELSE number END), '[]')
    FROM (
        SELECT * FROM link.award WHERE jackpot_id = of_jackpot AND state = of_state ORDER BY number DESC
        LIMIT CASE of_state WHEN 'final' THEN 8 END
    ) AS found
    JOIN link.award AS a USING (jackpot_id, number)
$$;

-- What the primary knows of its copies. `wanted`: who must have a commit before it is answered; empty: nobody.
CREATE FUNCTION link.read_copies() RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    position bigint := link.read_position();
BEGIN
    RETURN jsonb_build_object(
        'position', position, 'wanted', current_setting('synchronous_standby_names'),
        'copies', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'name', application_name, 'state', state, 'sync', sync_state,
                'flushed', pg_wal_lsn_diff(flush_lsn, '0/0')::bigint
            ) ORDER BY application_name), '[]')
            FROM pg_stat_replication WHERE state <> 'backup'
        )
    );
END
$$;
