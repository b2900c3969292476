-- What holds a table that misuses its certificate (docs/link-rules.md, 2.6).

-- Asked of each message first. In another isolation a call would reckon with what the others had before.
CREATE FUNCTION link.check_message(request jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF pg_column_size(request) > 65536 THEN
        RAISE EXCEPTION 'a message of more than 64 KiB is not read' USING ERRCODE = 'program_limit_exceeded';
    ELSIF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a call is a transaction of its own, read committed' USING ERRCODE = 'active_sql_transaction';
    END IF;
END
$$;

-- What a beat says is shown beside that of all other tables: what is none would hide theirs, or speak in their place.
CREATE FUNCTION link.check_beat(beat jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    faults jsonb := CASE jsonb_typeof(beat -> 'faults') WHEN 'array' THEN beat -> 'faults' END;
BEGIN
    IF (
        (beat -> 'phase')::text ~ '^"[A-Z_]{1,40}"$' AND jsonb_array_length(faults) <= 100
        AND coalesce((SELECT bool_and(f::text ~ '^"[A-Z0-9_]{1,40}"$') FROM jsonb_array_elements(faults) AS f), true)
        AND coalesce((beat -> 'shown')::text, 'null') ~ '^(null|[0-9]{1,15})$'
        AND coalesce((beat -> 'outbox')::text, 'null') ~ '^(null|[0-9]{1,9})$'
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'this is no beat: a phase and faults by their names, an amount shown, an outbox'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- End the sessions of tables and cash desks that have been in one transaction for longer than this: what it locks, the others wait for,
-- and a session may take back its own time-outs. Not those that wait for the standby: their commit is made.
CREATE FUNCTION link.end_long_sessions(longest interval) RETURNS integer
LANGUAGE sql AS $$
    SELECT count(pg_terminate_backend(a.pid))::integer
    FROM pg_stat_activity AS a
    WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
        AND a.xact_start < clock_timestamp() - longest
        AND a.wait_event IS DISTINCT FROM 'SyncRep'
        AND a.usesysid IN (
            SELECT m.member FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid
            WHERE g.rolname IN ('link_member', 'link_poker_table', 'link_cash_desk')
        )
$$;

-- The first beat of each second asks, whoever's it is.
CREATE FUNCTION link.watch_sessions() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    now_at timestamptz := clock_timestamp();
BEGIN
    IF NOT EXISTS (SELECT FROM link.presence WHERE heard BETWEEN date_trunc('second', now_at) AND now_at) THEN
        PERFORM link.end_long_sessions(interval '4 seconds');
    END IF;
END
$$;
