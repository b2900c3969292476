-- What is only ever added to (docs/reference/link-rules.md, 2.4 and 2.5): calls, movements, acts, changes; and the money that they
-- move (2.1).

-- Each numbered call and its answer. `act`: the jackpot's last act as the call was answered. The member's last record
-- as it first called: it says which of two ledgers an entry belongs to (3.12); a cash desk has none. As `at`, no hash covers it.
CREATE TABLE link.entry (
    member text REFERENCES link.member,
    epoch integer,
    n bigint CHECK (n > 0),
    act bigint NOT NULL,
    call jsonb NOT NULL,
    answer jsonb NOT NULL,
    hash bytea NOT NULL,
    record_seq bigint,
    record_hash text,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (member, epoch, n),
    CHECK ((record_seq IS NULL) = (record_hash IS NULL))
);

CREATE INDEX entry_open ON link.entry (member, (call -> 'round')) WHERE call ->> 'call' = 'open';

-- A movement of money. Without a member it is the centre's own.
CREATE TABLE link.movement (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    jackpot_id text NOT NULL,
    member text,
    epoch integer,
    identity text NOT NULL CHECK (identity <> ''),
    reason text NOT NULL CHECK (
        reason IN (
            'opening', 'join', 'stake', 'fee', 'token_returned', 'award_pending', 'award_raised',
            'award_final', 'award_cancelled', 'reseed', 'reseed_returned', 'addition', 'correction'
        )
    ),
    act bigint, -- null: a token's or a fee's
    tray bigint NOT NULL,
    jackpot bigint NOT NULL,
    reserve bigint NOT NULL,
    house bigint NOT NULL,
    pending bigint NOT NULL,
    paid bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (jackpot_id, member, epoch, identity),
    CHECK ((member IS NULL) = (epoch IS NULL)),
    CHECK (tray + jackpot + reserve + house + pending + paid = 0),
    CHECK (
        jackpot >= 0
        OR reason IN (
            'award_pending', 'award_raised', 'token_returned', 'reseed_returned', 'correction'
        )
    )
);

CREATE INDEX movement_act ON link.movement (jackpot_id, act) WHERE act IS NOT NULL;

-- What changes awards, settings, members. `hash` covers the act before, this act's movements and changes, and the
-- head of every member's entries: those with a lower `act`.
CREATE TABLE link.act (
    jackpot_id text REFERENCES link.jackpot,
    number bigint CHECK (number > 0),
    kind text NOT NULL,
    member text REFERENCES link.member, -- whose call it was; null: the operators'
    details jsonb NOT NULL,
    hash bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (jackpot_id, number)
);

CREATE INDEX act_terms ON link.act (jackpot_id, number) WHERE kind IN ('jackpot', 'settings');
CREATE INDEX act_final ON link.act (jackpot_id, (details ->> 'award')) WHERE kind = 'award-final';

-- What an act changed in a member's award: a `Change` of the wire (console/rules/link.py).
CREATE TABLE link.change (
    member text REFERENCES link.member,
    jackpot_id text,
    act bigint,
    award jsonb NOT NULL,
    transaction jsonb,
    PRIMARY KEY (member, jackpot_id, act)
);

CREATE INDEX change_act ON link.change (jackpot_id, act);

CREATE FUNCTION link.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'link.%: what is recorded is never changed', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE FUNCTION link.make_append_only(names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY names LOOP
        EXECUTE format(
            'CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON link.%I '
            'FOR EACH STATEMENT EXECUTE FUNCTION link.refuse_change()',
            name
        );
    END LOOP;
END
$$;

SELECT link.make_append_only(ARRAY['entry', 'movement', 'act', 'change']);

-- Balances and movements of money.

-- Whole cents, rounded towards minus infinity.
CREATE FUNCTION link.to_cents(units numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(units / 10000)::bigint
$$;

-- The jackpot's balances: its own row's, and all its members'.
CREATE FUNCTION link.sum_balances(of_jackpot text) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT (
        sum(tray)::bigint, sum(jackpot)::bigint, sum(reserve)::bigint, sum(house)::bigint,
        sum(pending)::bigint, sum(paid)::bigint
    )::link.amounts
    FROM (
        SELECT tray, jackpot, reserve, house, pending, paid FROM link.jackpot WHERE id = of_jackpot
        UNION ALL
        SELECT tray, jackpot, reserve, house, pending, paid FROM link.member_balance WHERE jackpot_id = of_jackpot
    ) AS rows
$$;

-- The jackpot in whole cents.
CREATE FUNCTION link.read_jackpot(of_jackpot text) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$ -- keeps its plan; a function in SQL is planned at each call
BEGIN
    RETURN link.to_cents(
        (SELECT jackpot FROM link.jackpot WHERE id = of_jackpot)
        + (SELECT coalesce(sum(jackpot), 0) FROM link.member_balance WHERE jackpot_id = of_jackpot)
    );
END
$$;

-- Record a movement of the jackpot's own row, and make it.
CREATE FUNCTION link.move(
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
        paid = j.paid + moved.paid
    WHERE j.id = of_jackpot;
$$;

CREATE FUNCTION link.add_to_member(of_member text, moved link.amounts) RETURNS void
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
END
$$;

-- A movement as a `Transaction` of the wire: postings in the order of the accounts, none of 0.
CREATE FUNCTION link.write_transaction(identity text, reason text, moved link.amounts) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_object('identity', identity, 'reason', reason, 'postings', coalesce(
        jsonb_agg(jsonb_build_object('account', account, 'amount', amount) ORDER BY place)
            FILTER (WHERE amount <> 0),
        '[]'
    ))
    FROM (
        VALUES
            (1, 'tray', moved.tray), (2, 'jackpot', moved.jackpot), (3, 'reserve', moved.reserve),
            (4, 'house', moved.house), (5, 'pending', moved.pending), (6, 'paid', moved.paid)
    ) AS posting (place, account, amount)
$$;

-- The reverse: the amounts of a `Transaction` of the wire.
CREATE FUNCTION link.read_postings(postings jsonb) RETURNS link.amounts
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    moved link.amounts := (0, 0, 0, 0, 0, 0);
    posting record;
BEGIN
    FOR posting IN SELECT account, amount FROM jsonb_to_recordset(postings) AS p (account text, amount bigint)
    LOOP
        CASE posting.account
            WHEN 'tray' THEN moved.tray := moved.tray + posting.amount;
            WHEN 'jackpot' THEN moved.jackpot := moved.jackpot + posting.amount;
            WHEN 'reserve' THEN moved.reserve := moved.reserve + posting.amount;
            WHEN 'house' THEN moved.house := moved.house + posting.amount;
            WHEN 'pending' THEN moved.pending := moved.pending + posting.amount;
            WHEN 'paid' THEN moved.paid := moved.paid + posting.amount;
        END CASE;
    END LOOP;
    RETURN moved;
END
$$;

-- What the jackpot or the reserve lacks of 0 the centre adds, from the reserve, then from the house. What it
-- adds; null: nothing lacks.
CREATE FUNCTION link.reckon_addition(there link.amounts) RETURNS link.amounts
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    to_jackpot bigint := greatest(-there.jackpot, 0);
    from_reserve bigint := least(to_jackpot, greatest(there.reserve, 0));
    to_reserve bigint := greatest(-there.reserve, 0);
BEGIN
    IF to_jackpot = 0 AND to_reserve = 0 THEN
        RETURN NULL;
    END IF;
    RETURN (0, to_jackpot, to_reserve - from_reserve, from_reserve - to_jackpot - to_reserve, 0, 0)::link.amounts;
END
$$;

-- Raise the jackpot to its base, from the reserve, then from the house. What moved.
CREATE FUNCTION link.raise_to_base(of_jackpot text, act bigint, identity text) RETURNS link.amounts
LANGUAGE plpgsql AS $$
DECLARE
    there link.amounts := link.sum_balances(of_jackpot);
    missing bigint;
    reserve bigint;
    moved link.amounts;
BEGIN
    SELECT greatest(j.base * 10000 - there.jackpot, 0) INTO missing FROM link.jackpot AS j WHERE j.id = of_jackpot;
    reserve := least(missing, greatest(there.reserve, 0));
    moved := (0, missing, -reserve, reserve - missing, 0, 0);
    PERFORM link.move(of_jackpot, NULL, NULL, identity, 'reseed', act, moved);
    RETURN moved;
END
$$;

-- Acts: numbered changes of a jackpot, in a chain that holds all before.

-- The next act's number. The caller holds the jackpot's exclusive lock.
CREATE FUNCTION link.begin_act(of_jackpot text) RETURNS bigint
LANGUAGE sql AS $$
    UPDATE link.jackpot SET act = act + 1 WHERE id = of_jackpot RETURNING act
$$;

-- Add what the jackpot lacks, as part of this act. A recovery may do so several times.
CREATE FUNCTION link.add_what_lacks(of_jackpot text, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    addition link.amounts := link.reckon_addition(link.sum_balances(of_jackpot));
    before bigint;
BEGIN
    IF addition IS NOT NULL THEN
        SELECT count(*) INTO before FROM link.movement AS v
        WHERE v.jackpot_id = of_jackpot AND v.act = add_what_lacks.act AND v.reason = 'addition';
        PERFORM link.move(
            of_jackpot, NULL, NULL,
            format('act-%s/addition', act) || CASE WHEN before > 0 THEN format('-%s', before + 1) ELSE '' END,
            'addition', act, addition
        );
    END IF;
END
$$;

-- All that an act's hash covers, but the act before. After numbers that were lost with a centre set back (3.13) it covers
-- all that is booked under them.
CREATE FUNCTION link.write_act(of_jackpot text, of_act bigint, kind text, member text, details jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'act', of_act, 'kind', kind, 'member', member, 'details', details,
        'movements', (
            SELECT jsonb_agg(to_jsonb(m) ORDER BY m.number)
            FROM link.movement AS m
            WHERE m.jackpot_id = of_jackpot AND m.act > last_act AND m.act <= of_act
        ),
        'changes', (
            SELECT jsonb_agg(to_jsonb(c) ORDER BY c.act, c.member)
            FROM link.change AS c
            WHERE c.jackpot_id = of_jackpot AND c.act > last_act AND c.act <= of_act
        )
    )::text
    FROM (
        SELECT coalesce(max(number), 0) AS last_act FROM link.act WHERE jackpot_id = of_jackpot AND number < of_act
    ) AS before
$$;

-- Record the act. Its hash covers the head of every member's entries as they stand.
CREATE FUNCTION link.record_act(of_jackpot text, of_act bigint, kind text, of_member text, details jsonb)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    heads text;
    covered bytea;
BEGIN
    SELECT coalesce(string_agg(name || ':' || encode(hash, 'hex'), ',' ORDER BY name), '')
    INTO heads FROM link.member WHERE jackpot_id = of_jackpot AND hash <> '';
    covered := convert_to(heads || link.write_act(of_jackpot, of_act, kind, of_member, details), 'UTF8');
    UPDATE link.jackpot SET hash = sha256(hash || covered) WHERE id = of_jackpot;
    INSERT INTO link.act (jackpot_id, number, kind, member, details, hash)
    SELECT of_jackpot, of_act, kind, of_member, details, hash FROM link.jackpot WHERE id = of_jackpot;
END
$$;

-- Entries: what a member called and was answered, in a chain of its own.

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

-- What the centre itself moved in the acts after this one.
CREATE FUNCTION link.list_moved(of_jackpot text, before bigint) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(
        link.write_transaction(identity, reason, (tray, jackpot, reserve, house, pending, paid)::link.amounts)
        ORDER BY number
    ), '[]')
    FROM link.movement WHERE jackpot_id = of_jackpot AND act > before AND member IS NULL
$$;

-- Proofs of what was answered.

-- The centre's own secret: with it the centre proves to itself what it answered (3.13). It is HMAC's key, as RFC 2104 pads it for the
-- inner hash and for the outer one. Row security without a policy: only the owner's functions read it.
CREATE TABLE link.secret (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    inner_key bytea NOT NULL CHECK (length(inner_key) = 64),
    outer_key bytea NOT NULL CHECK (length(outer_key) = 64)
);

ALTER TABLE link.secret ENABLE ROW LEVEL SECURITY;

SELECT link.make_append_only(ARRAY['secret']);

CREATE FUNCTION link.pad_key(key bytea, pad integer) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(set_byte('\x00', 0, pad # CASE WHEN i < length(key) THEN get_byte(key, i) ELSE 0 END), '' ORDER BY i)
    FROM generate_series(0, 63) AS i
$$;

-- Of three random numbers of 122 bits each.
WITH made AS MATERIALIZED (
    SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) AS key
)
INSERT INTO link.secret (inner_key, outer_key) SELECT link.pad_key(key, 54), link.pad_key(key, 92) FROM made;

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
