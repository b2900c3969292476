-- The numbered calls of a member: one function a call, one transaction each (docs/reference/link-rules.md, 1.2, 2.7 and 3).

CREATE FUNCTION link.join(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'join');
END
$$;

CREATE FUNCTION link.leave(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'leave');
END
$$;

CREATE FUNCTION link.open(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'open');
END
$$;

CREATE FUNCTION link.deliver(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'deliver');
END
$$;

CREATE FUNCTION link.claim(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'claim');
END
$$;

CREATE FUNCTION link.agree(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'agree');
END
$$;

CREATE FUNCTION link.cancel(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'cancel');
END
$$;

CREATE FUNCTION link.close(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN link.answer_call(request, 'close');
END
$$;

-- How a call is taken: the member's row, its number, the lock, the answer.

-- Take a numbered call: n = last + 1 is done and stored; a lower one, if it is the one that is stored, gets its stored
-- answer, with today's reading; a higher one is barred. Who has left joins when it is let in again; who has joined
-- already, by what the centre has, is another card.
CREATE FUNCTION link.answer_call(request jsonb, expected text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
    m link.member;
    call jsonb := request -> 'call';
    n bigint := (call ->> 'n')::bigint;
    barred text;
    stored link.entry;
BEGIN
    PERFORM link.check_message(request);
    IF call ->> 'call' IS DISTINCT FROM expected THEN
        RAISE EXCEPTION 'link.% was called with the call %', expected, call ->> 'call';
    END IF;
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    barred := link.bar_session(m, request);
    IF barred IS NULL AND link.is_behind(m.jackpot_id) THEN
        barred := 'LINK_BEHIND';
    ELSIF barred IS NULL AND n > m.n + 1 THEN
        barred := 'LINK_GAP';
    ELSIF barred IS NULL AND n <= m.n AND NOT link.is_stored(m, call) THEN
        barred := 'LINK_FORKED';
    ELSIF barred IS NULL AND n = m.n + 1 AND NOT m.joined AND (expected <> 'join' OR m.leaving) THEN
        barred := 'LINK_NOT_A_MEMBER';
    ELSIF barred IS NULL AND n = m.n + 1 AND m.joined AND expected = 'join' THEN
        barred := 'LINK_FORKED';
    ELSIF barred IS NULL AND n = m.n + 1 AND expected = 'join' AND link.waits_to_join(m, call -> 'balances') THEN
        barred := 'LINK_NOT_A_MEMBER';
    END IF;
    IF barred IS NOT NULL THEN
        RETURN jsonb_build_object('barred', barred);
    END IF;
    IF n > m.n THEN
        PERFORM link.take_call(m, call, request -> 'head');
    ELSE
        PERFORM link.note_record(m.name, request -> 'head');
    END IF;
    SELECT * INTO STRICT stored FROM link.entry AS e
    WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (request -> 'call' ->> 'n')::bigint;
    RETURN stored.answer || jsonb_build_object(
        'hash', encode(stored.hash, 'hex'), 'act', stored.act,
        'proof', link.prove_answer(m, stored.n, encode(stored.hash, 'hex'))
    ) || link.describe_today(m, (request ->> 'act')::bigint);
END
$$;

-- Whether the call is stored, word for word.
CREATE FUNCTION link.is_stored(m link.member, of_call jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM link.entry AS e
        WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = (of_call ->> 'n')::bigint AND e.call = of_call
    );
END
$$;

-- Do the call, and store it with what of its answer stays: n, refusal, and what the centre itself moved.
CREATE FUNCTION link.take_call(m link.member, call jsonb, head jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    before bigint;
    after bigint;
    refusal text;
BEGIN
    PERFORM link.lock_jackpot(m, call);
    SELECT act INTO STRICT before FROM link.jackpot WHERE id = m.jackpot_id;
    refusal := link.do_call(m, call);
    SELECT act INTO STRICT after FROM link.jackpot WHERE id = m.jackpot_id;
    PERFORM link.store_entry(m, after, call, jsonb_build_object(
        'n', m.n + 1, 'refusal', refusal,
        'moved', CASE WHEN after > before THEN link.list_moved(m.jackpot_id, before) ELSE '[]' END
    ), head);
END
$$;

-- Lock the jackpot until the end of the transaction, which outlasts the wait for the standby. Exclusive for all that
-- moves what others hold; shared to stake, and to open and close where the member has no hold that this would end.
CREATE FUNCTION link.lock_jackpot(m link.member, call jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    key bigint := link.lock_key(m.jackpot_id);
    name text := call ->> 'call';
BEGIN
    IF name = 'open' AND m.open_round IS NULL
        OR name = 'deliver' AND NOT jsonb_path_exists(call, '$.transactions[*] ? (@.reason != "stake")')
    THEN
        PERFORM pg_advisory_xact_lock_shared(key);
    ELSIF name NOT IN ('open', 'close') OR NOT link.lock_without_hold(m.name, key) THEN
        PERFORM pg_advisory_xact_lock(key);
    END IF;
END
$$;

-- Lock it shared, if the member has no hold; then none can come. False: it has, and the lock is given back, since two
-- who hold it would wait for each other.
CREATE FUNCTION link.lock_without_hold(of_member text, key bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(key);
    IF EXISTS (SELECT FROM link.hold WHERE member = of_member) THEN
        RAISE EXCEPTION USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;

-- Whether the call says what one of its name says, and nothing beside: it is stored as it came. `rejoin` is the centre's own.
CREATE FUNCTION link.has_form(call jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(
        call - CASE call ->> 'call'
            WHEN 'join' THEN ARRAY['call', 'n', 'balances']
            WHEN 'leave' THEN ARRAY['call', 'n']
            WHEN 'open' THEN ARRAY['call', 'n', 'round']
            WHEN 'deliver' THEN ARRAY['call', 'n', 'round', 'transactions']
            WHEN 'claim' THEN ARRAY['call', 'n', 'round', 'identity', 'combination', 'winners']
            WHEN 'agree' THEN ARRAY['call', 'n', 'identity']
            WHEN 'cancel' THEN ARRAY['call', 'n', 'identity']
            WHEN 'close' THEN ARRAY['call', 'n', 'round']
            WHEN 'rejoin' THEN ARRAY['call', 'n', 'head', 'transactions']
        END = '{}'
        AND link.read_whole(call -> 'n') IS NOT NULL
        AND (NOT call ? 'round' OR link.read_whole(call -> 'round') IS NOT NULL)
        AND (NOT call ? 'combination' OR (call -> 'combination')::text ~ '^"[A-Z_]{1,40}"$'),
        false
    )
$$;

-- Do what the call says. Its refusal, or null.
CREATE FUNCTION link.do_call(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.has_form(call) THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    RETURN CASE call ->> 'call'
        WHEN 'join' THEN link.do_join(m, call)
        WHEN 'leave' THEN link.do_leave(m)
        WHEN 'open' THEN link.do_open(m, call)
        WHEN 'deliver' THEN link.do_deliver(m, call)
        WHEN 'claim' THEN link.do_claim(m, call)
        WHEN 'agree' THEN link.do_agree(m, call)
        WHEN 'cancel' THEN link.do_cancel(m, call)
        WHEN 'close' THEN link.do_close(m, call)
        WHEN 'rejoin' THEN link.do_list(m, call)
    END;
END
$$;

-- What every answer says of today: reading, changes since the act that the member has booked, who is awaited.
CREATE FUNCTION link.describe_today(m link.member, booked bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN jsonb_build_object(
        'reading', link.read_jackpot(m.jackpot_id),
        'changes', (
            SELECT coalesce(jsonb_agg(
                jsonb_build_object(
                    'act', c.act, 'award', c.award, 'transaction', c.transaction,
                    'proof', link.prove_change(m, c.act, c.award, c.transaction)
                ) ORDER BY c.act
            ), '[]')
            FROM link.change AS c
            WHERE c.member = m.name AND c.jackpot_id = m.jackpot_id AND c.act > booked
        ),
        'awaited', coalesce((
            SELECT link.count_awaited(w.jackpot_id, w.award, m.name) FROM link.winner AS w
            WHERE w.member = m.name AND w.state NOT IN ('final', 'cancelled')
            ORDER BY w.place DESC LIMIT 1
        ), 0),
        'leaving', m.leaving
    );
END
$$;

-- What a call does. Each returns its refusal, or null. The caller has locked the member's row, and the jackpot: shared for
-- open and deliver without a returned token, else exclusive.

CREATE FUNCTION link.do_join(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF NOT link.are_balances(call -> 'balances') THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.book_join(m, call, act);
    PERFORM link.add_what_lacks(m.jackpot_id, act);
    PERFORM link.record_act(m.jackpot_id, act, 'join', m.name, '{}');
    RETURN NULL;
END
$$;

CREATE FUNCTION link.book_join(m link.member, call jsonb, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    brought link.amounts := jsonb_populate_record(NULL::link.amounts, call -> 'balances');
BEGIN
    INSERT INTO link.movement (
        jackpot_id, member, epoch, identity, reason, act, tray, jackpot, reserve, house, pending, paid
    )
    VALUES (m.jackpot_id, m.name, m.epoch, format('join-%s', act), 'join', act, brought.*);
    PERFORM link.add_to_member(m.name, brought);
    UPDATE link.member SET joined = true, asked = NULL, allowed = NULL WHERE name = m.name;
END
$$;

-- Whether a table must wait to join, since it brings money and two operators have not said so (3.14). What it asks to bring
-- is kept for them to see.
CREATE FUNCTION link.waits_to_join(m link.member, balances jsonb) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.are_balances(balances) OR to_jsonb((0, 0, 0, 0, 0, 0)::link.amounts) = balances OR m.allowed = balances THEN
        RETURN false;
    END IF;
    UPDATE link.member SET asked = balances WHERE name = m.name;
    RETURN true;
END
$$;

CREATE FUNCTION link.do_leave(m link.member) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF EXISTS (SELECT FROM link.winner WHERE member = m.name AND state NOT IN ('final', 'cancelled')) THEN
        RETURN 'AWARD_PENDING';
    END IF;
    PERFORM link.end_round(m, m.name);
    act := link.begin_act(m.jackpot_id);
    UPDATE link.member SET joined = false, leaving = true WHERE name = m.name;
    PERFORM link.record_act(m.jackpot_id, act, 'leave', m.name, '{}');
    RETURN NULL;
END
$$;

CREATE FUNCTION link.do_open(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    opened bigint := link.read_whole(call -> 'round');
BEGIN
    IF opened IS NULL THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF m.open_round IS NOT NULL THEN
        PERFORM link.end_round(m, m.name);
    END IF;
    UPDATE link.member SET open_round = opened WHERE name = m.name;
    RETURN NULL;
END
$$;

CREATE FUNCTION link.do_close(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF m.open_round = link.read_whole(call -> 'round') THEN
        PERFORM link.end_round(m, m.name);
    END IF;
    RETURN NULL;
END
$$;

-- End the member's round and its holds, and settle the awards that waited for it alone.
CREATE FUNCTION link.end_round(m link.member, cause text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    waited bigint;
BEGIN
    UPDATE link.member SET open_round = NULL, stakes = 0, winners = 0 WHERE name = m.name;
    FOR waited IN
        WITH ended AS (DELETE FROM link.hold WHERE member = m.name RETURNING award)
        SELECT award FROM ended ORDER BY award
    LOOP
        PERFORM link.settle_award(m.jackpot_id, waited, cause);
    END LOOP;
END
$$;

CREATE FUNCTION link.do_deliver(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.fits_terms(m, call) THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    RETURN link.do_list(m, call);
END
$$;

-- Book the stakes and returned tokens of a delivery that fits, or of a list that two operators approved.
CREATE FUNCTION link.do_list(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    moved link.amounts := link.book_tokens(m, call);
BEGIN
    IF moved.jackpot < 0 OR moved.reserve < 0 THEN
        PERFORM link.add_for_returned_token(m);
    END IF;
    RETURN NULL;
END
$$;

-- Book stakes and returned tokens, whenever they come (3.11). What was booked, in all.
CREATE FUNCTION link.book_tokens(m link.member, call jsonb) RETURNS link.amounts
LANGUAGE plpgsql AS $$
DECLARE
    booked record;
BEGIN
    WITH fresh AS (
        INSERT INTO link.movement (
            jackpot_id, member, epoch, identity, reason, tray, jackpot, reserve, house, pending, paid
        )
        SELECT m.jackpot_id, m.name, m.epoch, t.identity, t.reason, p.*
        FROM jsonb_to_recordset(call -> 'transactions') AS t (identity text, reason text, postings jsonb)
        CROSS JOIN LATERAL link.read_postings(t.postings) AS p
        RETURNING *
    )
    SELECT
        (
            coalesce(sum(tray), 0), coalesce(sum(jackpot), 0), coalesce(sum(reserve), 0), coalesce(sum(house), 0),
            coalesce(sum(pending), 0), coalesce(sum(paid), 0)
        )::link.amounts AS moved,
        count(*) FILTER (WHERE reason = 'stake') AS stakes
    INTO booked FROM fresh;
    PERFORM link.add_to_member(m.name, booked.moved);
    IF booked.stakes > 0 THEN
        UPDATE link.member AS w SET stakes = w.stakes + booked.stakes
        WHERE w.name = m.name AND w.open_round = (call ->> 'round')::bigint;
    END IF;
    RETURN booked.moved;
END
$$;

-- What a returned token lacks in the jackpot the centre adds, by an act (2.1).
CREATE FUNCTION link.add_for_returned_token(m link.member) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF link.reckon_addition(link.sum_balances(m.jackpot_id)) IS NOT NULL THEN
        act := link.begin_act(m.jackpot_id);
        PERFORM link.add_what_lacks(m.jackpot_id, act);
        PERFORM link.record_act(m.jackpot_id, act, 'addition', m.name, '{}');
    END IF;
END
$$;
