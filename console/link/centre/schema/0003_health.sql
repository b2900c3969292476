-- What the alarms ask of the centre (docs/how-to/alarms.md): what the primary knows by itself, and what its house has told it.

-- The last word of each kind. `value`: of a backup or an audit its end, and of a certificate or a list its last instant, in
-- milliseconds since 1970; of a disk the free part, in percent; of an audit that found a difference 0.
CREATE TABLE link.observation (
    kind text NOT NULL CHECK (kind IN ('backup', 'disk', 'certificate', 'audit')),
    subject text NOT NULL CHECK (length(subject) <= 120),
    value bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (kind, subject)
);

SELECT link.secure_tables();

-- A house has as many certificates as tables, servers and people: 5,000 are more than any. What nobody has told for 30 days makes room
-- first, and the last word of a subject that is known needs none.
CREATE FUNCTION link.observe(of_kind text, of_subject text, of_value bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- No answer to anybody, and told again soon: it waits for no standby.
    PERFORM set_config('synchronous_commit', 'local', true);
    DELETE FROM link.observation WHERE at < clock_timestamp() - interval '30 days';
    IF NOT EXISTS (SELECT FROM link.observation WHERE kind = of_kind AND subject = of_subject)
        AND (SELECT count(*) FROM link.observation) >= 5000
    THEN
        RAISE EXCEPTION 'no more than 5000 observations are kept';
    END IF;
    INSERT INTO link.observation (kind, subject, value) VALUES (of_kind, of_subject, of_value)
    ON CONFLICT (kind, subject) DO UPDATE SET value = excluded.value, at = clock_timestamp();
END
$$;

-- Of the primary. `waits_ms`: how long the oldest commit has been waiting for a standby; `lag_ms`: of the standby that is
-- furthest behind; `slots`: how much WAL each may still hold back before it is given up, in bytes, null: no limit;
-- `unarchived`: since when WAL has not reached the archive, null: it has.
CREATE FUNCTION link.read_health() RETURNS jsonb
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_build_object(
        'now', link.to_milliseconds(clock_timestamp()),
        'waits_ms', (
            SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start) * 1000), 0)::bigint
            FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        ),
        'lag_ms', (
            SELECT coalesce(max(1000 * extract(epoch FROM greatest(
                flush_lag,
                -- One that stands still says nothing of its lag any more.
                CASE WHEN pg_wal_lsn_diff(flush_lsn, '0/0') < link.read_position() THEN clock_timestamp() - reply_time END
            ))), 0)::bigint
            FROM pg_stat_replication WHERE state <> 'backup'
        ),
        'slots', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'slot', slot_name, 'active', active, 'left', CASE wal_status WHEN 'lost' THEN 0 ELSE safe_wal_size END
            ) ORDER BY slot_name), '[]')
            FROM pg_replication_slots WHERE wal_status IS NOT NULL
        ),
        'unarchived', (
            SELECT link.to_milliseconds(last_failed_time) FROM pg_stat_archiver
            WHERE last_failed_time > coalesce(last_archived_time, '-infinity')
        ),
        'archives', current_setting('archive_mode') <> 'off',
        'observations', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'subject', subject, 'value', value)
                ORDER BY kind, subject), '[]')
            FROM link.observation
        )
    )
$$;

GRANT EXECUTE ON FUNCTION link.observe(text, text, bigint), link.read_health() TO link_reader;
