-- What a table may call: the newest of its entries, and to append a head. A head is a SignedHead
-- (jackpot/trust/signed_head.py). PostgreSQL cannot check its signature, only its form: the audit does.

CREATE FUNCTION witness.find_newest(of_table text) RETURNS witness.entry
LANGUAGE sql STABLE AS $$
    SELECT * FROM witness.entry WHERE table_name = of_table ORDER BY number DESC LIMIT 1
$$;

-- The table's newest entry; null for a table that was not admitted.
CREATE FUNCTION witness.read_newest() RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT to_jsonb(e) - 'at' - 'by' FROM witness.find_newest(session_user) AS e WHERE e.number IS NOT NULL
$$;

-- Append a head after the entry `after`: {"number": N}, or {"refused": CODE, "number": the newest entry's}. A record's
-- head is written once for each counter. Two that come at once have the same number: one of them fails, and asks again.
CREATE FUNCTION witness.append(head jsonb, after bigint) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    newest witness.entry := witness.find_newest(session_user);
    code text;
BEGIN
    PERFORM witness.check_size(head);
    code := witness.judge_head(newest, head, after);
    IF code = 'SAME' THEN
        RETURN jsonb_build_object('number', newest.number);
    ELSIF code IS NOT NULL THEN
        PERFORM witness.note_refusal(code, head);
        RETURN jsonb_build_object('refused', code, 'number', newest.number);
    END IF;
    INSERT INTO witness.entry (table_name, number, kind, seq, hash, counter, key, wall, signature)
    VALUES (
        session_user, newest.number + 1, 'head', (head ->> 'seq')::bigint, head ->> 'hash',
        (head ->> 'counter')::bigint, head ->> 'key', head ->> 'wall', head ->> 'signature'
    );
    RETURN jsonb_build_object('number', newest.number + 1);
END
$$;

CREATE FUNCTION witness.check_size(head jsonb) RETURNS void
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF pg_column_size(head) > 2000 THEN
        RAISE EXCEPTION 'a head of more than 2,000 bytes is not read' USING ERRCODE = 'program_limit_exceeded';
    END IF;
END
$$;

-- A table sends a head in ten seconds; more at a start and at its end.
CREATE FUNCTION witness.sends_too_often(newest witness.entry) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM witness.entry AS e
        WHERE e.table_name = newest.table_name AND e.number = newest.number - 59
            AND e.at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp()
    )
$$;

-- Why a head cannot follow; null if it can. TOO_FAR: no table writes so many records while its witness is lost.
CREATE FUNCTION witness.judge_head(newest witness.entry, head jsonb, after bigint) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN head ->> 'table' IS DISTINCT FROM session_user THEN 'WRONG_TABLE'
        WHEN newest.number IS NULL THEN 'NOT_ADMITTED'
        WHEN head ->> 'key' IS DISTINCT FROM newest.key THEN 'WRONG_KEY'
        WHEN (head ->> 'seq')::bigint < newest.seq THEN 'OLDER_RECORD'
        WHEN (head ->> 'seq')::bigint = newest.seq AND head ->> 'hash' <> newest.hash THEN 'OTHER_RECORD'
        WHEN (head ->> 'counter')::bigint < newest.counter THEN 'OLDER_COUNTER'
        WHEN newest.kind = 'head' AND (head ->> 'seq')::bigint = newest.seq
            AND (head ->> 'counter')::bigint = newest.counter THEN 'SAME'
        WHEN (head ->> 'seq')::bigint - newest.seq > 10000000
            OR (head ->> 'counter')::bigint - newest.counter > 1000000000 THEN 'TOO_FAR'
        WHEN after IS DISTINCT FROM newest.number THEN 'NOT_NEWEST'
        WHEN witness.sends_too_often(newest) THEN 'TOO_OFTEN'
    END
$$;

-- The same one is noted once, and others of a table at most once a second: the rest is counted.
CREATE FUNCTION witness.note_refusal(of_code text, of_head jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    last witness.refusal;
BEGIN
    INSERT INTO witness.refusal_count AS c VALUES (session_user, 0)
    ON CONFLICT (table_name) DO UPDATE SET not_stored = c.not_stored; -- the others of this table wait
    SELECT * INTO last FROM witness.refusal WHERE table_name = session_user ORDER BY number DESC LIMIT 1;
    IF last.code = of_code AND last.head = of_head THEN
        RETURN;
    ELSIF last.at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() THEN
        UPDATE witness.refusal_count SET not_stored = not_stored + 1 WHERE table_name = session_user;
    ELSE
        INSERT INTO witness.refusal (table_name, code, head) VALUES (session_user, of_code, of_head);
    END IF;
END
$$;

-- A table that finds its own ledger to be older, or another one, says so: the house knows it, too.
CREATE FUNCTION witness.report_parting(head jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM witness.check_size(head);
    PERFORM witness.note_refusal('PARTED', head);
END
$$;

CREATE INDEX refusal_table ON witness.refusal (table_name, number);

GRANT EXECUTE ON FUNCTION
    witness.read_newest(), witness.append(jsonb, bigint), witness.report_parting(jsonb)
TO witness_table;
