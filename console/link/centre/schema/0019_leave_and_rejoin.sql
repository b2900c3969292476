-- A table is asked to leave, and one that was forked, or whose epoch has ended, rejoins (docs/link-rules.md, 3.12 and
-- 3.14).

-- Ask a table to leave: every answer tells it so, and it does when it is paused. Raises what is wrong with it.
CREATE FUNCTION link.ask_to_leave(of_member text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    m link.member;
    act bigint;
BEGIN
    SELECT * INTO m FROM link.member WHERE name = of_member FOR NO KEY UPDATE;
    IF m.name IS NULL OR NOT m.joined OR link.is_tournament(m.jackpot_id) THEN
        RAISE EXCEPTION '% is no member', of_member USING ERRCODE = 'invalid_parameter_value';
    ELSIF m.leaving THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(link.lock_key(m.jackpot_id));
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

GRANT EXECUTE ON FUNCTION link.ask_to_leave(text) TO link_operator;
