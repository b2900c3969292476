-- Money from one linked jackpot to another, by two people (docs/reference/link-rules.md, 3.9). Each jackpot's books sum to 0: what leaves
-- the one goes to its house, and comes to the other from that.

CREATE FUNCTION link.read_currency(of_jackpot text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(prize_file ->> 'currency', 'EUR') FROM link.jackpot WHERE id = of_jackpot
$$;

-- Why nothing can be moved there, or null. Of a tournament jackpot nothing is: it is the players' fees.
CREATE FUNCTION link.object_to_transfer(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT arguments ?& ARRAY['target', 'amount', 'reason'] THEN 'transfer needs target, amount, reason'
        WHEN NOT EXISTS (SELECT FROM link.jackpot WHERE id IN (of_jackpot, arguments ->> 'target') HAVING count(*) = 2)
            THEN 'source, target: two jackpots'
        WHEN link.is_tournament(of_jackpot) OR link.is_tournament(arguments ->> 'target')
            THEN 'transfer is not for a tournament jackpot'
        WHEN link.read_currency(of_jackpot) <> link.read_currency(arguments ->> 'target')
            THEN format('%s is not in the currency of %s', arguments ->> 'target', of_jackpot)
        WHEN (arguments ->> 'amount')::bigint <= 0 THEN 'amount: more than 0'
        WHEN length(trim(arguments ->> 'reason')) < 10 THEN 'reason: 10 characters or more'
    END
$$;

ALTER FUNCTION link.object_to_arguments(text, text, jsonb) RENAME TO object_to_other_arguments;

CREATE FUNCTION link.object_to_arguments(of_jackpot text, what text, arguments jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN what = 'transfer' THEN link.object_to_transfer(of_jackpot, arguments)
        ELSE link.object_to_other_arguments(of_jackpot, what, arguments)
    END
$$;

CREATE FUNCTION link.has_live_award(of_jackpot text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.winner WHERE jackpot_id = of_jackpot AND state NOT IN ('final', 'cancelled'))
$$;

-- {target, amount in 1/10,000 of a cent, reason}: an act of both jackpots, or of neither.
CREATE FUNCTION link.do_transfer(source text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    target text := arguments ->> 'target';
    amount bigint := (arguments ->> 'amount')::bigint;
    recorded jsonb := arguments || jsonb_build_object('source', source);
    one text;
    act bigint;
BEGIN
    IF link.is_behind(target) THEN
        RETURN 'RECOVERING';
    ELSIF link.read_currency(source) <> link.read_currency(target) THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF link.has_live_award(source) OR link.has_live_award(target) THEN
        RETURN 'AWARD_PENDING';
    ELSIF link.has_staked_round(source) THEN
        RETURN 'ROUNDS_OPEN';
    ELSIF (link.sum_balances(source)).jackpot - amount < (SELECT base * 10000 FROM link.jackpot WHERE id = source) THEN
        RETURN 'NOT_COVERED';
    END IF;
    FOREACH one IN ARRAY ARRAY[source, target] LOOP
        act := link.begin_act(one);
        PERFORM link.move(one, NULL, NULL, format('act-%s/transfer', act), 'transfer', act, CASE one
            WHEN source THEN (0, -amount, 0, amount, 0, 0)::link.amounts
            ELSE (0, amount, 0, -amount, 0, 0)::link.amounts
        END);
        PERFORM link.record_act(one, act, 'transfer', NULL, recorded);
    END LOOP;
    RETURN NULL;
END
$$;

-- The jackpots' locks in one order, so that two transfers make no deadlock.
CREATE FUNCTION link.lock_jackpots(names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    FOR one IN SELECT DISTINCT name FROM unnest(names) AS name WHERE name IS NOT NULL ORDER BY name LOOP
        PERFORM pg_advisory_xact_lock(link.lock_key(one));
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION link.approve(asked bigint, what text, arguments jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    proposed link.proposal;
    m link.member;
    refusal text;
BEGIN
    PERFORM link.check_operator();
    PERFORM link.note_expired();
    SELECT * INTO proposed FROM link.proposal AS p WHERE p.number = asked AND p.approves IS NULL FOR UPDATE;
    IF proposed.number IS NULL OR proposed.what <> what OR proposed.arguments <> arguments THEN
        RETURN 'NOT_PROPOSED';
    ELSIF proposed.proposer = session_user THEN
        RETURN 'SAME_PERSON';
    ELSIF EXISTS (SELECT FROM link.proposal AS p WHERE p.approves = asked) THEN
        RETURN 'APPROVED_ALREADY';
    ELSIF EXISTS (SELECT FROM link.expiry AS e WHERE e.proposal = asked) THEN
        RETURN 'EXPIRED';
    END IF;
    PERFORM FROM link.member WHERE what = 'recover' AND jackpot_id = proposed.jackpot_id
    ORDER BY name FOR NO KEY UPDATE;
    SELECT * INTO m FROM link.member WHERE name = arguments ->> 'member' FOR NO KEY UPDATE;
    PERFORM link.lock_jackpots(
        ARRAY[proposed.jackpot_id, CASE WHEN what = 'transfer' THEN arguments ->> 'target' END]
    );
    IF what NOT IN ('recover', 'alone') AND link.is_behind(proposed.jackpot_id)
        AND NOT (what = 'join' AND m.recovering)
        AND NOT (what = 'settings' AND link.is_awaited_by_recall(proposed.jackpot_id, arguments -> 'terms'))
    THEN
        RETURN 'RECOVERING';
    END IF;
    refusal := link.do_proposal(proposed, m);
    IF refusal IS NULL THEN
        INSERT INTO link.proposal (jackpot_id, what, arguments, proposer, approver, approves)
        VALUES (proposed.jackpot_id, what, arguments, proposed.proposer, session_user, asked);
    END IF;
    RETURN refusal;
END
$$;

CREATE OR REPLACE FUNCTION link.do_proposal(proposed link.proposal, m link.member) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    recorded jsonb := proposed.arguments
        || jsonb_build_object('proposal', proposed.number, 'proposer', proposed.proposer, 'approver', session_user);
BEGIN
    RETURN CASE proposed.what
        WHEN 'correct' THEN link.do_correct(proposed.jackpot_id, recorded)
        WHEN 'transfer' THEN link.do_transfer(proposed.jackpot_id, recorded)
        WHEN 'award' THEN link.do_award(m, recorded)
        WHEN 'finish' THEN link.do_end_part(m, 'finish', recorded)
        WHEN 'cancel' THEN link.do_end_part(m, 'cancel', recorded)
        WHEN 'round-over' THEN link.do_round_over(m, recorded)
        WHEN 'join' THEN link.do_allow_join(m, recorded)
        WHEN 'rejoin' THEN link.do_rejoin(m, recorded)
        WHEN 'settings' THEN CASE
            WHEN recorded ? 'next_jackpot' THEN link.do_next_settings(proposed.jackpot_id, recorded)
            ELSE link.do_settings(proposed.jackpot_id, recorded)
        END
        WHEN 'alone' THEN link.do_alone(recorded)
        WHEN 'win' THEN link.do_win(proposed.jackpot_id, recorded)
        WHEN 'recover' THEN link.do_recover(proposed.jackpot_id, recorded)
    END;
END
$$;
