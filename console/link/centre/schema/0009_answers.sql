-- How a call is taken: the member's row, its number, the lock, the answer (docs/link-rules.md, 2.7 and 3).

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

-- Whether a table has not sent again what it was answered (3.13).
CREATE FUNCTION link.is_recovering(of_jackpot text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM link.member WHERE jackpot_id = of_jackpot AND recovering);
END
$$;

-- Whether the centre was set back, as a table has shown, and is not recovered: no table of the jackpot plays (3.13).
CREATE FUNCTION link.is_behind(of_jackpot text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT behind FROM link.jackpot WHERE id = of_jackpot) OR link.is_recovering(of_jackpot);
END
$$;

-- What only this centre can have said: HMAC-SHA-256 over it, as hexadecimal digits. A table keeps it, and shows it to a centre that was
-- set back (3.13).
CREATE FUNCTION link.prove(said jsonb) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    secret link.secret;
BEGIN
    SELECT * INTO STRICT secret FROM link.secret;
    RETURN encode(sha256(secret.outer_key || sha256(secret.inner_key || convert_to(said::text, 'UTF8'))), 'hex');
END
$$;

-- The hash covers the call, and all of its answer that stays.
CREATE FUNCTION link.prove_answer(m link.member, n bigint, hash text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT link.prove(jsonb_build_array('answer', m.jackpot_id, m.name, m.epoch, n, hash))
$$;

CREATE FUNCTION link.prove_change(m link.member, act bigint, award jsonb, transaction jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT link.prove(jsonb_build_array('change', m.jackpot_id, m.name, m.epoch, act, award, transaction))
$$;

-- What every answer says of today: reading, changes since the act that the member has booked, who is awaited.
CREATE FUNCTION link.describe_today(m link.member, booked bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN jsonb_build_object(
        'reading', link.read_jackpot(m.jackpot_id),
        'changes', (
            SELECT coalesce(jsonb_agg(
                jsonb_build_object(
                    'act', c.act, 'award', c.award, 'transaction', c.transaction,
                    'proof', link.prove_change(m, c.act, c.award, c.transaction)
                ) ORDER BY c.act
            ), '[]')
            FROM link.change AS c
            WHERE c.member = m.name AND c.jackpot_id = m.jackpot_id AND c.act > booked
        ),
        'awaited', coalesce((
            SELECT link.count_awaited(w.jackpot_id, w.award, m.name) FROM link.winner AS w
            WHERE w.member = m.name AND w.state NOT IN ('final', 'cancelled')
            ORDER BY w.place DESC LIMIT 1
        ), 0),
        'leaving', m.leaving
    );
END
$$;

CREATE FUNCTION link.lock_key(of_jackpot text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('link.jackpot/' || of_jackpot, 0)
$$;

-- Lock the jackpot until the end of the transaction, which outlasts the wait for the standby. Exclusive for all that
-- moves what others hold; shared to stake, and to open and close where the member has no hold that this would end.
CREATE FUNCTION link.lock_jackpot(m link.member, call jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    key bigint := link.lock_key(m.jackpot_id);
    name text := call ->> 'call';
BEGIN
    IF name = 'open' AND m.open_round IS NULL
        OR name = 'deliver' AND NOT jsonb_path_exists(call, '$.transactions[*] ? (@.reason != "stake")')
    THEN
        PERFORM pg_advisory_xact_lock_shared(key);
    ELSIF name NOT IN ('open', 'close') OR NOT link.lock_without_hold(m.name, key) THEN
        PERFORM pg_advisory_xact_lock(key);
    END IF;
END
$$;

-- Lock it shared, if the member has no hold; then none can come. False: it has, and the lock is given back, since two
-- who hold it would wait for each other.
CREATE FUNCTION link.lock_without_hold(of_member text, key bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(key);
    IF EXISTS (SELECT FROM link.hold WHERE member = of_member) THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;

-- Do what the call says. Its refusal, or null.
CREATE FUNCTION link.do_call(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE call ->> 'call'
        WHEN 'join' THEN link.do_join(m, call)
        WHEN 'leave' THEN link.do_leave(m)
        WHEN 'open' THEN link.do_open(m, call)
        WHEN 'deliver' THEN link.do_deliver(m, call)
        WHEN 'claim' THEN link.do_claim(m, call)
        WHEN 'agree' THEN link.do_agree(m, call)
        WHEN 'cancel' THEN link.do_cancel(m, call)
        WHEN 'close' THEN link.do_close(m, call)
        WHEN 'rejoin' THEN link.do_list(m, call)
    END;
END
$$;

-- The hash that follows `last`: it covers the member's last entry and all that this one says.
CREATE FUNCTION link.hash_entry(
    last bytea, member text, epoch integer, n bigint, act bigint, call jsonb, answer jsonb
) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN sha256(last || convert_to(jsonb_build_array(member, epoch, n, act, call, answer)::text, 'UTF8'));
END
$$;

-- Store call n and its answer. `head`: the member's last record. What fits no terms bars the member until two operators
-- have looked; told again after a recovery, too: what they said of it since the backup is lost.
CREATE FUNCTION link.store_entry(m link.member, act bigint, call jsonb, answer jsonb, head jsonb DEFAULT NULL)
RETURNS bytea
LANGUAGE plpgsql AS $$
DECLARE
    following bytea := link.hash_entry(m.hash, m.name, m.epoch, m.n + 1, act, call, answer);
    seq bigint := (head ->> 'seq')::bigint;
BEGIN
    INSERT INTO link.entry (member, epoch, n, act, call, answer, hash, record_seq, record_hash)
    VALUES (
        m.name, m.epoch, m.n + 1, act, call, answer, following, seq, head ->> 'hash'
    );
    UPDATE link.member SET
        n = m.n + 1,
        hash = following,
        doubted = doubted OR coalesce(answer ->> 'refusal' = 'NOT_THE_TERMS', false),
        record_hash = CASE WHEN coalesce(record_seq, 0) <= seq THEN head ->> 'hash' ELSE record_hash END,
        record_seq = CASE WHEN coalesce(record_seq, 0) <= seq THEN seq ELSE record_seq END
    WHERE name = m.name;
    RETURN following;
END
$$;

-- What the centre itself moved in the acts after this one.
CREATE FUNCTION link.list_moved(of_jackpot text, before bigint) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(
        link.write_transaction(identity, reason, (tray, jackpot, reserve, house, pending, paid)::link.amounts)
        ORDER BY number
    ), '[]')
    FROM link.movement WHERE jackpot_id = of_jackpot AND act > before AND member IS NULL
$$;

-- Do the call, and store it with what of its answer stays: n, refusal, and what the centre itself moved.
CREATE FUNCTION link.take_call(m link.member, call jsonb, head jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
    after bigint;
    refusal text;
BEGIN
    PERFORM link.lock_jackpot(m, call);
    SELECT act INTO STRICT before FROM link.jackpot WHERE id = m.jackpot_id;
    refusal := link.do_call(m, call);
    SELECT act INTO STRICT after FROM link.jackpot WHERE id = m.jackpot_id;
    PERFORM link.store_entry(m, after, call, jsonb_build_object(
        'n', m.n + 1, 'refusal', refusal,
        'moved', CASE WHEN after > before THEN link.list_moved(m.jackpot_id, before) ELSE '[]' END
    ), head);
END
$$;

-- The member's last record, if it is not older than the one known. It writes in any case: so that a repeated
-- answer, too, waits for the standby.
CREATE FUNCTION link.note_record(of_member text, head jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    seq bigint := (head ->> 'seq')::bigint;
BEGIN
    UPDATE link.member SET
        record_hash = CASE WHEN coalesce(record_seq, 0) <= seq THEN head ->> 'hash' ELSE record_hash END,
        record_seq = CASE WHEN coalesce(record_seq, 0) <= seq THEN seq ELSE record_seq END
    WHERE name = of_member;
END
$$;

-- Whether the call is stored, word for word.
CREATE FUNCTION link.is_stored(m link.member, of_call jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM link.entry AS e
        WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (of_call ->> 'n')::bigint AND e.call = of_call
    );
END
$$;

-- Take a numbered call: n = last + 1 is done and stored; a lower one, if it is the one that is stored, gets its stored
-- answer, with today's reading; a higher one is barred. Who has left joins when it is let in again; who has joined
-- already, by what the centre has, is another card.
CREATE FUNCTION link.answer_call(request jsonb, expected text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    m link.member;
    call jsonb := request -> 'call';
    n bigint := (call ->> 'n')::bigint;
    barred text;
    stored link.entry;
BEGIN
    PERFORM link.check_message(request);
    IF call ->> 'call' IS DISTINCT FROM expected THEN
        RAISE EXCEPTION 'link.% was called with the call %', expected, call ->> 'call';
    END IF;
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    barred := link.bar_session(m, request);
    IF barred IS NULL AND link.is_behind(m.jackpot_id) THEN
        barred := 'LINK_BEHIND';
    ELSIF barred IS NULL AND n > m.n + 1 THEN
        barred := 'LINK_GAP';
    ELSIF barred IS NULL AND n <= m.n AND NOT link.is_stored(m, call) THEN
        barred := 'LINK_FORKED';
    ELSIF barred IS NULL AND n = m.n + 1 AND NOT m.joined AND (expected <> 'join' OR m.leaving) THEN
        barred := 'LINK_NOT_A_MEMBER';
    ELSIF barred IS NULL AND n = m.n + 1 AND m.joined AND expected = 'join' THEN
        barred := 'LINK_FORKED';
    ELSIF barred IS NULL AND n = m.n + 1 AND expected = 'join' AND link.waits_to_join(m, call -> 'balances') THEN
        barred := 'LINK_NOT_A_MEMBER';
    END IF;
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    END IF;
    IF n > m.n THEN
        PERFORM link.take_call(m, call, request -> 'head');
    ELSE
        PERFORM link.note_record(m.name, request -> 'head');
    END IF;
    SELECT * INTO STRICT stored FROM link.entry AS e
    WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (request -> 'call' ->> 'n')::bigint;
    RETURN stored.answer || jsonb_build_object(
        'hash', encode(stored.hash, 'hex'), 'act', stored.act,
        'proof', link.prove_answer(m, stored.n, encode(stored.hash, 'hex'))
    ) || link.describe_today(m, (request ->> 'act')::bigint);
END
$$;
