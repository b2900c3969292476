-- What a table's tokens bring in a minute (docs/reference/link-rules.md, 2.4): the room sees it, and the money counts all the same.

-- `minute_began`: when the first token of its running minute came, and `minute_stakes` those since then. `most_stakes`: the most in one
-- minute of the last day, and `most_at` when.
ALTER TABLE link.member
    ADD COLUMN minute_began timestamptz,
    ADD COLUMN minute_stakes integer NOT NULL DEFAULT 0,
    ADD COLUMN most_stakes integer NOT NULL DEFAULT 0,
    ADD COLUMN most_at timestamptz;

-- The member's row with these tokens counted. Those of a list for a rejoin, and those told again after a recovery, are of other minutes.
CREATE FUNCTION link.note_stakes(m link.member, brought integer) RETURNS link.member
LANGUAGE plpgsql AS $$
DECLARE
    now_at timestamptz := clock_timestamp();
BEGIN
    IF m.minute_began BETWEEN now_at - interval '1 minute' AND now_at THEN
        m.minute_stakes := m.minute_stakes + brought;
    ELSE
        m.minute_began := now_at;
        m.minute_stakes := brought;
    END IF;
    IF m.minute_stakes > m.most_stakes OR m.most_at < now_at - interval '1 day' THEN
        m.most_stakes := m.minute_stakes;
        m.most_at := now_at;
    END IF;
    RETURN m;
END
$$;

-- What each call and each beat looks for is `session_user`, and a name of the server's is compared by the collation "C": without this
-- index that reads the rows of all members.
CREATE INDEX member_of_session ON link.member (name COLLATE "C");

-- The reading (docs/reference/link-rules.md, 1.6). Each answer shows one, and it is a sum over all members: above 100 of them the jackpot's
-- row keeps it for a quarter of a second, and it serves all. Stakes may have raised the jackpot since then. What lowers it takes the
-- reading away in the same transaction: no answer shows what is not there.

-- `shown`: the jackpot in whole cents, as it was at `shown_at`. Null: it was lowered since, or there are few members.
ALTER TABLE link.jackpot
    ADD COLUMN shown bigint,
    ADD COLUMN shown_at timestamptz;

-- Also where there is none: the row's lock keeps others from summing up what is lowered and not yet committed.
CREATE FUNCTION link.forget_reading(of_jackpot text) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.jackpot SET shown = NULL, shown_at = NULL WHERE id = of_jackpot
$$;

CREATE OR REPLACE FUNCTION link.move(
    of_jackpot text, of_member text, of_epoch integer, identity text, reason text, act bigint, moved link.amounts
) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.movement (
        jackpot_id, member, epoch, identity, reason, act, tray, jackpot, reserve, house, pending, paid
    )
    VALUES (
        of_jackpot, of_member, of_epoch, identity, reason, act, moved.tray, moved.jackpot, moved.reserve,
        moved.house, moved.pending, moved.paid
    );
    UPDATE link.jackpot AS j SET
        tray = j.tray + moved.tray,
        jackpot = j.jackpot + moved.jackpot,
        reserve = j.reserve + moved.reserve,
        house = j.house + moved.house,
        pending = j.pending + moved.pending,
        paid = j.paid + moved.paid,
        shown = NULL,
        shown_at = NULL
    WHERE j.id = of_jackpot;
$$;

CREATE OR REPLACE FUNCTION link.add_to_member(of_member text, moved link.amounts) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link.member_balance AS b SET
        tray = b.tray + moved.tray,
        jackpot = b.jackpot + moved.jackpot,
        reserve = b.reserve + moved.reserve,
        house = b.house + moved.house,
        pending = b.pending + moved.pending,
        paid = b.paid + moved.paid
    WHERE b.member = of_member;
    IF moved.jackpot < 0 THEN
        PERFORM link.forget_reading(m.jackpot_id) FROM link.member AS m WHERE m.name = of_member;
    END IF;
END
$$;

CREATE FUNCTION link.keep_reading_for() RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
    SELECT interval '250 ms'
$$;

-- What an answer shows. `j`: the jackpot's row, as the transaction sees it.
CREATE FUNCTION link.show_jackpot(j link.jackpot) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    age interval := clock_timestamp() - j.shown_at;
    reading bigint;
    members bigint;
BEGIN
    IF age BETWEEN interval '0' AND link.keep_reading_for() THEN
        RETURN j.shown;
    ELSIF age BETWEEN interval '0' AND interval '2 s' THEN -- one call sums up; the others do not wait until it is answered
        PERFORM FROM link.jackpot WHERE id = j.id FOR NO KEY UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            RETURN j.shown;
        END IF;
    ELSE
        SELECT link.to_cents(j.jackpot + coalesce(sum(b.jackpot), 0)), count(*) INTO reading, members
        FROM link.member_balance AS b WHERE b.jackpot_id = j.id;
        IF members <= 100 THEN
            RETURN reading;
        END IF;
    END IF;
    RETURN link.renew_reading(j.id);
END
$$;

-- Sum up, unless another has while this one waited for the row: then the row's lock is given back.
CREATE FUNCTION link.renew_reading(of_jackpot text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    there link.jackpot;
BEGIN
    SELECT * INTO STRICT there FROM link.jackpot WHERE id = of_jackpot FOR NO KEY UPDATE;
    IF clock_timestamp() - there.shown_at BETWEEN interval '0' AND link.keep_reading_for() THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available';
    END IF;
    UPDATE link.jackpot SET shown = link.read_jackpot(id), shown_at = clock_timestamp() WHERE id = of_jackpot
    RETURNING * INTO STRICT there;
    RETURN there.shown;
EXCEPTION WHEN lock_not_available THEN
    RETURN there.shown;
END
$$;

-- Fresh calls: what tables send all night, in a few statements, since each statement and each expression is set up anew in each
-- transaction. They change the member's row once: each update of it looks at all of its constraints again.

-- Book a delivery of nothing but stakes of the open round, one at each of these seats, as the terms in force say word for word. The
-- member's row with them counted, to be written; null: it is another delivery, and nothing was done.
CREATE FUNCTION link.book_fresh_stakes(m link.member, j link.jackpot, call jsonb) RETURNS link.member
LANGUAGE plpgsql AS $$
DECLARE
    place text := format('%s/round-%s/seat-', m.name, m.open_round);
    one link.amounts := (
        -j.token * 10000, j.token * j.to_jackpot, j.token * j.to_reserve, j.token * (10000 - j.to_jackpot - j.to_reserve), 0, 0
    );
    token jsonb := jsonb_build_object('reason', 'stake', 'postings', jsonb_path_query_array(jsonb_build_array(
        jsonb_build_object('account', 'tray', 'amount', one.tray),
        jsonb_build_object('account', 'jackpot', 'amount', one.jackpot),
        jsonb_build_object('account', 'reserve', 'amount', one.reserve),
        jsonb_build_object('account', 'house', 'amount', one.house)
    ), '$[*] ? (@.amount != 0)'));
    identities text[];
    brought integer;
BEGIN
    IF jsonb_typeof(call -> 'transactions') IS DISTINCT FROM 'array' THEN
        RETURN NULL;
    END IF;
    SELECT array_agg(t ->> 'identity') INTO identities FROM jsonb_array_elements(call -> 'transactions') AS t
    HAVING bool_and(
        CASE WHEN jsonb_typeof(t) = 'object' THEN t - 'identity' = token ELSE false END
        AND (t ->> 'identity' = ANY (ARRAY(SELECT place || seat || '/stake' FROM generate_series(1, 7) AS seat))) IS TRUE
    );
    brought := cardinality(identities);
    IF brought IS NULL THEN
        RETURN NULL;
    END IF;
    BEGIN
        INSERT INTO link.movement (jackpot_id, member, epoch, identity, reason, tray, jackpot, reserve, house, pending, paid)
        SELECT m.jackpot_id, m.name, m.epoch, i, 'stake', one.tray, one.jackpot, one.reserve, one.house, 0, 0
        FROM unnest(identities) AS i;
    EXCEPTION WHEN unique_violation THEN -- a seat has its stake already, or is named twice
        RETURN NULL;
    END;
    UPDATE link.member_balance AS b SET
        tray = b.tray + brought * one.tray,
        jackpot = b.jackpot + brought * one.jackpot,
        reserve = b.reserve + brought * one.reserve,
        house = b.house + brought * one.house
    WHERE b.member = m.name;
    IF j.prize_file ->> 'limit' IS NOT NULL THEN
        PERFORM link.keep_limit(m, call, brought * one.jackpot);
    END IF;
    m.stakes := m.stakes + brought;
    RETURN link.note_stakes(m, brought);
END
$$;

-- Do a fresh call, but for the member's row: as it is to be written. Null: it is another call, and nothing was done. A closing whose lock
-- is shared ends no hold.
CREATE FUNCTION link.do_fresh_call(m link.member, j link.jackpot, call jsonb, is_shared boolean) RETURNS link.member
LANGUAGE plpgsql AS $$
DECLARE
    name text := call ->> 'call';
BEGIN
    IF name = 'deliver' AND m.open_round IS NOT NULL AND (call - 'transactions')::text
        = jsonb_build_object('call', name, 'n', m.n + 1, 'round', m.open_round)::text
    THEN
        RETURN link.book_fresh_stakes(m, j, call);
    ELSIF name = 'open' AND m.open_round IS NULL AND (call - 'round')::text = jsonb_build_object('call', name, 'n', m.n + 1)::text THEN
        m.open_round := link.read_whole(call -> 'round');
        RETURN CASE WHEN m.open_round IS NOT NULL THEN m END;
    ELSIF name = 'close' AND is_shared AND m.open_round IS NOT NULL
        AND call::text = jsonb_build_object('call', name, 'n', m.n + 1, 'round', m.open_round)::text
    THEN
        m.open_round := NULL;
        m.stakes := 0;
        m.winners := 0;
        RETURN m;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION link.do_deliver(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.fits_terms(m, call) THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    m := link.note_stakes(m, jsonb_array_length(jsonb_path_query_array(call, '$.transactions[*] ? (@.reason == "stake")')));
    UPDATE link.member SET
        minute_began = m.minute_began, minute_stakes = m.minute_stakes, most_stakes = m.most_stakes, most_at = m.most_at
    WHERE name = m.name;
    RETURN link.do_list(m, call);
END
$$;

-- What was stored is answered as it is, and not read again.

DROP FUNCTION link.store_entry(link.member, bigint, jsonb, jsonb, jsonb);

-- `noted`: what a fresh call changed in the member's row.
CREATE FUNCTION link.store_entry(
    m link.member, act bigint, call jsonb, answer jsonb, head jsonb DEFAULT NULL, noted link.member DEFAULT NULL
) RETURNS link.entry
LANGUAGE plpgsql AS $$
DECLARE
    seq bigint := (head ->> 'seq')::bigint;
    stored link.entry;
BEGIN
    INSERT INTO link.entry (member, epoch, n, act, call, answer, hash, record_seq, record_hash)
    VALUES (
        m.name, m.epoch, m.n + 1, act, call, answer,
        link.hash_entry(m.hash, m.name, m.epoch, m.n + 1, act, call, answer), seq, head ->> 'hash'
    )
    RETURNING * INTO STRICT stored;
    UPDATE link.member AS w SET
        n = stored.n,
        hash = stored.hash,
        doubted = doubted OR coalesce(answer ->> 'refusal' = 'NOT_THE_TERMS', false),
        record_hash = CASE WHEN coalesce(record_seq, 0) <= seq THEN head ->> 'hash' ELSE record_hash END,
        record_seq = CASE WHEN coalesce(record_seq, 0) <= seq THEN seq ELSE record_seq END,
        open_round = CASE WHEN noted.name IS NULL THEN w.open_round ELSE noted.open_round END,
        stakes = coalesce(noted.stakes, w.stakes),
        winners = coalesce(noted.winners, w.winners),
        minute_began = coalesce(noted.minute_began, w.minute_began),
        minute_stakes = coalesce(noted.minute_stakes, w.minute_stakes),
        most_stakes = coalesce(noted.most_stakes, w.most_stakes),
        most_at = coalesce(noted.most_at, w.most_at)
    WHERE w.name = m.name;
    RETURN stored;
END
$$;

DROP FUNCTION link.take_call(link.member, jsonb, jsonb);

-- The caller has locked the jackpot, and then read its row.
CREATE FUNCTION link.take_call(m link.member, j link.jackpot, call jsonb, head jsonb, is_shared boolean) RETURNS link.entry
LANGUAGE plpgsql AS $$
DECLARE
    noted link.member := link.do_fresh_call(m, j, call, is_shared);
    refusal text;
    after bigint := j.act;
BEGIN
    IF noted.name IS NULL THEN
        refusal := link.do_call(m, call);
    END IF;
    IF noted.name IS NULL OR j.prize_file ->> 'limit' IS NOT NULL THEN
        SELECT act INTO STRICT after FROM link.jackpot WHERE id = j.id;
    END IF;
    RETURN link.store_entry(m, after, call, jsonb_build_object(
        'n', m.n + 1, 'refusal', refusal,
        'moved', CASE WHEN after > j.act THEN link.list_moved(j.id, j.act) ELSE '[]' END
    ), head, noted);
END
$$;

-- The list that two operators approved: the centre's own call.
CREATE FUNCTION link.take_call(m link.member, call jsonb, head jsonb) RETURNS void
LANGUAGE sql AS $$
    SELECT link.take_call(m, j, call, head, false) FROM link.jackpot AS j WHERE j.id = m.jackpot_id
$$;

-- Lock it shared, if no delivery can reach the limit. False: one may, and the lock is given back, as in `lock_without_hold`.
CREATE OR REPLACE FUNCTION link.lock_below_limit(of_jackpot text, key bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(key);
    IF link.read_limit(of_jackpot) IS NOT NULL AND link.may_overflow(of_jackpot) THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;

DROP FUNCTION link.lock_jackpot(link.member, jsonb);

-- Whether it is locked shared.
CREATE FUNCTION link.lock_jackpot(m link.member, call jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    key bigint := link.lock_key(m.jackpot_id);
    name text := call ->> 'call';
BEGIN
    IF name = 'open' AND m.open_round IS NULL THEN
        PERFORM pg_advisory_xact_lock_shared(key);
        RETURN true;
    ELSIF name = 'deliver' AND NOT jsonb_path_exists(call, '$.transactions[*] ? (@.reason != "stake")')
        AND link.lock_below_limit(m.jackpot_id, key)
    THEN
        RETURN true;
    ELSIF name IN ('open', 'close') AND link.lock_without_hold(m.name, key) THEN
        RETURN true;
    END IF;
    PERFORM pg_advisory_xact_lock(key);
    RETURN false;
END
$$;

-- What the member's own row has against its session, or null.
CREATE FUNCTION link.bar_member(m link.member, request jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN m.name IS NULL THEN 'LINK_NOT_A_MEMBER'
        WHEN m.ended THEN 'LINK_FORKED'
        WHEN m.session IS DISTINCT FROM (request ->> 'session')::bigint THEN 'LINK_FENCED'
        WHEN m.doubted AND NOT m.recovering THEN 'LINK_SETTINGS'
    END
$$;

DROP FUNCTION link.bar_hello(link.member, jsonb);

-- As before, of a jackpot that is behind or not.
CREATE FUNCTION link.bar_hello(m link.member, is_behind boolean, hello jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN m.recovering AND (hello ->> 'epoch')::integer = m.epoch THEN CASE
            WHEN (hello ->> 'answered')::bigint <= m.n AND NOT link.has_answered(m, hello) THEN 'LINK_FORKED'
        END
        WHEN is_behind THEN 'LINK_BEHIND'
    END
$$;

CREATE OR REPLACE FUNCTION link.bar_session(m link.member, request jsonb) RETURNS text
LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(link.bar_member(m, request), CASE WHEN link.has_other_settings(m) THEN 'LINK_FENCED' END)
$$;

-- The jackpot's row, and what `is_behind` says.
CREATE FUNCTION link.see_jackpot(of_jackpot text) RETURNS TABLE (jackpot link.jackpot, is_behind boolean)
LANGUAGE sql STABLE AS $$
    SELECT j, j.behind OR EXISTS (SELECT FROM link.member WHERE jackpot_id = of_jackpot AND recovering)
    FROM link.jackpot AS j WHERE j.id = of_jackpot
$$;

-- As before, in one statement.
CREATE OR REPLACE FUNCTION link.is_behind(of_jackpot text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT s.is_behind FROM link.see_jackpot(of_jackpot) AS s);
END
$$;

DROP FUNCTION link.describe_today(link.member, bigint);

-- `j`: the jackpot's row, as it is now.
CREATE FUNCTION link.describe_today(m link.member, j link.jackpot, booked bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN jsonb_build_object(
        'reading', link.show_jackpot(j),
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

-- Calls are idempotent: one that comes twice counts once. A new number is done and stored; an old one gets its
-- stored answer if it is word for word the stored call.
CREATE OR REPLACE FUNCTION link.answer_call(request jsonb, expected text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    m link.member;
    there record;
    call jsonb := request -> 'call';
    n bigint := (call ->> 'n')::bigint;
    barred text;
    is_shared boolean := false;
    stored link.entry;
BEGIN
    PERFORM link.check_message(request);
    IF call ->> 'call' IS DISTINCT FROM expected THEN
        RAISE EXCEPTION 'link.% was called with the call %', expected, call ->> 'call';
    END IF;
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    barred := link.bar_member(m, request);
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    ELSIF n = m.n + 1 AND (m.joined OR expected = 'join') THEN
        is_shared := link.lock_jackpot(m, call);
    END IF;
    SELECT * INTO STRICT there FROM link.see_jackpot(m.jackpot_id);
    barred := CASE
        WHEN link.has_other_settings(m, there.jackpot) THEN 'LINK_FENCED'
        WHEN there.is_behind THEN 'LINK_BEHIND'
        WHEN n > m.n + 1 THEN 'LINK_GAP'
        WHEN n <= m.n THEN CASE WHEN NOT link.is_stored(m, call) THEN 'LINK_FORKED' END
        WHEN m.joined THEN CASE WHEN expected = 'join' THEN 'LINK_FORKED' END
        WHEN expected <> 'join' OR m.leaving THEN 'LINK_NOT_A_MEMBER'
        WHEN link.waits_to_join(m, call -> 'balances') THEN 'LINK_NOT_A_MEMBER'
    END;
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    ELSIF n > m.n THEN
        stored := link.take_call(m, there.jackpot, call, request -> 'head', is_shared);
    ELSE
        PERFORM link.note_record(m.name, request -> 'head');
        SELECT * INTO STRICT stored FROM link.entry AS e
        WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (request -> 'call' ->> 'n')::bigint;
    END IF;
    IF NOT is_shared THEN -- the call may have lowered it
        SELECT * INTO STRICT there FROM link.see_jackpot(m.jackpot_id);
    END IF;
    RETURN stored.answer || jsonb_build_object(
        'hash', encode(stored.hash, 'hex'), 'act', stored.act,
        'proof', link.prove_answer(m, stored.n, encode(stored.hash, 'hex'))
    ) || link.describe_today(m, there.jackpot, (request ->> 'act')::bigint);
END
$$;

-- The second of the last look at sessions: a sequence, since it is read and set without a lock, and is no part of a transaction.
CREATE SEQUENCE link.watched MINVALUE 0 START 0;

CREATE OR REPLACE FUNCTION link.watch_sessions() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    second bigint := extract(epoch FROM clock_timestamp())::bigint;
BEGIN
    IF pg_sequence_last_value('link.watched') IS DISTINCT FROM second THEN
        PERFORM setval('link.watched', second);
        PERFORM link.end_long_sessions(interval '4 seconds');
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION link.check_message(request jsonb) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM link.check_isolation();
    ELSIF pg_column_size(request) > 65536 THEN
        RAISE EXCEPTION 'a message of more than 64 KiB is not read' USING ERRCODE = 'program_limit_exceeded';
    END IF;
END
$$;

-- As before; that no fault is named needs no look.
CREATE OR REPLACE FUNCTION link.check_beat(beat jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    faults jsonb := CASE jsonb_typeof(beat -> 'faults') WHEN 'array' THEN beat -> 'faults' END;
    named boolean := faults = '[]';
BEGIN
    IF NOT named THEN
        named := (SELECT bool_and(f::text ~ '^"[A-Z0-9_]{1,40}"$') FROM jsonb_array_elements(faults) AS f);
    END IF;
    IF (
        named AND jsonb_array_length(faults) <= 100
        AND (beat -> 'phase')::text ~ '^"[A-Z_]{1,40}"$'
        AND coalesce((beat -> 'shown')::text, 'null') ~ '^(null|[0-9]{1,15})$'
        AND coalesce((beat -> 'outbox')::text, 'null') ~ '^(null|[0-9]{1,9})$'
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'this is no beat: a phase and faults by their names, an amount shown, an outbox'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION link.beat(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    there record;
    beat jsonb := request -> 'beat';
    booked bigint := (request ->> 'act')::bigint;
    barred text;
BEGIN
    PERFORM link.check_message(request);
    PERFORM link.check_beat(beat);
    PERFORM link.watch_sessions();
    SELECT * INTO m FROM link.member WHERE name = session_user;
    SELECT * INTO there FROM link.see_jackpot(m.jackpot_id);
    barred := coalesce(link.bar_member(m, request), CASE
        WHEN link.has_other_settings(m, there.jackpot) THEN 'LINK_FENCED'
        WHEN there.is_behind THEN 'LINK_BEHIND'
    END);
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
    RETURN link.describe_today(m, there.jackpot, booked);
END
$$;

-- The others count no further than to what matters.
CREATE OR REPLACE FUNCTION link.read_beat() RETURNS integer
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE WHEN EXISTS (SELECT FROM link.member WHERE joined OFFSET 100) THEN 4 ELSE 1 END;
END
$$;

CREATE FUNCTION link.describe_terms(j link.jackpot) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object(
        'game', j.game, 'token', j.token, 'to_jackpot', j.to_jackpot, 'to_reserve', j.to_reserve, 'prizes', j.prizes
    ) || CASE WHEN j.prize_file IS NULL THEN '{}' ELSE jsonb_build_object('prize_file', j.prize_file) END
$$;

CREATE OR REPLACE FUNCTION link.describe_terms(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT link.describe_terms(j) FROM link.jackpot AS j WHERE j.id = of_jackpot
$$;

-- As before, with the member's row changed once: what a table says first is what a new session compiles, and all do at once when a
-- centre comes back.
CREATE OR REPLACE FUNCTION link.hello(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    there record;
    barred text;
    seq bigint := (request -> 'head' ->> 'seq')::bigint;
    ours integer := link.read_timeline(); -- the timeline of this primary
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
    SELECT * INTO STRICT there FROM link.see_jackpot(m.jackpot_id);
    barred := coalesce(barred, link.bar_hello(m, there.is_behind, request));
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    ELSIF (request ->> 'epoch')::integer < m.epoch THEN
        PERFORM link.note_record(m.name, request -> 'head');
        RETURN link.describe_rejoin(m);
    ELSIF NOT m.recovering AND m.doubted THEN
        RETURN jsonb_build_object('barred', 'LINK_SETTINGS');
    ELSIF NOT m.recovering AND link.describe_terms(there.jackpot) <> request -> 'terms' THEN
        RETURN link.let_wait(m.name, link.keep_terms(request -> 'terms'));
    END IF;
    UPDATE link.member AS w SET
        record_hash = CASE WHEN coalesce(record_seq, 0) <= seq THEN request -> 'head' ->> 'hash' ELSE record_hash END,
        record_seq = CASE WHEN coalesce(record_seq, 0) <= seq THEN seq ELSE record_seq END,
        session = w.session + 1,
        awaits = CASE WHEN recovering THEN awaits END,
        timeline = CASE WHEN (request ->> 'timeline')::integer > ours THEN (request ->> 'timeline')::integer ELSE 0 END
    WHERE w.name = m.name;
    IF m.recovering THEN
        RETURN link.ask_to_recall(m.name);
    END IF;
    RETURN jsonb_build_object(
        'session', m.session + 1,
        'n', m.n,
        'beat_s', link.read_beat(),
        'version', (SELECT max(number) FROM link.migration),
        'timeline', ours,
        'reading', link.show_jackpot(there.jackpot)
    );
END
$$;

-- As before, with the most tokens that it brought in one minute of the last day.
CREATE OR REPLACE FUNCTION link.describe_tables(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'table', m.name, 'joined', m.joined, 'ended', m.ended, 'doubted', m.doubted, 'round', m.open_round, 'stakes', m.stakes,
        'winners', m.winners, 'heard', link.to_milliseconds(p.heard), 'phase', p.phase,
        'faults', coalesce(p.faults, '[]'), 'shown', p.shown, 'outbox', coalesce(p.outbox, 0),
        'unbooked', (
            SELECT count(*) FROM link.change AS c
            WHERE c.member = m.name AND c.jackpot_id = of_jackpot AND c.act > coalesce(p.act, 0)
        ),
        'most_tokens', CASE WHEN m.most_at > clock_timestamp() - interval '1 day' THEN m.most_stakes ELSE 0 END,
        'most_at', link.to_milliseconds(m.most_at)
    ) ORDER BY m.name), '[]')
    FROM link.member AS m LEFT JOIN link.presence AS p ON p.member = m.name
    WHERE m.jackpot_id = of_jackpot
$$;
