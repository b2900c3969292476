-- A new jackpot and a new member (docs/link-rules.md, 3.9 and 3.14): for the schema's owner alone.

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

CREATE FUNCTION link.is_tournament(of_jackpot text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.jackpot WHERE id = of_jackpot AND game = 'tournament')
$$;
