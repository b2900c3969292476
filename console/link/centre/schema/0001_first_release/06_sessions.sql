-- A member's session: its first message, its beat (docs/reference/link-rules.md, 1.6, 3.12, 3.13), and what holds a table that
-- misuses its certificate (2.6).

-- In another isolation a call or a decision would reckon with what the others had before, also behind the locks.
CREATE FUNCTION link.check_isolation() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'this is a transaction of its own, read committed' USING ERRCODE = 'active_sql_transaction';
    END IF;
END
$$;

-- Asked of each message first.
CREATE FUNCTION link.check_message(request jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM link.check_isolation();
    IF pg_column_size(request) > 65536 THEN
        RAISE EXCEPTION 'a message of more than 64 KiB is not read' USING ERRCODE = 'program_limit_exceeded';
    END IF;
END
$$;

-- Why the centre does not speak to this member's session, or null.
CREATE FUNCTION link.bar_session(m link.member, request jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN m.name IS NULL THEN 'LINK_NOT_A_MEMBER'
        WHEN m.ended THEN 'LINK_FORKED'
        WHEN m.session IS DISTINCT FROM (request ->> 'session')::bigint THEN 'LINK_FENCED'
        WHEN m.doubted AND NOT m.recovering THEN 'LINK_SETTINGS'
    END
$$;

CREATE FUNCTION link.hello(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    barred text;
BEGIN
    PERFORM link.check_message(request);
    PERFORM link.watch_sessions();
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    IF m.name IS NULL THEN
        RETURN link.meet_newcomer(request);
    END IF;
    barred := link.bar_record(m, request);
    IF barred IS NULL AND m.record_seq IS NOT NULL AND link.find_proof(m, request) IS NULL THEN
        RETURN jsonb_build_object('seq', m.record_seq);
    ELSIF barred IS NULL AND link.is_set_back(m, request) THEN
        PERFORM pg_advisory_xact_lock(link.lock_key(m.jackpot_id));
        UPDATE link.jackpot SET behind = true WHERE id = m.jackpot_id;
        PERFORM link.note_newcomer(m.name, m.jackpot_id, request) WHERE NOT m.joined AND m.n > 0;
    END IF;
    barred := coalesce(barred, link.bar_hello(m, request));
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    ELSIF (request ->> 'epoch')::integer < m.epoch THEN
        PERFORM link.note_record(m.name, request -> 'head');
        RETURN link.describe_rejoin(m);
    ELSIF NOT m.recovering AND m.doubted THEN
        RETURN jsonb_build_object('barred', 'LINK_SETTINGS');
    ELSIF NOT m.recovering AND link.describe_terms(m.jackpot_id) <> request -> 'terms' THEN
        RETURN link.let_wait(m.name, link.keep_terms(request -> 'terms'));
    END IF;
    PERFORM link.note_record(m.name, request -> 'head');
    UPDATE link.member SET
        session = session + 1,
        awaits = CASE WHEN recovering THEN awaits END,
        timeline = CASE
            WHEN (request ->> 'timeline')::integer > link.read_timeline() THEN (request ->> 'timeline')::integer ELSE 0
        END
    WHERE name = m.name;
    IF m.recovering THEN
        RETURN link.ask_to_recall(m.name);
    END IF;
    RETURN jsonb_build_object(
        'session', m.session + 1,
        'n', m.n,
        'beat_s', link.read_beat(),
        'version', (SELECT max(number) FROM link.migration),
        'timeline', link.read_timeline(),
        'reading', link.read_jackpot(m.jackpot_id)
    );
END
$$;

-- One that the centre does not know. If it was answered for a jackpot that is here, the centre was set back to before it
-- joined.
CREATE FUNCTION link.meet_newcomer(hello jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    of_jackpot text := (SELECT id FROM link.jackpot WHERE id = hello ->> 'jackpot' AND NOT link.is_tournament(id));
BEGIN
    IF of_jackpot IS NULL OR (hello ->> 'answered')::bigint = 0 THEN
        RETURN jsonb_build_object('barred', 'LINK_NOT_A_MEMBER');
    END IF;
    PERFORM pg_advisory_xact_lock(link.lock_key(of_jackpot));
    UPDATE link.jackpot SET behind = true WHERE id = of_jackpot AND NOT behind;
    PERFORM link.note_newcomer(session_user::text, of_jackpot, hello);
    RETURN jsonb_build_object('barred', 'LINK_BEHIND');
END
$$;

CREATE FUNCTION link.note_newcomer(of_member text, of_jackpot text, hello jsonb) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.newcomer (name, jackpot_id, answered)
    VALUES (of_member, of_jackpot, (hello ->> 'answered')::bigint)
    ON CONFLICT (name) DO UPDATE SET jackpot_id = excluded.jackpot_id, answered = excluded.answered
$$;

-- Whether the centre has what the member holds as answered.
CREATE FUNCTION link.has_answered(m link.member, hello jsonb) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT (hello ->> 'epoch')::integer = m.epoch AND (
        (hello ->> 'answered')::bigint = 0
        OR EXISTS (
            SELECT FROM link.entry AS e
            WHERE e.member = m.name AND e.epoch = m.epoch
                AND e.n = (hello ->> 'answered')::bigint AND encode(e.hash, 'hex') = hello ->> 'answer_hash'
        )
    )
$$;

-- What the member shows of the record that the centre knows last: its hash; '' for none that it can have; null
-- if it has to be asked.
CREATE FUNCTION link.find_proof(m link.member, hello jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE m.record_seq
        WHEN (hello -> 'head' ->> 'seq')::bigint THEN hello -> 'head' ->> 'hash'
        WHEN (hello -> 'proof' ->> 'seq')::bigint THEN hello -> 'proof' ->> 'hash'
        ELSE CASE WHEN m.record_seq > (hello -> 'head' ->> 'seq')::bigint THEN '' END
    END
$$;

-- The timeline of this primary; the control file would lag (section 5.3).
CREATE FUNCTION link.read_timeline() RETURNS integer
LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
$$;

-- Whether the member knows a later timeline than the centre's, and `recover` has not taken it.
CREATE FUNCTION link.is_timeline_lower(m link.member, hello jsonb) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
    SELECT coalesce((hello ->> 'timeline')::integer NOT IN (0, m.timeline), false)
        AND (hello ->> 'timeline')::integer > link.read_timeline()
$$;

-- Whether the record known last may be in the member's archive: it has left, and shows the answer to that, its last call.
CREATE FUNCTION link.may_be_archived(m link.member, hello jsonb) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT NOT m.joined AND (hello ->> 'answered')::bigint = m.n AND m.n > 0 AND link.has_answered(m, hello)
        AND (hello -> 'proof' ->> 'seq')::bigint = m.record_seq AND hello -> 'proof' ->> 'hash' = ''
        AND m.record_seq < (hello -> 'head' ->> 'seq')::bigint
$$;

-- The member must have the last record that the centre has of it.
CREATE FUNCTION link.bar_record(m link.member, hello jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN m.ended THEN 'LINK_FORKED'
        WHEN m.record_seq IS NOT NULL AND link.find_proof(m, hello) <> m.record_hash
            AND NOT link.may_be_archived(m, hello) THEN 'LINK_FORKED'
    END
$$;

-- Whether the member, whose journal is the one that the centre knows, was answered more than the centre has: the centre
-- was set back.
CREATE FUNCTION link.is_set_back(m link.member, hello jsonb) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN m.recovering AND (hello ->> 'epoch')::integer = m.epoch THEN false
        WHEN (hello ->> 'epoch')::integer < m.epoch THEN link.is_timeline_lower(m, hello)
        ELSE NOT link.has_answered(m, hello) OR link.is_timeline_lower(m, hello)
    END
$$;

-- A member that is to send again what it was answered may hold more than the centre has; what the centre has it must
-- hold, too.
CREATE FUNCTION link.bar_hello(m link.member, hello jsonb) RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN m.recovering AND (hello ->> 'epoch')::integer = m.epoch THEN CASE
            WHEN (hello ->> 'answered')::bigint <= m.n AND NOT link.has_answered(m, hello) THEN 'LINK_FORKED'
        END
        WHEN link.is_behind(m.jackpot_id) THEN 'LINK_BEHIND'
    END
$$;

-- A beat each second, each 4 s above 100 members.
CREATE FUNCTION link.read_beat() RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN count(*) > 100 THEN 4 ELSE 1 END FROM link.member WHERE joined
$$;

CREATE FUNCTION link.beat(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    beat jsonb := request -> 'beat';
    booked bigint := (request ->> 'act')::bigint;
    barred text;
BEGIN
    PERFORM link.check_message(request);
    PERFORM link.check_beat(beat);
    PERFORM link.watch_sessions();
    SELECT * INTO m FROM link.member WHERE name = session_user;
    barred := link.bar_session(m, request);
    IF barred IS NULL AND link.is_behind(m.jackpot_id) THEN
        barred := 'LINK_BEHIND';
    END IF;
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    END IF;
    INSERT INTO link.presence AS p (member, heard, phase, faults, shown, outbox, act)
    VALUES (
        m.name, clock_timestamp(), beat ->> 'phase', beat -> 'faults', (beat ->> 'shown')::bigint,
        (beat ->> 'outbox')::integer, booked
    )
    ON CONFLICT (member) DO UPDATE SET
        heard = excluded.heard, phase = excluded.phase, faults = excluded.faults, shown = excluded.shown,
        outbox = excluded.outbox, act = excluded.act;
    RETURN link.describe_today(m, booked);
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

-- Of each second the first beat asks, whoever's it is, and what comes before it: a hello, too, since a table whose call waits for a lock
-- sends no beat, but begins anew; and a desk's call.
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

-- End the sessions of tables and cash desks that have been in one transaction for longer than this: what it locks, the others wait for,
-- and a session may take back its own time-outs. Not those that wait for the standby: their commit is made.
-- Not one that is idle: as it catches up with what others have changed in the catalogue, it shows for a moment a
-- transaction that began with its last statement, however long ago that was.
CREATE FUNCTION link.end_long_sessions(longest interval) RETURNS integer
LANGUAGE sql AS $$
    SELECT count(pg_terminate_backend(a.pid))::integer
    FROM pg_stat_activity AS a
    WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
        AND a.state IS DISTINCT FROM 'idle' AND a.xact_start < clock_timestamp() - longest
        AND a.wait_event IS DISTINCT FROM 'SyncRep'
        AND a.usesysid IN (
            SELECT m.member FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid
            WHERE g.rolname IN ('link_member', 'link_poker_table', 'link_cash_desk')
        )
$$;
