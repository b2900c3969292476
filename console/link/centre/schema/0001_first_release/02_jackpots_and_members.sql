-- Jackpots and their members (docs/reference/link-rules.md, section 2). Amounts are in 1/10,000 of a cent, but for
-- what is called cents.

CREATE TYPE link.amounts AS (
    tray bigint, jackpot bigint, reserve bigint, house bigint, pending bigint, paid bigint
);

-- Its balances are what awards, base and corrections moved.
CREATE TABLE link.jackpot (
    id text PRIMARY KEY CHECK (id ~ '^[a-z0-9-]{1,40}$'),
    game text NOT NULL,
    token bigint NOT NULL CHECK (token > 0),
    to_jackpot integer NOT NULL CHECK (to_jackpot >= 0),
    to_reserve integer NOT NULL CHECK (to_reserve >= 0),
    prizes jsonb NOT NULL CHECK (jsonb_typeof(prizes) = 'object'),
    base bigint NOT NULL CHECK (base >= 0), -- cents
    tie text NOT NULL CHECK (tie IN ('split', 'order')),
    version integer NOT NULL DEFAULT 1, -- of these settings
    tray bigint NOT NULL DEFAULT 0,
    jackpot bigint NOT NULL DEFAULT 0,
    reserve bigint NOT NULL DEFAULT 0,
    house bigint NOT NULL DEFAULT 0,
    pending bigint NOT NULL DEFAULT 0 CHECK (pending >= 0),
    paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
    behind boolean NOT NULL DEFAULT false, -- a member has shown that the centre was set back (3.13)
    awards bigint NOT NULL DEFAULT 0, -- the last award's number
    act bigint NOT NULL DEFAULT 0, -- the last act's number
    hash bytea NOT NULL DEFAULT '\x', -- the last act's
    CHECK (to_jackpot + to_reserve <= 10000),
    CHECK (tray + jackpot + reserve + house + pending + paid = 0)
);

-- What the centre knows of the member's journal: the last record, by number and hash.
CREATE TABLE link.member (
    name text PRIMARY KEY CHECK (name <> ''),
    jackpot_id text NOT NULL REFERENCES link.jackpot,
    joined boolean NOT NULL DEFAULT false,
    asked jsonb, -- the balances with which it asks to join, other than 0
    allowed jsonb, -- those with which two operators let it
    epoch integer NOT NULL DEFAULT 1 CHECK (epoch > 0),
    leaving boolean NOT NULL DEFAULT false, -- asked to leave; if it has left, not let in again yet
    ended boolean NOT NULL DEFAULT false, -- this epoch: back only by rejoin
    doubted boolean NOT NULL DEFAULT false, -- it has sent what does not fit the terms, and two operators have not looked
    forged boolean NOT NULL DEFAULT false, -- it has told a centre that was set back what that never answered; it is doubted, too
    recovering boolean NOT NULL DEFAULT false, -- it is to send again what it was answered (3.13)
    left_out boolean NOT NULL DEFAULT false, -- of the recovery that is under way: its parts are in doubt
    awaits jsonb, -- the terms or the prize that its call waits for (3.13): an `Awaited` of the wire
    timeline integer NOT NULL DEFAULT 0, -- a later one than the centre's that it knew, taken by `recover`; 0: none
    session bigint NOT NULL DEFAULT 0,
    n bigint NOT NULL DEFAULT 0 CHECK (n >= 0), -- the last call of this epoch
    hash bytea NOT NULL DEFAULT '\x', -- the last entry's
    record_seq bigint,
    record_hash text CHECK (record_hash ~ '^[0-9a-f]{64}$'),
    open_round bigint,
    stakes integer NOT NULL DEFAULT 0, -- that the open round ever had
    winners integer NOT NULL DEFAULT 0 CHECK (winners >= 0), -- of the open round
    CHECK (winners <= stakes),
    CHECK ((record_seq IS NULL) = (record_hash IS NULL))
) WITH (fillfactor = 30); -- each call updates its row: there is room for the next ones in the same page

CREATE INDEX member_jackpot ON link.member (jackpot_id);
CREATE INDEX member_recovering ON link.member (jackpot_id) WHERE recovering;

-- What a member's tokens and its joining brought. Apart from the rest of the member, because each call sums up the
-- rows of all members: they must be small. Who writes here has locked the member's row.
CREATE TABLE link.member_balance (
    member text PRIMARY KEY REFERENCES link.member,
    jackpot_id text NOT NULL REFERENCES link.jackpot,
    tray bigint NOT NULL DEFAULT 0,
    jackpot bigint NOT NULL DEFAULT 0,
    reserve bigint NOT NULL DEFAULT 0,
    house bigint NOT NULL DEFAULT 0,
    pending bigint NOT NULL DEFAULT 0 CHECK (pending >= 0),
    paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
    CHECK (tray + jackpot + reserve + house + pending + paid = 0)
) WITH (fillfactor = 50);

CREATE INDEX member_balance_jackpot ON link.member_balance (jackpot_id);

-- Who holds answers of this jackpot, and has not joined it by what the centre knows: a table that joined since the backup of
-- a centre that was set back (3.13). Two operators let it in with `recover`.
CREATE TABLE link.newcomer (
    name text PRIMARY KEY,
    jackpot_id text NOT NULL REFERENCES link.jackpot,
    answered bigint NOT NULL -- the last call that it holds as answered
);

-- The last beat. A clock is a label (3.15).
CREATE TABLE link.presence (
    member text PRIMARY KEY REFERENCES link.member,
    heard timestamptz NOT NULL,
    phase text,
    faults jsonb,
    shown bigint, -- cents; null: dashes
    outbox integer, -- calls that wait for their answer
    act bigint -- the last that the member has booked
);

CREATE FUNCTION link.is_tournament(of_jackpot text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.jackpot WHERE id = of_jackpot AND game = 'tournament')
$$;

CREATE FUNCTION link.describe_terms(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'game', game, 'token', token, 'to_jackpot', to_jackpot, 'to_reserve', to_reserve, 'prizes', prizes
    )
    FROM link.jackpot WHERE id = of_jackpot
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

CREATE FUNCTION link.lock_key(of_jackpot text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended('link.jackpot/' || of_jackpot, 0)
$$;

-- A new jackpot and a new member (3.9 and 3.14): for the schema's owner alone.

-- `opening` and `base` in cents; the opening value is put in once, from the house.
CREATE FUNCTION link.create_jackpot(id text, terms jsonb, base bigint, opening bigint, tie text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF EXISTS (SELECT FROM link.jackpot AS there WHERE there.id = create_jackpot.id) THEN
        RAISE EXCEPTION 'there is a jackpot % already', create_jackpot.id;
    END IF;
    INSERT INTO link.jackpot (id, game, token, to_jackpot, to_reserve, prizes, base, tie)
    VALUES (
        id, terms ->> 'game', (terms ->> 'token')::bigint, (terms ->> 'to_jackpot')::integer,
        (terms ->> 'to_reserve')::integer, terms -> 'prizes', base, tie
    );
    act := link.begin_act(id);
    PERFORM link.move(
        id, NULL, NULL, 'opening', 'opening', act, (0, opening * 10000, 0, -opening * 10000, 0, 0)
    );
    PERFORM link.record_act(
        id, act, 'jackpot', NULL, jsonb_build_object('terms', terms, 'base', base, 'opening', opening, 'tie', tie)
    );
END
$$;

-- Let it in; the group of its role. A cash desk brings no money: it has joined a tournament jackpot at once. A table
-- that has left is let in again, and what is known of it stays known (3.12). Only one that never called may then come
-- with another card.
CREATE FUNCTION link.admit_member(name text, jackpot_id text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    m link.member;
    is_desk boolean := link.is_tournament(jackpot_id);
    act bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM link.jackpot AS there WHERE there.id = admit_member.jackpot_id) THEN
        RAISE EXCEPTION 'the centre has no jackpot %; banco link status names those that it has',
            admit_member.jackpot_id;
    END IF;
    SELECT * INTO m FROM link.member AS there WHERE there.name = admit_member.name FOR NO KEY UPDATE;
    IF m.name IS NOT NULL THEN
        PERFORM link.admit_again(m, jackpot_id);
        RETURN CASE WHEN is_desk THEN 'link_cash_desk' ELSE 'link_member' END;
    END IF;
    INSERT INTO link.member (name, jackpot_id, joined) VALUES (admit_member.name, admit_member.jackpot_id, is_desk);
    INSERT INTO link.member_balance (member, jackpot_id) VALUES (admit_member.name, admit_member.jackpot_id);
    IF NOT is_desk THEN
        RETURN 'link_member';
    END IF;
    PERFORM pg_advisory_xact_lock(link.lock_key(jackpot_id));
    act := link.begin_act(jackpot_id);
    PERFORM link.record_act(jackpot_id, act, 'join', name, '{}');
    RETURN 'link_cash_desk';
END
$$;

CREATE FUNCTION link.admit_again(m link.member, jackpot_id text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF m.jackpot_id <> admit_again.jackpot_id THEN
        RAISE EXCEPTION '% holds what % brought: give the table another name', m.jackpot_id, m.name;
    ELSIF m.joined AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = m.name) THEN
        RETURN; -- a restored server lacks its role: that is made again
    ELSIF m.joined THEN
        RAISE EXCEPTION '% is a member of % already', m.name, m.jackpot_id;
    END IF;
    UPDATE link.member AS w SET
        leaving = false, session = w.session + 1, asked = NULL, allowed = NULL,
        record_seq = CASE WHEN w.n > 0 THEN w.record_seq END, record_hash = CASE WHEN w.n > 0 THEN w.record_hash END
    WHERE w.name = m.name;
END
$$;
