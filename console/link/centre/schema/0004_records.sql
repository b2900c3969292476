-- What is only ever added to (docs/link-rules.md, 2.4 and 2.5): calls, movements, acts, proposals.

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

-- What one operator asks (`approves` is null), and another approves. Without a jackpot it is of the whole centre.
CREATE TABLE link.proposal (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    jackpot_id text REFERENCES link.jackpot,
    what text NOT NULL,
    arguments jsonb NOT NULL,
    proposer text NOT NULL,
    approver text,
    approves bigint UNIQUE REFERENCES link.proposal,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires timestamptz NOT NULL DEFAULT clock_timestamp() + interval '24 hours',
    CHECK (approver <> proposer),
    CHECK ((approver IS NULL) = (approves IS NULL))
);

-- Proposals that the clock has said to be over: they stay so though it is set back.
CREATE TABLE link.expiry (
    proposal bigint PRIMARY KEY REFERENCES link.proposal,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The centre's own secret: with it the centre proves to itself what it answered (3.13). It is HMAC's key, as RFC 2104 pads it for the
-- inner hash and for the outer one. Row security without a policy: only the owner's functions read it.
CREATE TABLE link.secret (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    inner_key bytea NOT NULL CHECK (length(inner_key) = 64),
    outer_key bytea NOT NULL CHECK (length(outer_key) = 64)
);

ALTER TABLE link.secret ENABLE ROW LEVEL SECURITY;

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

SELECT link.make_append_only(ARRAY['entry', 'movement', 'act', 'change', 'proposal', 'expiry', 'secret']);
