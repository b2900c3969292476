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

-- Fresh calls: what tables send all night, in a few statements. They change the member's row once: each update of it looks at all of its
-- constraints again.

-- Book a delivery of nothing but stakes of the open round, one at each of these seats, as the terms in force say word for word. The
-- member's row with them counted, to be written; null: it is another delivery, and nothing was done.
CREATE FUNCTION link.book_fresh_stakes(m link.member, call jsonb) RETURNS link.member
LANGUAGE plpgsql AS $$
DECLARE
    place text := format('%s/round-%s/seat-', m.name, m.open_round);
    j link.jackpot;
    one link.amounts;
    token jsonb;
    identities text[];
BEGIN
    IF call -> 'round' IS DISTINCT FROM to_jsonb(m.open_round) OR jsonb_typeof(call -> 'transactions') IS DISTINCT FROM 'array' THEN
        RETURN NULL;
    END IF;
    SELECT * INTO STRICT j FROM link.jackpot WHERE id = m.jackpot_id;
    one := (
        -j.token * 10000, j.token * j.to_jackpot, j.token * j.to_reserve, j.token * (10000 - j.to_jackpot - j.to_reserve), 0, 0
    );
    token := jsonb_build_object('reason', 'stake', 'postings', jsonb_path_query_array(jsonb_build_array(
        jsonb_build_object('account', 'tray', 'amount', one.tray),
        jsonb_build_object('account', 'jackpot', 'amount', one.jackpot),
        jsonb_build_object('account', 'reserve', 'amount', one.reserve),
        jsonb_build_object('account', 'house', 'amount', one.house)
    ), '$[*] ? (@.amount != 0)'));
    SELECT array_agg(t ->> 'identity') INTO identities FROM jsonb_array_elements(call -> 'transactions') AS t
    HAVING bool_and(
        CASE WHEN jsonb_typeof(t) = 'object' THEN t - 'identity' = token ELSE false END
        AND t ->> 'identity' = ANY (ARRAY(SELECT place || seat || '/stake' FROM generate_series(1, 7) AS seat))
    );
    IF identities IS NULL THEN
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
        tray = b.tray + cardinality(identities) * one.tray,
        jackpot = b.jackpot + cardinality(identities) * one.jackpot,
        reserve = b.reserve + cardinality(identities) * one.reserve,
        house = b.house + cardinality(identities) * one.house
    WHERE b.member = m.name;
    IF j.prize_file IS NOT NULL THEN
        PERFORM link.keep_limit(m, call, cardinality(identities) * one.jackpot);
    END IF;
    m.stakes := m.stakes + cardinality(identities);
    RETURN link.note_stakes(m, cardinality(identities));
END
$$;

-- Do a fresh call, but for the member's row: as it is to be written. Null: it is another call, and nothing was done.
CREATE FUNCTION link.do_fresh_call(m link.member, call jsonb) RETURNS link.member
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.has_form(call) THEN
        RETURN NULL;
    ELSIF call ->> 'call' = 'deliver' THEN
        RETURN link.book_fresh_stakes(m, call);
    ELSIF call ->> 'call' = 'open' AND m.open_round IS NULL AND call ? 'round' THEN
        m.open_round := link.read_whole(call -> 'round');
        RETURN m;
    ELSIF call ->> 'call' = 'close' AND call -> 'round' = to_jsonb(m.open_round)
        AND NOT EXISTS (SELECT FROM link.hold WHERE member = m.name)
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

CREATE FUNCTION link.take_call(m link.member, call jsonb, head jsonb) RETURNS link.entry
LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
    after bigint;
    refusal text;
    noted link.member;
BEGIN
    PERFORM link.lock_jackpot(m, call);
    SELECT act INTO STRICT before FROM link.jackpot WHERE id = m.jackpot_id;
    noted := link.do_fresh_call(m, call);
    IF noted.name IS NULL THEN
        refusal := link.do_call(m, call);
    END IF;
    SELECT act INTO STRICT after FROM link.jackpot WHERE id = m.jackpot_id;
    RETURN link.store_entry(m, after, call, jsonb_build_object(
        'n', m.n + 1, 'refusal', refusal,
        'moved', CASE WHEN after > before THEN link.list_moved(m.jackpot_id, before) ELSE '[]' END
    ), head, noted);
END
$$;

-- As before, in one statement.
CREATE OR REPLACE FUNCTION link.is_behind(of_jackpot text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT behind OR EXISTS (SELECT FROM link.member WHERE jackpot_id = of_jackpot AND recovering)
        FROM link.jackpot WHERE id = of_jackpot
    );
END
$$;

CREATE OR REPLACE FUNCTION link.answer_call(request jsonb, expected text) RETURNS jsonb
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
    barred := coalesce(link.bar_session(m, request), CASE
        WHEN link.is_behind(m.jackpot_id) THEN 'LINK_BEHIND'
        WHEN n > m.n + 1 THEN 'LINK_GAP'
        WHEN n <= m.n THEN CASE WHEN NOT link.is_stored(m, call) THEN 'LINK_FORKED' END
        WHEN m.joined THEN CASE WHEN expected = 'join' THEN 'LINK_FORKED' END
        WHEN expected <> 'join' OR m.leaving THEN 'LINK_NOT_A_MEMBER'
        WHEN link.waits_to_join(m, call -> 'balances') THEN 'LINK_NOT_A_MEMBER'
    END);
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    END IF;
    IF n > m.n THEN
        stored := link.take_call(m, call, request -> 'head');
    ELSE
        PERFORM link.note_record(m.name, request -> 'head');
        SELECT * INTO STRICT stored FROM link.entry AS e
        WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (request -> 'call' ->> 'n')::bigint;
    END IF;
    RETURN stored.answer || jsonb_build_object(
        'hash', encode(stored.hash, 'hex'), 'act', stored.act,
        'proof', link.prove_answer(m, stored.n, encode(stored.hash, 'hex'))
    ) || link.describe_today(m, (request ->> 'act')::bigint);
END
$$;

-- The second of the last look at sessions: a sequence, since it is read and set without a lock, and is no part of a transaction.
CREATE SEQUENCE link.watched MINVALUE 0 START 0;

CREATE OR REPLACE FUNCTION link.watch_sessions() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    second bigint := extract(epoch FROM clock_timestamp())::bigint;
BEGIN
    IF (SELECT last_value FROM link.watched) <> second THEN
        PERFORM setval('link.watched', second);
        PERFORM link.end_long_sessions(interval '4 seconds');
    END IF;
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
