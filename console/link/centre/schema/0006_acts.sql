-- Acts: numbered changes of a jackpot, in a chain that holds all before (docs/link-rules.md, 2.5).

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
