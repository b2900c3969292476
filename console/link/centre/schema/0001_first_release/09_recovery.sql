-- A centre that was set back is told again what it had answered (docs/reference/link-rules.md, 3.13).
--
-- Two operators say `recover`. Each member then sends what it holds as answered, and each call, with its answer and hash,
-- and each change is booked as it was, under the numbers it had. The acts themselves are not made again: the act
-- `recover`, with a number above all, closes the chain over what is booked under the lost ones.

-- {without: members that are dead, joined: tables that joined since the backup, told: ledgers that tell for their tables}: of
-- the dead, epoch and round end, and what became of their parts is in doubt; all others are to send again, those that
-- joined among them. The act is recorded as the last one has: there its number is above all that are known.
CREATE FUNCTION link.do_recover(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM link.admit_newcomer(of_jackpot, name)
    FROM jsonb_array_elements_text(coalesce(arguments -> 'joined', '[]')) AS name;
    UPDATE link.member SET
        recovering = false, left_out = true, open_round = NULL, stakes = 0, winners = 0,
        ended = ended OR n > 0 OR name IN (SELECT w.name FROM link.newcomer AS w),
        joined = joined OR name IN (SELECT w.name FROM link.newcomer AS w)
    WHERE jackpot_id = of_jackpot AND arguments -> 'without' ? name;
    UPDATE link.winner SET state = 'in-doubt'
    WHERE jackpot_id = of_jackpot AND arguments -> 'without' ? member AND state NOT IN ('final', 'cancelled');
    UPDATE link.member SET recovering = true, awaits = NULL
    WHERE jackpot_id = of_jackpot AND NOT arguments -> 'without' ? name AND NOT ended AND (joined OR n = 0);
    UPDATE link.jackpot SET behind = false WHERE id = of_jackpot;
    IF NOT link.is_recovering(of_jackpot) THEN
        PERFORM link.end_recovery(of_jackpot, NULL, arguments);
    END IF;
    RETURN NULL;
END
$$;

-- A table that joined since the backup is let in: it sends its joining again. One that had left before, and joined again, is
-- known. It stays a newcomer until it has told: left out, it comes back by rejoin alone.
CREATE FUNCTION link.admit_newcomer(of_jackpot text, of_member text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO link.member (name, jackpot_id) VALUES (of_member, of_jackpot) ON CONFLICT DO NOTHING;
    INSERT INTO link.member_balance (member, jackpot_id) VALUES (of_member, of_jackpot) ON CONFLICT DO NOTHING;
    INSERT INTO link.newcomer (name, jackpot_id, answered)
    SELECT name, jackpot_id, 0 FROM link.member WHERE name = of_member AND NOT joined ON CONFLICT DO NOTHING;
    UPDATE link.member SET leaving = false, recovering = true, awaits = NULL WHERE name = of_member AND NOT joined;
$$;

CREATE FUNCTION link.recall(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    refusal text;
BEGIN
    PERFORM link.check_message(request);
    SELECT * INTO m FROM link.member WHERE name = session_user FOR NO KEY UPDATE;
    refusal := link.bar_session(m, request);
    IF refusal IS NOT NULL THEN
        RETURN jsonb_build_object('barred', refusal);
    ELSIF m.recovering THEN
        refusal := link.take_held(m, nullif(request -> 'held', 'null'));
    END IF;
    RETURN link.answer_held(m.name, refusal);
END
$$;

-- {member, held}: an operator tells a piece of the ledger of a table that does not come to the centre any more, since it has
-- left. Two have approved this ledger, by its last answer.
CREATE FUNCTION link.tell_for(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    held jsonb := nullif(request -> 'held', 'null');
    approved jsonb;
BEGIN
    PERFORM link.check_operator();
    PERFORM link.check_message(request);
    SELECT * INTO m FROM link.member WHERE name = request ->> 'member' FOR NO KEY UPDATE;
    SELECT details -> 'told' -> m.name INTO approved FROM link.list_unrecorded(m.jackpot_id)
    WHERE what = 'recover' AND details -> 'told' ? m.name ORDER BY number DESC LIMIT 1;
    IF NOT coalesce(m.recovering, false) OR approved IS NULL THEN
        RAISE EXCEPTION '% is not awaited, or no recover names its ledger', request ->> 'member'
            USING ERRCODE = 'invalid_parameter_value';
    ELSIF held IS NULL AND (m.n, encode(m.hash, 'hex')) IS DISTINCT FROM ((approved ->> 'n')::bigint, approved ->> 'hash') THEN
        RAISE EXCEPTION 'the ledger of % has another end than the one that was approved', m.name
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN link.answer_held(m.name, link.take_held(m, held));
END
$$;

-- A `RecallAsked` of the wire: what the member is to send again is what comes after this.
CREATE FUNCTION link.ask_to_recall(of_member text) RETURNS jsonb
LANGUAGE sql VOLATILE AS $$
    SELECT jsonb_build_object(
        'session', session,
        'after', n,
        'act', (SELECT coalesce(max(act), 0) FROM link.change WHERE member = name AND jackpot_id = m.jackpot_id)
    )
    FROM link.member AS m WHERE name = of_member
$$;

-- What is asked for next; or why the piece is not taken.
CREATE FUNCTION link.answer_held(of_member text, refusal text) RETURNS jsonb
LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN refusal IS NULL THEN link.ask_to_recall(of_member)
        WHEN refusal = 'LINK_SETTINGS' THEN (
            SELECT jsonb_build_object('barred', refusal, 'awaits', awaits) FROM link.member WHERE name = of_member
        )
        ELSE jsonb_build_object('barred', refusal)
    END
$$;

-- Book again one piece of what the member holds: a call with its answer, and changes; null: that was all. Why not, or null.
-- What is there already is not booked again, so a piece may come twice.
CREATE FUNCTION link.take_held(m link.member, held jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    refusal text;
    change record;
BEGIN
    PERFORM pg_advisory_xact_lock(link.lock_key(m.jackpot_id));
    IF held IS NULL THEN
        PERFORM link.end_recall(m);
    ELSIF held ->> 'call' IS NOT NULL THEN
        refusal := link.recall_call(m, held -> 'call', held -> 'answer');
    END IF;
    FOR change IN SELECT * FROM jsonb_to_recordset(held -> 'changes') AS c (act bigint, award jsonb, transaction jsonb, proof text)
    LOOP
        refusal := coalesce(refusal, link.recall_change(m, change.act, change.award, change.transaction, change.proof));
    END LOOP;
    PERFORM link.count_winners_anew(m);
    RETURN refusal;
END
$$;

-- Whether the centre has said so itself, it alone can tell. One who tells what it has not is left to two operators. The refusal, or null.
CREATE FUNCTION link.bar_unproved(m link.member, told text, proof text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF told = proof THEN
        RETURN NULL;
    END IF;
    UPDATE link.member SET doubted = true, forged = true WHERE name = m.name;
    RETURN 'LINK_FORKED';
END
$$;

-- Book a call that the member holds as answered. Why not, or null. One that is there must be the same.
CREATE FUNCTION link.recall_call(m link.member, call jsonb, answered jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    of_n bigint := (call ->> 'n')::bigint;
    of_act bigint := (answered ->> 'act')::bigint;
    stored jsonb := jsonb_build_object('n', of_n, 'refusal', answered -> 'refusal', 'moved', answered -> 'moved');
    unproved text := link.bar_unproved(m, link.prove_answer(m, of_n, answered ->> 'hash'), answered ->> 'proof');
    closed bigint := (SELECT max(number) FROM link.act WHERE jackpot_id = m.jackpot_id);
BEGIN
    IF unproved IS NOT NULL THEN
        RETURN unproved;
    ELSIF of_n > m.n + 1 THEN
        RETURN 'LINK_GAP';
    ELSIF of_n <= m.n AND NOT EXISTS (
        SELECT FROM link.entry AS e WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = of_n
            AND encode(e.hash, 'hex') = answered ->> 'hash'
    ) THEN
        RETURN 'LINK_FORKED';
    ELSIF of_n <= m.n THEN
        RETURN NULL;
    ELSIF of_act < closed OR of_act = closed AND (
        answered -> 'moved' <> '[]'
        OR call ->> 'call' = 'join' AND EXISTS (SELECT FROM link.newcomer AS w WHERE w.name = m.name)
    ) THEN
        RETURN 'LINK_FORKED'; -- a recovery without it has closed the chain over what it was answered
    ELSIF encode(link.hash_entry(m.hash, m.name, m.epoch, of_n, of_act, call, stored), 'hex') <> answered ->> 'hash' THEN
        RETURN 'LINK_FORKED';
    ELSIF answered ->> 'refusal' IS NULL AND call ->> 'call' = 'join' AND NOT link.are_balances(call -> 'balances') THEN
        RETURN 'LINK_FORKED';
    ELSIF answered ->> 'refusal' IS NULL AND call ->> 'call' = 'join' AND link.waits_to_join(m, call -> 'balances') THEN
        RETURN 'LINK_NOT_A_MEMBER'; -- that two operators had let it, its word alone says
    ELSIF answered ->> 'refusal' IS NULL AND call ->> 'call' = 'deliver' AND NOT link.fits_terms(m, call) THEN
        PERFORM link.let_wait(m.name, link.find_awaited_token(m, call));
        RETURN 'LINK_SETTINGS';
    END IF;
    UPDATE link.member SET awaits = NULL WHERE name = m.name AND awaits IS NOT NULL;
    IF answered ->> 'refusal' IS NULL THEN
        PERFORM link.book_call(m, call, of_act);
    END IF;
    PERFORM link.recall_movement(m.jackpot_id, moved) FROM jsonb_array_elements(answered -> 'moved') AS moved;
    PERFORM link.store_entry(m, of_act, call, stored, jsonb_build_object('seq', m.record_seq, 'hash', m.record_hash));
    UPDATE link.jackpot SET act = greatest(act, of_act) WHERE id = m.jackpot_id;
    RETURN NULL;
END
$$;

-- What the call itself did; what it did to awards is in the changes.
CREATE FUNCTION link.book_call(m link.member, call jsonb, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    CASE call ->> 'call'
        WHEN 'join' THEN
            PERFORM link.book_join(m, call, act);
            UPDATE link.member SET leaving = false WHERE name = m.name;
        WHEN 'leave' THEN
            UPDATE link.member SET joined = false, leaving = true, open_round = NULL, stakes = 0, winners = 0 WHERE name = m.name;
        WHEN 'open' THEN
            UPDATE link.member SET open_round = (call ->> 'round')::bigint, stakes = 0, winners = 0 WHERE name = m.name;
        WHEN 'close' THEN
            UPDATE link.member SET open_round = NULL, stakes = 0, winners = 0
            WHERE name = m.name AND open_round = (call ->> 'round')::bigint;
        WHEN 'deliver' THEN
            PERFORM link.book_tokens(m, call);
        ELSE
            NULL;
    END CASE;
END
$$;

-- What the centre itself moved because of a call; once.
CREATE FUNCTION link.recall_movement(of_jackpot text, moved jsonb) RETURNS void
LANGUAGE sql AS $$
    SELECT link.move(
        of_jackpot, NULL, NULL, moved ->> 'identity', moved ->> 'reason',
        substring(moved ->> 'identity' FROM 'act-([0-9]+)')::bigint, link.read_postings(moved -> 'postings')
    )
    WHERE NOT EXISTS (
        SELECT FROM link.movement
        WHERE jackpot_id = of_jackpot AND member IS NULL AND identity = moved ->> 'identity'
    )
$$;

-- Book what an act changed in the member's award, as the member has booked it; once. Why not, or null.
CREATE FUNCTION link.recall_change(m link.member, of_act bigint, award jsonb, transaction jsonb, proof text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    there link.award;
    of_number bigint := (award ->> 'number')::bigint;
    of_share integer;
    part link.winner;
    unproved text := link.bar_unproved(m, link.prove_change(m, of_act, award, transaction), proof);
BEGIN
    IF unproved IS NOT NULL THEN
        RETURN unproved;
    ELSIF EXISTS (SELECT FROM link.change AS c WHERE c.member = m.name AND c.jackpot_id = m.jackpot_id AND c.act = of_act) THEN
        RETURN NULL;
    ELSIF of_act <= (SELECT max(number) FROM link.act WHERE jackpot_id = m.jackpot_id) THEN
        RETURN 'LINK_FORKED'; -- the chain is closed over it
    END IF;
    SELECT * INTO there FROM link.award WHERE jackpot_id = m.jackpot_id AND number = of_number;
    IF there.number IS NULL THEN
        of_share := link.find_recalled_share(m.jackpot_id, award);
        IF of_share IS NULL THEN
            PERFORM link.let_wait(m.name, link.keep_award(award));
            RETURN 'LINK_SETTINGS';
        END IF;
        INSERT INTO link.award (jackpot_id, number, combination, share, reading)
        VALUES (m.jackpot_id, of_number, award ->> 'combination', of_share, (award ->> 'reading')::bigint)
        RETURNING * INTO STRICT there;
    END IF;
    UPDATE link.member SET awaits = NULL WHERE name = m.name AND awaits IS NOT NULL;
    IF (there.combination, there.reading) IS DISTINCT FROM (award ->> 'combination', (award ->> 'reading')::bigint) THEN
        RETURN 'LINK_FORKED'; -- since it was set back, the centre has used the number for another award
    END IF;
    part := link.recall_part(m, award);
    IF transaction ->> 'identity' IS NOT NULL THEN
        PERFORM link.move(
            m.jackpot_id, m.name, part.epoch, transaction ->> 'identity', transaction ->> 'reason', of_act,
            link.read_postings(transaction -> 'postings')
        );
    END IF;
    INSERT INTO link.change (member, jackpot_id, act, award, transaction)
    VALUES (m.name, m.jackpot_id, of_act, award, nullif(transaction, 'null'));
    UPDATE link.jackpot SET act = greatest(act, of_act), awards = greatest(awards, of_number) WHERE id = m.jackpot_id;
    RETURN NULL;
END
$$;

-- The member's part as the change leaves it. A cancelled one keeps the winners it had.
CREATE FUNCTION link.recall_part(m link.member, award jsonb) RETURNS link.winner
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
    of_winners integer := (award ->> 'own')::integer;
BEGIN
    SELECT * INTO part FROM link.find_part(m.name, award ->> 'identity');
    INSERT INTO link.winner AS w (member, epoch, identity, jackpot_id, award, round, winners, paying, state)
    VALUES (
        m.name, coalesce(part.epoch, m.epoch), award ->> 'identity', m.jackpot_id, (award ->> 'number')::bigint,
        substring(award ->> 'identity' FROM '/round-([0-9]+)/award-[0-9]+$')::bigint, greatest(of_winners, 1),
        (award ->> 'each')::bigint * of_winners * 10000, award ->> 'state'
    )
    ON CONFLICT ON CONSTRAINT winner_pkey DO UPDATE SET
        winners = CASE of_winners WHEN 0 THEN w.winners ELSE of_winners END,
        paying = excluded.paying, state = excluded.state
    RETURNING * INTO part;
    RETURN part;
END
$$;

-- The winners of the open round, as its parts have them.
CREATE FUNCTION link.count_winners_anew(m link.member) RETURNS void
LANGUAGE sql AS $$
    UPDATE link.member SET winners = (
        SELECT coalesce(sum(w.winners), 0) FROM link.winner AS w
        WHERE w.member = m.name AND w.epoch = m.epoch AND w.round = open_round AND w.state <> 'cancelled'
    )
    WHERE name = m.name
$$;

-- The end of a recovery.

-- The member has sent all. With the last one, the centre is recovered.
CREATE FUNCTION link.end_recall(m link.member) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link.member SET recovering = false WHERE name = m.name;
    DELETE FROM link.newcomer WHERE name = m.name;
    IF NOT link.is_recovering(m.jackpot_id) THEN
        PERFORM link.end_recovery(m.jackpot_id, m.name, NULL);
    END IF;
END
$$;

-- All members have sent: put right what is of no one member's, by the act `recover`; `after`: the last act that the
-- centre had. Then what waited for nobody any more is final. `asked`: the proposal that is approved just now.
CREATE FUNCTION link.end_recovery(of_jackpot text, cause text, asked jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    act bigint := link.begin_act(of_jackpot);
    after bigint := (SELECT coalesce(max(number), 0) FROM link.act WHERE jackpot_id = of_jackpot);
BEGIN
    PERFORM link.set_recalled_award(of_jackpot, number, act) FROM link.list_recalled_awards(of_jackpot, after) AS number;
    PERFORM link.hold_rounds_again(of_jackpot);
    PERFORM link.divide_award(of_jackpot, number, act) FROM link.list_outdated_awards(of_jackpot) AS number;
    PERFORM link.add_what_lacks(of_jackpot, act);
    PERFORM link.put_bases_right(of_jackpot, act);
    UPDATE link.member SET left_out = false WHERE jackpot_id = of_jackpot;
    PERFORM link.record_recoveries(of_jackpot, act, cause, after, asked);
    PERFORM link.settle_award(of_jackpot, number, cause), link.settle_doubt(of_jackpot, number, cause)
    FROM (SELECT number FROM link.award WHERE jackpot_id = of_jackpot ORDER BY number) AS each_award;
END
$$;

-- What two operators have said during the recovery that is under way, in order; `what`: the kind of the act.
CREATE FUNCTION link.list_unrecorded(of_jackpot text) RETURNS TABLE (number bigint, what text, details jsonb)
LANGUAGE sql STABLE AS $$
    SELECT p.number, k.kind, p.arguments || jsonb_build_object(
        'proposal', p.approves, 'proposer', p.proposer, 'approver', p.approver
    )
    FROM link.proposal AS p
    JOIN (VALUES ('recover', 'recover'), ('settings', 'settings'), ('join', 'join-allowed')) AS k (said, kind) ON k.said = p.what
    WHERE p.jackpot_id = of_jackpot AND p.approves IS NOT NULL AND NOT EXISTS (
        SELECT FROM link.act AS t WHERE t.jackpot_id = of_jackpot AND t.kind = k.kind
            AND (t.details ->> 'proposal')::bigint = p.approves
    )
    ORDER BY p.number
$$;

-- Each `recover` is an act, and so are the settings and the money to join with that the tables' calls waited for: what was said before the last table had
-- sent waited till now for its number.
CREATE FUNCTION link.record_recoveries(of_jackpot text, act bigint, cause text, after bigint, asked jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    said record;
BEGIN
    FOR said IN
        SELECT number, what, details FROM link.list_unrecorded(of_jackpot)
        UNION ALL SELECT NULL, 'recover', asked WHERE asked IS NOT NULL
        ORDER BY number NULLS LAST
    LOOP
        PERFORM link.record_act(
            of_jackpot, coalesce(act, link.begin_act(of_jackpot)), said.what, cause,
            said.details || CASE said.what
                WHEN 'recover' THEN jsonb_build_object('after', after, 'since', link.describe_since(of_jackpot, after))
                ELSE '{}'
            END
        );
        act := NULL;
    END LOOP;
END
$$;

-- A `ToldSince` (console/link/centre/status.py): who joined and left since the backup, and the awards that one table alone
-- holds, since no other was in it.
CREATE FUNCTION link.describe_since(of_jackpot text, after bigint) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'joined', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'table', v.member,
                'brought', to_jsonb((v.tray, v.jackpot, v.reserve, v.house, v.pending, v.paid)::link.amounts)
            ) ORDER BY v.act), '[]')
            FROM link.movement AS v WHERE v.jackpot_id = of_jackpot AND v.reason = 'join' AND v.act > after
        ),
        'left', (
            SELECT coalesce(jsonb_agg(e.member ORDER BY e.act), '[]')
            FROM link.entry AS e JOIN link.member AS m ON m.name = e.member
            WHERE m.jackpot_id = of_jackpot AND e.call ->> 'call' = 'leave' AND e.answer ->> 'refusal' IS NULL
                AND e.act > after
        ),
        'alone', (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'table', w.member, 'award', a.number, 'combination', a.combination, 'amount', w.paying / 10000,
                'state', w.state
            ) ORDER BY a.number), '[]')
            FROM (
                SELECT (c.award ->> 'number')::bigint AS number FROM link.change AS c
                WHERE c.jackpot_id = of_jackpot AND c.act > after
                GROUP BY 1 HAVING count(DISTINCT c.member) = 1
            ) AS changed
            JOIN link.award AS a ON a.jackpot_id = of_jackpot AND a.number = changed.number
            JOIN link.winner AS w ON w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
        )
    )
$$;

-- Awards that acts after this one changed, or in which a table is left out.
CREATE FUNCTION link.list_recalled_awards(of_jackpot text, after bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
    SELECT (c.award ->> 'number')::bigint FROM link.change AS c WHERE c.jackpot_id = of_jackpot AND c.act > after
    UNION
    SELECT w.award FROM link.winner AS w WHERE w.jackpot_id = of_jackpot AND w.state = 'in-doubt'
    ORDER BY 1
$$;

-- The award by the last change that a member holds, its state by its parts, and what the base took.
CREATE FUNCTION link.set_recalled_award(of_jackpot text, of_award bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    last jsonb;
    base link.amounts := link.find_base(of_jackpot, of_award);
BEGIN
    SELECT c.award INTO STRICT last FROM link.change AS c
    WHERE c.jackpot_id = of_jackpot AND (c.award ->> 'number')::bigint = of_award
    ORDER BY c.act DESC, c.member LIMIT 1;
    UPDATE link.award SET
        winners = (last ->> 'winners')::integer,
        each = (last ->> 'each')::bigint,
        total = (last ->> 'each')::bigint * (last ->> 'winners')::integer,
        base_from_reserve = coalesce(base_from_reserve, -base.reserve),
        base_from_house = coalesce(base_from_house, -base.house)
    WHERE jackpot_id = of_jackpot AND number = of_award;
    PERFORM link.set_left_out_parts(of_jackpot, of_award, act);
    UPDATE link.award AS a SET
        state = CASE WHEN NOT stands THEN 'cancelled' WHEN live THEN 'pending' ELSE 'final' END,
        winners = CASE WHEN stands THEN a.winners ELSE 0 END,
        each = CASE WHEN stands THEN a.each ELSE 0 END,
        total = CASE WHEN stands THEN a.total ELSE 0 END
    FROM (
        SELECT coalesce(bool_or(state <> 'cancelled'), false) AS stands,
            bool_or(state NOT IN ('final', 'cancelled')) AS live
        FROM link.winner WHERE jackpot_id = of_jackpot AND award = of_award
    ) AS parts
    WHERE a.jackpot_id = of_jackpot AND a.number = of_award;
END
$$;

-- What the award's base moved as it was last put in; null: nothing.
CREATE FUNCTION link.find_base(of_jackpot text, of_award bigint) RETURNS link.amounts
LANGUAGE sql STABLE AS $$
    SELECT (tray, jackpot, reserve, house, pending, paid)::link.amounts FROM link.movement
    WHERE jackpot_id = of_jackpot AND reason = 'reseed' AND identity LIKE format('award-%s/%%', of_award)
    ORDER BY number DESC LIMIT 1
$$;

-- Awards that another table's claim or cancel had divided, of which a table in it was not told before the centre was
-- set back; and those whose parts are others by now.
CREATE FUNCTION link.list_outdated_awards(of_jackpot text) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
    SELECT a.number FROM link.award AS a
    JOIN link.winner AS w ON w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
    WHERE a.jackpot_id = of_jackpot AND a.state = 'pending' AND NOT link.is_decided(of_jackpot, a.number)
    GROUP BY a.jackpot_id, a.number
    HAVING sum(w.winners) <> a.winners OR bool_or(w.paying <> a.each * w.winners * 10000)
    ORDER BY a.number
$$;

-- The holds anew: of each pending award that may be shared, every round that was open when it was frozen, is open yet and
-- has no part in it (3.6). A round that was opened later than the award's first act is not held.
CREATE FUNCTION link.hold_rounds_again(of_jackpot text) RETURNS void
LANGUAGE sql AS $$
    WITH held AS (
        SELECT a.number, m.name, m.open_round
        FROM link.jackpot AS j
        JOIN link.award AS a ON a.jackpot_id = j.id AND a.state = 'pending' AND NOT link.is_decided(j.id, a.number)
        JOIN link.member AS m ON m.jackpot_id = j.id AND m.open_round IS NOT NULL
        WHERE j.id = of_jackpot AND j.tie = 'split'
            AND a.share = (SELECT max(value::integer) FROM jsonb_each_text(j.prizes))
            AND NOT EXISTS (
                SELECT FROM link.winner AS w WHERE w.jackpot_id = j.id AND w.award = a.number AND w.member = m.name
                    AND w.state <> 'cancelled'
            )
            AND (
                SELECT e.act FROM link.entry AS e
                WHERE e.member = m.name AND e.epoch = m.epoch AND e.call ->> 'call' = 'open'
                    AND e.answer ->> 'refusal' IS NULL
                ORDER BY e.n DESC LIMIT 1
            ) < (
                SELECT min(c.act) FROM link.change AS c
                WHERE c.jackpot_id = j.id AND (c.award ->> 'number')::bigint = a.number
            )
    ), ended AS (
        DELETE FROM link.hold AS h WHERE h.jackpot_id = of_jackpot
            AND NOT EXISTS (SELECT FROM held WHERE held.number = h.award AND held.name = h.member)
    )
    INSERT INTO link.hold (jackpot_id, award, member, round)
    SELECT of_jackpot, number, name, open_round FROM held
    ON CONFLICT (jackpot_id, award, member) DO UPDATE SET round = excluded.round
$$;

-- The bases of awards that are whole by what was told, and of those that ended.
CREATE FUNCTION link.put_bases_right(of_jackpot text, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
BEGIN
    FOR a IN
        SELECT * FROM link.award WHERE jackpot_id = of_jackpot AND state <> 'cancelled'
            AND base_from_house IS NULL AND winners * share >= 10000 ORDER BY number
    LOOP
        PERFORM link.put_base_in(a, act);
    END LOOP;
    FOR a IN
        SELECT * FROM link.award AS b WHERE jackpot_id = of_jackpot AND state = 'cancelled'
            AND base_from_house IS NOT NULL AND NOT EXISTS (
                SELECT FROM link.movement AS v WHERE v.jackpot_id = of_jackpot AND v.reason = 'reseed_returned'
                    AND v.identity LIKE format('award-%s/%%', b.number)
            )
        ORDER BY number
    LOOP
        PERFORM link.take_base_back(a, act);
    END LOOP;
END
$$;
