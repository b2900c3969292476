-- What needs two people: one operator proposes, another approves, each with a role of their own (docs/reference/link-rules.md, 2,
-- 3.7 to 3.12). A refused approval changes nothing, and the proposal stays.

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

SELECT link.make_append_only(ARRAY['proposal', 'expiry']);

-- Asked of each operator's act first. A role that may no longer log in decides nothing in a session that is still open.
CREATE FUNCTION link.check_operator() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM link.check_isolation();
    IF NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = session_user) THEN
        RAISE EXCEPTION '% may not log in any more', session_user USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;

-- Ask for it; the proposal's number. Raises what is wrong with it.
CREATE FUNCTION link.propose(of_jackpot text, what text, arguments jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    objection text;
    asked bigint;
BEGIN
    PERFORM link.check_operator();
    IF pg_column_size(arguments) > 4194304 THEN
        RAISE EXCEPTION 'a proposal of more than 4 MiB is not read' USING ERRCODE = 'program_limit_exceeded';
    END IF;
    objection := link.object_to_arguments(of_jackpot, what, arguments);
    IF objection IS NOT NULL THEN
        RAISE EXCEPTION '%', objection USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM link.note_expired();
    INSERT INTO link.proposal (jackpot_id, what, arguments, proposer)
    VALUES (of_jackpot, what, arguments, session_user)
    RETURNING number INTO asked;
    RETURN asked;
END
$$;

-- Whether no ledger can have booked this act, or ended this epoch: beyond it the jackpot's next acts would have no number.
CREATE FUNCTION link.is_far_ahead(of_jackpot text, act numeric, epoch numeric) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT act NOT BETWEEN 0 AND (SELECT j.act FROM link.jackpot AS j WHERE j.id = of_jackpot) + 1000000000
        OR epoch NOT BETWEEN 1 AND 1000000000
$$;

-- Why these arguments are not right for it, or null.
CREATE FUNCTION link.object_to_arguments(of_jackpot text, what text, arguments jsonb) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN keys IS NULL THEN format('%s is not proposed', what)
        WHEN (what = 'alone') <> (of_jackpot IS NULL) THEN format('%s is of %s', what, CASE what
            WHEN 'alone' THEN 'the whole centre' ELSE 'one jackpot' END)
        WHEN NOT arguments ?& keys THEN format('%s needs %s', what, array_to_string(keys, ', '))
        WHEN what = 'win' AND NOT link.is_tournament(of_jackpot) THEN format('%s is no tournament jackpot', of_jackpot)
        WHEN what = 'win' AND arguments ->> 'level' NOT IN ('1', '2') THEN 'level: 1 or 2, in which the hand was dealt'
        WHEN what NOT IN ('win', 'correct') AND link.is_tournament(of_jackpot)
            THEN format('%s is not for a tournament jackpot', what)
        WHEN (keys[1] = 'member' OR arguments ? 'member') AND NOT EXISTS (
            SELECT FROM link.member WHERE jackpot_id = of_jackpot AND name = arguments ->> 'member'
        ) THEN format('%s is no member of %s', arguments ->> 'member', of_jackpot)
        WHEN what = 'recover' AND EXISTS (SELECT FROM link.jackpot WHERE id = of_jackpot AND game = 'tournament')
            THEN 'recover: cash desks hold no answers; they tell again what is missing'
        WHEN what = 'recover' AND (
            jsonb_typeof(arguments -> 'without') <> 'array' OR EXISTS (
                SELECT FROM jsonb_array_elements_text(arguments -> 'without') AS dead (name)
                WHERE name NOT IN (SELECT m.name FROM link.member AS m WHERE m.jackpot_id = of_jackpot)
                    AND NOT coalesce(arguments -> 'joined' ? name, false)
            )
        ) THEN format('without: a list of members of %s', of_jackpot)
        WHEN what = 'recover' AND EXISTS (
            SELECT FROM jsonb_array_elements_text(coalesce(arguments -> 'joined', '[]')) AS newcomer (name)
            JOIN link.member AS m ON m.name = newcomer.name
            WHERE m.jackpot_id <> of_jackpot
        ) THEN format('joined: a list of tables that joined %s, and no other jackpot', of_jackpot)
        WHEN what = 'rejoin' AND link.is_far_ahead(of_jackpot, (arguments ->> 'act')::numeric, (arguments ->> 'epoch')::numeric)
            THEN 'act, epoch: of a ledger of this jackpot'
        WHEN what = 'correct' AND (arguments ->> 'amount')::bigint <= 0 THEN 'amount: more than 0'
        WHEN what = 'correct' AND NOT (
            '["tray", "jackpot", "reserve", "house"]' @> jsonb_build_array(arguments -> 'source', arguments -> 'target')
            AND arguments ->> 'source' <> arguments ->> 'target'
        ) THEN 'source, target: two of tray, jackpot, reserve, house'
        WHEN what = 'correct' AND length(trim(arguments ->> 'reason')) < 10 THEN 'reason: 10 characters or more'
    END
    FROM (
        SELECT CASE what
            WHEN 'correct' THEN ARRAY['source', 'target', 'amount', 'reason']
            WHEN 'award' THEN ARRAY['member', 'round', 'identity', 'combination', 'winners']
            WHEN 'finish' THEN ARRAY['member', 'identity']
            WHEN 'cancel' THEN ARRAY['member', 'identity']
            WHEN 'round-over' THEN ARRAY['member']
            WHEN 'join' THEN ARRAY['member', 'balances']
            WHEN 'rejoin' THEN ARRAY['member', 'epoch', 'head', 'transactions', 'handled', 'known', 'act']
            WHEN 'settings' THEN ARRAY['terms', 'base', 'tie']
            WHEN 'alone' THEN ARRAY['standbys']
            WHEN 'win' THEN ARRAY['day', 'tournament', 'ticket', 'level']
            WHEN 'recover' THEN ARRAY['without']
        END AS keys
    ) AS needed
$$;

-- Whoever asks, approves or looks has seen by the clock which proposals are over.
CREATE FUNCTION link.note_expired() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT pg_is_in_recovery() THEN
        INSERT INTO link.expiry (proposal)
        SELECT number FROM link.proposal AS p
        WHERE p.approves IS NULL AND p.expires < clock_timestamp()
            AND NOT EXISTS (SELECT FROM link.proposal AS a WHERE a.approves = p.number)
        ON CONFLICT DO NOTHING;
    END IF;
END
$$;

-- Do what was proposed. Null: it is done; else why not, and nothing has changed. Only the proposal that the approver has
-- read is approved: `what` and `arguments` are it again.
CREATE FUNCTION link.approve(asked bigint, what text, arguments jsonb) RETURNS text
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
    PERFORM pg_advisory_xact_lock(link.lock_key(proposed.jackpot_id));
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

CREATE FUNCTION link.do_proposal(proposed link.proposal, m link.member) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    recorded jsonb := proposed.arguments
        || jsonb_build_object('proposal', proposed.number, 'proposer', proposed.proposer, 'approver', session_user);
BEGIN
    RETURN CASE proposed.what
        WHEN 'correct' THEN link.do_correct(proposed.jackpot_id, recorded)
        WHEN 'award' THEN link.do_award(m, recorded)
        WHEN 'finish' THEN link.do_end_part(m, 'finish', recorded)
        WHEN 'cancel' THEN link.do_end_part(m, 'cancel', recorded)
        WHEN 'round-over' THEN link.do_round_over(m, recorded)
        WHEN 'join' THEN link.do_allow_join(m, recorded)
        WHEN 'rejoin' THEN link.do_rejoin(m, recorded)
        WHEN 'settings' THEN link.do_settings(proposed.jackpot_id, recorded)
        WHEN 'alone' THEN link.do_alone(recorded)
        WHEN 'win' THEN link.do_win(proposed.jackpot_id, recorded)
        WHEN 'recover' THEN link.do_recover(proposed.jackpot_id, recorded)
    END;
END
$$;

-- What is done. Each returns its refusal, or null. The caller holds the lock of the member's row and the jackpot's
-- exclusive one.

-- {source, target, amount in 1/10,000 of a cent, reason}: money from one account of the centre's to another (3.9).
-- `member`, too, if it is what that table sent outside the terms that they have looked at: it is believed again.
CREATE FUNCTION link.do_correct(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    amount bigint := (arguments ->> 'amount')::bigint;
    source text := arguments ->> 'source';
    there link.amounts := link.sum_balances(of_jackpot);
    moved link.amounts := link.read_postings(jsonb_build_array(
        jsonb_build_object('account', arguments ->> 'source', 'amount', -amount),
        jsonb_build_object('account', arguments ->> 'target', 'amount', amount)
    ));
    act bigint;
BEGIN
    IF source = 'jackpot' AND link.has_staked_round(of_jackpot) THEN
        RETURN 'ROUNDS_OPEN';
    ELSIF there.jackpot + moved.jackpot < 0 OR there.reserve + moved.reserve < 0 THEN
        RETURN 'NOT_COVERED';
    END IF;
    act := link.begin_act(of_jackpot);
    PERFORM link.move(of_jackpot, NULL, NULL, format('act-%s/correction', act), 'correction', act, moved);
    PERFORM link.record_act(of_jackpot, act, 'correction', NULL, arguments);
    UPDATE link.member SET doubted = false, forged = false WHERE jackpot_id = of_jackpot AND name = arguments ->> 'member';
    RETURN NULL;
END
$$;

CREATE FUNCTION link.has_staked_round(of_jackpot text) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM link.member WHERE jackpot_id = of_jackpot AND open_round IS NOT NULL AND stakes > 0)
$$;

-- {member, round, identity, combination, winners}: an award for a claim of a round that was ended meanwhile (3.11), by the
-- name that its table gives it. It is final at once, and nobody joins it.
CREATE FUNCTION link.do_award(m link.member, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
    part link.winner;
    of_round bigint := (arguments ->> 'round')::bigint;
    claimed integer := (arguments ->> 'winners')::integer;
    used bigint;
BEGIN
    IF NOT link.is_own_award(m, arguments ->> 'identity', of_round::text) THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF EXISTS (SELECT FROM link.find_part(m.name, arguments ->> 'identity')) THEN
        RETURN 'AWARD_FINAL';
    ELSIF m.open_round = of_round THEN
        RETURN 'ROUNDS_OPEN'; -- the table can claim it yet
    END IF;
    SELECT coalesce(sum(w.winners), 0) INTO used FROM link.winner AS w
    WHERE w.member = m.name AND w.round = of_round AND w.state <> 'cancelled';
    IF used + claimed > link.count_stakes(m.name, of_round) THEN
        RETURN 'NOBODY_ELIGIBLE';
    END IF;
    act := link.begin_act(m.jackpot_id);
    INSERT INTO link.winner (member, epoch, identity, jackpot_id, award, round, winners)
    VALUES (
        m.name, m.epoch, arguments ->> 'identity', m.jackpot_id,
        link.begin_award(m.jackpot_id, arguments ->> 'combination'), of_round, claimed
    )
    RETURNING * INTO part;
    PERFORM link.divide_award(m.jackpot_id, part.award, act, m.name);
    PERFORM link.record_act(m.jackpot_id, act, 'award', NULL, arguments || jsonb_build_object('award', part.award));
    PERFORM link.agree_part(part, NULL);
    RETURN NULL;
END
$$;

-- The stakes that a member's round ever had, by what it delivered; of two rounds of that number, before a rejoin and after
-- it, those of the later one.
CREATE FUNCTION link.count_stakes(of_member text, of_round bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        SELECT count(*) FROM link.entry AS e, jsonb_array_elements(e.call -> 'transactions') AS token
        WHERE e.member = of_member AND e.call ->> 'call' = 'deliver' AND e.answer ->> 'refusal' IS NULL
            AND (e.call ->> 'round')::bigint = of_round AND token ->> 'reason' = 'stake'
        GROUP BY e.epoch
        ORDER BY e.epoch DESC
        LIMIT 1
    ), 0)
$$;

-- {member, identity}: a dead table's part is agreed, or cancelled; its round and its epoch end (3.10). What the other
-- tables were told of it before cannot be said otherwise.
CREATE FUNCTION link.do_end_part(m link.member, what text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
    act bigint;
BEGIN
    SELECT * INTO part FROM link.find_part(m.name, arguments ->> 'identity');
    IF part.state IS NULL OR part.state IN ('final', 'cancelled') THEN
        RETURN 'AWARD_FINAL';
    ELSIF link.is_decided(part.jackpot_id, part.award) AND NOT link.may_become(part, what = 'finish') THEN
        RETURN 'AWARD_FINAL';
    END IF;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.record_act(m.jackpot_id, act, what, NULL, arguments);
    UPDATE link.member SET ended = true WHERE name = m.name;
    PERFORM link.end_round(m, NULL);
    IF link.is_decided(part.jackpot_id, part.award) THEN
        PERFORM link.decide_part(part, what = 'finish', NULL);
    ELSIF what = 'cancel' THEN
        PERFORM link.cancel_part(part, NULL, NULL);
    ELSIF part.state <> 'agreed' THEN
        PERFORM link.agree_part(part, NULL);
    END IF;
    RETURN NULL;
END
$$;

-- {member, round}: that round is over; they have looked at the table (3.7). Without `round`, the one that is open.
CREATE FUNCTION link.do_round_over(m link.member, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF arguments ? 'round' AND m.open_round IS DISTINCT FROM (arguments ->> 'round')::bigint THEN
        RETURN 'ROUND_CLOSED';
    END IF;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.record_act(
        m.jackpot_id, act, 'round-over', NULL, arguments || jsonb_build_object('round', m.open_round)
    );
    PERFORM link.end_round(m, NULL);
    RETURN NULL;
END
$$;

-- {terms, base in cents, tie}: what all tables have in common (3.9). A table with other terms is barred. Rounds and awards of
-- tables whose calls wait for just these terms do not hinder it (3.13). While tables tell again what was answered, it is
-- recorded with the act `recover`: till then its number may be that of a lost act.
CREATE FUNCTION link.do_settings(of_jackpot text, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    terms jsonb := arguments -> 'terms';
BEGIN
    IF link.is_recovering(of_jackpot) THEN
        NULL;
    ELSIF EXISTS (
        SELECT FROM link.member AS m
        WHERE m.jackpot_id = of_jackpot AND m.open_round IS NOT NULL AND NOT link.meets_wait(m.awaits, terms)
    ) THEN
        RETURN 'ROUNDS_OPEN';
    ELSIF EXISTS (
        SELECT FROM link.winner AS w JOIN link.member AS m ON m.name = w.member
        WHERE w.jackpot_id = of_jackpot AND w.state NOT IN ('final', 'cancelled')
            AND NOT link.meets_wait(m.awaits, terms)
    ) THEN
        RETURN 'AWARD_PENDING';
    ELSE
        PERFORM link.record_act(of_jackpot, link.begin_act(of_jackpot), 'settings', NULL, arguments);
    END IF;
    UPDATE link.jackpot SET
        game = terms ->> 'game', token = (terms ->> 'token')::bigint, to_jackpot = (terms ->> 'to_jackpot')::integer,
        to_reserve = (terms ->> 'to_reserve')::integer, prizes = terms -> 'prizes',
        base = (arguments ->> 'base')::bigint, tie = arguments ->> 'tie', version = version + 1
    WHERE id = of_jackpot;
    RETURN NULL;
END
$$;

-- {standbys}: what the server's synchronous_standby_names is to be, '' to answer from one machine (5.2). On record as
-- an act of every jackpot, but of one that is behind: there a new act would take the number of a lost one. The
-- operators' command changes the server.
CREATE FUNCTION link.do_alone(arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    one text;
BEGIN
    FOR one IN SELECT id FROM link.jackpot ORDER BY id LOOP
        PERFORM pg_advisory_xact_lock(link.lock_key(one));
        CONTINUE WHEN link.is_behind(one);
        PERFORM link.record_act(one, link.begin_act(one), 'alone', NULL, arguments);
    END LOOP;
    RETURN NULL;
END
$$;

-- {member, balances}: it may join with these balances, which it has asked for. While tables tell again what was answered, it is
-- recorded with the act `recover` (3.13).
CREATE FUNCTION link.do_allow_join(m link.member, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF m.asked IS DISTINCT FROM arguments -> 'balances' THEN
        RETURN 'LIST_OUTDATED';
    ELSIF NOT link.is_recovering(m.jackpot_id) THEN
        PERFORM link.record_act(m.jackpot_id, link.begin_act(m.jackpot_id), 'join-allowed', NULL, arguments);
    END IF;
    UPDATE link.member SET asked = NULL, allowed = arguments -> 'balances' WHERE name = m.name;
    RETURN NULL;
END
$$;

-- A table is asked to leave, and one that was forked, or whose epoch has ended, rejoins (3.12 and 3.14).

-- Ask a table to leave: every answer tells it so, and it does when it is paused. Raises what is wrong with it.
CREATE FUNCTION link.ask_to_leave(of_member text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    act bigint;
BEGIN
    PERFORM link.check_operator();
    SELECT * INTO m FROM link.member WHERE name = of_member FOR NO KEY UPDATE;
    IF m.name IS NULL OR NOT m.joined OR link.is_tournament(m.jackpot_id) THEN
        RAISE EXCEPTION '% is no member', of_member USING ERRCODE = 'invalid_parameter_value';
    ELSIF m.leaving THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(link.lock_key(m.jackpot_id));
    IF link.is_behind(m.jackpot_id) THEN -- a new act would take the number of a lost one
        RAISE EXCEPTION 'the centre was set back: ask % when it is recovered', m.name
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE link.member SET leaving = true WHERE name = m.name;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.record_act(
        m.jackpot_id, act, 'leave-asked', NULL, jsonb_build_object('member', m.name, 'operator', session_user)
    );
END
$$;

-- A `KnownMember` (console/link/rejoin_list.py).
CREATE FUNCTION link.describe_known(m link.member) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'n', m.n, 'hash', encode(m.hash, 'hex'),
        'record', CASE WHEN m.record_seq IS NOT NULL THEN
            jsonb_build_object('seq', m.record_seq, 'hash', m.record_hash) END
    )
$$;

-- {member, epoch, head, transactions, handled, known, act}: a new epoch for the table with this ledger, whose last record is `head`.
-- Its first entry is what of the ledger the centre lacked. The awards stand as they are; one that is pending is
-- finished or cancelled before. `epoch`: the one that ends; a later one than the centre's if the centre was set back to
-- before an earlier rejoin. `known`: what the centre had of the member as the list was made; what has come since may be in
-- the list, too, and would be booked twice. A table that has left, and was let in again with an older card, has joined by it.
-- `act`: the last one that the ledger has booked. A recovery without it may not have heard of it: new acts have later numbers.
CREATE FUNCTION link.do_rejoin(m link.member, arguments jsonb) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF NOT m.joined AND (m.leaving OR m.n = 0) THEN
        RETURN 'NOT_JOINED';
    ELSIF m.epoch > (arguments ->> 'epoch')::integer THEN
        RETURN 'EPOCH_ENDED';
    ELSIF link.describe_known(m) <> arguments -> 'known' THEN
        RETURN 'LIST_OUTDATED';
    ELSIF NOT link.fits_list(m, arguments -> 'transactions') THEN
        RETURN 'NOT_THE_TERMS';
    ELSIF EXISTS (SELECT FROM link.winner WHERE member = m.name AND state NOT IN ('final', 'cancelled')) THEN
        RETURN 'AWARD_PENDING';
    END IF;
    UPDATE link.jackpot SET act = greatest(jackpot.act, (arguments ->> 'act')::bigint) WHERE id = m.jackpot_id;
    act := link.begin_act(m.jackpot_id);
    PERFORM link.record_act(m.jackpot_id, act, 'rejoin', NULL, arguments);
    PERFORM link.end_round(m, NULL);
    UPDATE link.member SET
        epoch = (arguments ->> 'epoch')::integer + 1, n = 0, session = session + 1, ended = false, joined = true,
        doubted = false, forged = false,
        record_seq = (arguments -> 'head' ->> 'seq')::bigint, record_hash = arguments -> 'head' ->> 'hash'
    WHERE name = m.name
    RETURNING * INTO STRICT m;
    DELETE FROM link.newcomer WHERE name = m.name;
    PERFORM link.take_call(m, jsonb_build_object(
        'call', 'rejoin', 'n', 1, 'head', arguments -> 'head', 'transactions', arguments -> 'transactions'
    ), arguments -> 'head');
    RETURN NULL;
END
$$;

-- What the table is told that comes with its ledger: a `Rejoined` of the wire. `round`: the last one that it opened; of
-- what fits no terms nothing counts.
CREATE FUNCTION link.describe_rejoin(m link.member) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'epoch', m.epoch,
        'n', 1,
        'hash', (SELECT encode(e.hash, 'hex') FROM link.entry AS e WHERE e.member = m.name AND e.epoch = m.epoch AND e.n = 1),
        'round', (
            SELECT coalesce(max((e.call ->> 'round')::bigint), 0) FROM link.entry AS e
            WHERE e.member = m.name AND e.call ->> 'call' = 'open' AND e.answer ->> 'refusal' IS NULL
        ),
        'handled', (
            SELECT p.arguments -> 'handled' FROM link.proposal AS p
            WHERE p.what = 'rejoin' AND p.approves IS NOT NULL AND p.arguments ->> 'member' = m.name
            ORDER BY p.number DESC LIMIT 1
        )
    )
$$;
