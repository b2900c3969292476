-- A new jackpot and a new member (docs/link-rules.md, 3.9 and 3.14): for the schema's owner alone.

-- `opening` and `base` in cents; the opening value is put in once, from the house.
CREATE FUNCTION link.create_jackpot(id text, terms jsonb, base bigint, opening bigint, tie text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
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

CREATE FUNCTION link.admit_member(name text, jackpot_id text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.member (name, jackpot_id) VALUES (admit_member.name, admit_member.jackpot_id)
$$;
