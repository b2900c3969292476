-- Settings that two people have approved for the next jackpot (docs/reference/link-rules.md, 3.9). They wait until an award of the whole
-- jackpot is final; then any operator carries them out, as settings are carried out.

-- As they were approved, with both names, and `waits_since`: the act. Null: none wait.
ALTER TABLE link.jackpot ADD COLUMN next_settings jsonb;

-- {terms, base, tie, next_jackpot}: they wait. Those that are in force: none do any more.
CREATE FUNCTION link.do_next_settings(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    begun bigint := link.begin_act(of_jackpot);
BEGIN
    UPDATE link.jackpot SET next_settings = CASE
        WHEN link.describe_terms(id) <> arguments -> 'terms' OR base <> (arguments ->> 'base')::bigint
            OR tie <> arguments ->> 'tie'
        THEN arguments || jsonb_build_object('waits_since', begun)
    END
    WHERE id = of_jackpot;
    PERFORM link.record_act(of_jackpot, begun, 'next-settings', NULL, arguments);
    RETURN NULL;
END
$$;

-- Whether an award of the whole jackpot has become final since they wait.
CREATE FUNCTION link.is_won_since(of_jackpot text, of_act bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM link.act AS t
        JOIN link.award AS a ON a.jackpot_id = t.jackpot_id AND a.number = (t.details ->> 'award')::bigint
        WHERE t.jackpot_id = of_jackpot AND t.kind = 'award-final' AND t.number > of_act
            AND a.winners * a.share >= 10000
    )
$$;

-- One operator carries them out: two have decided it. Why not, or null. A higher base is filled up by an act of its own.
CREATE FUNCTION link.begin_next_jackpot(of_jackpot text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    waiting jsonb;
    refusal text;
    act bigint;
BEGIN
    PERFORM link.check_operator();
    PERFORM pg_advisory_xact_lock(link.lock_key(of_jackpot));
    SELECT next_settings INTO waiting FROM link.jackpot WHERE id = of_jackpot;
    IF waiting IS NULL THEN
        RETURN 'NOT_PROPOSED';
    ELSIF link.is_behind(of_jackpot) THEN
        RETURN 'RECOVERING';
    ELSIF NOT link.is_won_since(of_jackpot, (waiting ->> 'waits_since')::bigint) THEN
        RETURN 'NOT_WON';
    END IF;
    refusal := link.do_settings(of_jackpot, waiting || jsonb_build_object('operator', session_user));
    IF refusal IS NULL THEN
        UPDATE link.jackpot SET next_settings = NULL WHERE id = of_jackpot;
        act := link.begin_act(of_jackpot);
        PERFORM link.raise_to_base(of_jackpot, act, format('act-%s/reseed', act));
        PERFORM link.record_act(of_jackpot, act, 'next-jackpot', NULL, jsonb_build_object('operator', session_user));
    END IF;
    RETURN refusal;
END
$$;

GRANT EXECUTE ON FUNCTION link.begin_next_jackpot(text) TO link_operator;
