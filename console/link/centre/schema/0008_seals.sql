-- Nightly seals (docs/reference/link-rules.md, 5.6): what each table's calls and money came to, fixed by an act of each jackpot. An audit
-- may begin at one, and the days before it may be detached. Tournament jackpots are small, and are not sealed.

CREATE TABLE link.seal (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Its own balances before the act; `movement`: the last number before it; `award`: the last one frozen.
CREATE TABLE link.sealed_jackpot (
    seal bigint REFERENCES link.seal,
    jackpot_id text REFERENCES link.jackpot,
    act bigint NOT NULL,
    movement bigint NOT NULL,
    award bigint NOT NULL,
    tray bigint NOT NULL,
    jackpot bigint NOT NULL,
    reserve bigint NOT NULL,
    house bigint NOT NULL,
    pending bigint NOT NULL,
    paid bigint NOT NULL,
    PRIMARY KEY (seal, jackpot_id)
);

-- The last call and its hash, and what the table's tokens and joining had brought.
CREATE TABLE link.sealed_member (
    seal bigint REFERENCES link.seal,
    member text REFERENCES link.member,
    jackpot_id text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    hash bytea NOT NULL,
    tray bigint NOT NULL,
    jackpot bigint NOT NULL,
    reserve bigint NOT NULL,
    house bigint NOT NULL,
    pending bigint NOT NULL,
    paid bigint NOT NULL,
    PRIMARY KEY (seal, member)
);

SELECT link.make_append_only(ARRAY['seal', 'sealed_jackpot', 'sealed_member']);
SELECT link.secure_tables();

-- All that a seal says of a jackpot: its act's hash covers this, and each table's last hash besides.
CREATE FUNCTION link.digest_seal(of_seal bigint, of_jackpot text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(jsonb_build_array(
        (SELECT to_jsonb(s) FROM link.sealed_jackpot AS s WHERE s.seal = of_seal AND s.jackpot_id = of_jackpot),
        (
            SELECT jsonb_agg(to_jsonb(s) ORDER BY s.member) FROM link.sealed_member AS s
            WHERE s.seal = of_seal AND s.jackpot_id = of_jackpot
        )
    )::text, 'UTF8')), 'hex')
$$;

-- Seal all jackpots at one instant: each waits for the calls that are under way. The seal's number. For the schema's owner.
CREATE FUNCTION link.make_seal() RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    names text[] := ARRAY(SELECT id FROM link.jackpot WHERE NOT link.is_tournament(id) ORDER BY id);
    sealed bigint;
    one text;
    begun bigint;
BEGIN
    PERFORM link.check_isolation();
    PERFORM link.lock_jackpots(names);
    FOREACH one IN ARRAY names LOOP
        IF link.is_behind(one) THEN
            RAISE EXCEPTION '% is not recovered: seal when its tables have told what they hold', one;
        END IF;
    END LOOP;
    INSERT INTO link.seal DEFAULT VALUES RETURNING number INTO sealed;
    INSERT INTO link.sealed_member
    SELECT sealed, m.name, m.jackpot_id, m.epoch, m.n, m.hash, b.tray, b.jackpot, b.reserve, b.house, b.pending, b.paid
    FROM link.member AS m JOIN link.member_balance AS b ON b.member = m.name WHERE m.jackpot_id = ANY (names);
    FOREACH one IN ARRAY names LOOP
        begun := link.begin_act(one);
        INSERT INTO link.sealed_jackpot
        SELECT sealed, j.id, begun, (SELECT coalesce(max(v.number), 0) FROM link.movement AS v), j.awards,
            j.tray, j.jackpot, j.reserve, j.house, j.pending, j.paid
        FROM link.jackpot AS j WHERE j.id = one;
        PERFORM link.record_act(
            one, begun, 'seal', NULL, jsonb_build_object('seal', sealed, 'digest', link.digest_seal(sealed, one))
        );
    END LOOP;
    RETURN sealed;
END
$$;

-- What is later than the seal that `link.since` names: all of what was not sealed by it.

CREATE FUNCTION link.read_since() RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT nullif(current_setting('link.since', true), '')::bigint
$$;

CREATE FUNCTION link.entry_since() RETURNS SETOF link.entry
LANGUAGE sql STABLE AS $$
    SELECT e.* FROM link.member AS m
    LEFT JOIN link.sealed_member AS s ON s.seal = link.read_since() AND s.member = m.name
    JOIN link.entry AS e ON e.member = m.name AND (e.epoch, e.n) > (coalesce(s.epoch, 0), coalesce(s.n, 0))
$$;

CREATE FUNCTION link.act_since() RETURNS SETOF link.act
LANGUAGE sql STABLE AS $$
    SELECT a.* FROM link.jackpot AS j
    LEFT JOIN link.sealed_jackpot AS s ON s.seal = link.read_since() AND s.jackpot_id = j.id
    JOIN link.act AS a ON a.jackpot_id = j.id AND a.number >= coalesce(s.act, 0)
$$;

CREATE FUNCTION link.movement_since() RETURNS SETOF link.movement
LANGUAGE sql STABLE AS $$
    SELECT v.* FROM link.movement AS v
    LEFT JOIN link.sealed_jackpot AS s ON s.seal = link.read_since() AND s.jackpot_id = v.jackpot_id
    WHERE v.number > coalesce(s.movement, 0) AND v.number > (
        SELECT coalesce(min(coalesce(f.movement, 0)), 0)
        FROM link.jackpot AS j LEFT JOIN link.sealed_jackpot AS f ON f.seal = link.read_since() AND f.jackpot_id = j.id
    )
$$;

CREATE FUNCTION link.winner_since() RETURNS SETOF link.winner
LANGUAGE sql STABLE AS $$
    SELECT w.* FROM link.winner AS w
    LEFT JOIN link.sealed_jackpot AS s ON s.seal = link.read_since() AND s.jackpot_id = w.jackpot_id
    WHERE w.award > coalesce(s.award, 0)
$$;

-- What was brought since.
CREATE FUNCTION link.member_balance_since() RETURNS SETOF link.member_balance
LANGUAGE sql STABLE AS $$
    SELECT b.member, b.jackpot_id, b.tray - coalesce(s.tray, 0) AS tray, b.jackpot - coalesce(s.jackpot, 0) AS jackpot,
        b.reserve - coalesce(s.reserve, 0) AS reserve, b.house - coalesce(s.house, 0) AS house,
        b.pending - coalesce(s.pending, 0) AS pending, b.paid - coalesce(s.paid, 0) AS paid
    FROM link.member_balance AS b LEFT JOIN link.sealed_member AS s ON s.seal = link.read_since() AND s.member = b.member
$$;

GRANT EXECUTE ON FUNCTION
    link.read_since(), link.entry_since(), link.act_since(), link.movement_since(), link.winner_since(), link.member_balance_since(),
    link.digest_seal(bigint, text)
TO link_reader;

-- Days that were detached (console/link/centre/seals.py). The seal of the last ones that are not attached again; null: all are there.
CREATE FUNCTION link.find_detached(of_jackpot text) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT max((d.details ->> 'seal')::bigint) FROM link.act AS d
    WHERE d.jackpot_id = of_jackpot AND d.kind = 'detach' AND NOT EXISTS (
        SELECT FROM link.act AS a WHERE a.jackpot_id = of_jackpot AND a.kind = 'attach' AND a.number > d.number
            AND a.details -> 'seal' = d.details -> 'seal'
    )
$$;

GRANT EXECUTE ON FUNCTION link.find_detached(text) TO link_reader;

-- `what`: detach or attach; an act of each jackpot of the seal, with the files' digests. For the schema's owner.
CREATE FUNCTION link.record_detachment(of_seal bigint, what text, digests jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    FOR one IN SELECT jackpot_id FROM link.sealed_jackpot WHERE seal = of_seal ORDER BY jackpot_id LOOP
        PERFORM link.record_act(
            one, link.begin_act(one), what, NULL, jsonb_build_object('seal', of_seal, 'digests', digests)
        );
    END LOOP;
END
$$;

-- A list for a rejoin is what the centre lacks of a ledger: it must have all days, or tokens of a detached day would count twice.
CREATE OR REPLACE FUNCTION link.object_to_arguments(of_jackpot text, what text, arguments jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN what = 'rejoin' AND link.find_detached(of_jackpot) IS NOT NULL
            THEN format('days up to seal %s are detached: attach them first (banco link attach)', link.find_detached(of_jackpot))
        WHEN what = 'transfer' THEN link.object_to_transfer(of_jackpot, arguments)
        ELSE link.object_to_other_arguments(of_jackpot, what, arguments)
    END
$$;
