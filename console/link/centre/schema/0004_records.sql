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

SELECT link.make_append_only(ARRAY['entry', 'movement', 'act', 'change', 'proposal', 'expiry']);
