-- Parts in doubt (docs/reference/link-rules.md, 3.13): a recovery left their table out, and what became of them two operators say.
--
-- An award is decided as soon as one table's part is final: it was final as a whole, so the number of its winners and what
-- each gets stand. A part in doubt gets only what the final ones leave.

-- The winners of a decided award that no final part has.
CREATE FUNCTION link.count_rest(of_jackpot text, of_award bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT a.winners - coalesce(sum(w.winners), 0)
    FROM link.award AS a
    LEFT JOIN link.winner AS w ON w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state = 'final'
    WHERE a.jackpot_id = of_jackpot AND a.number = of_award
    GROUP BY a.jackpot_id, a.number
$$;

-- As the last table has told: the parts of those that were left out, by what the others know. `list_outdated_awards` says
-- whether all that told know the same.
CREATE FUNCTION link.set_left_out_parts(of_jackpot text, of_award bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    decided boolean := link.is_decided(of_jackpot, of_award);
    rest bigint := link.count_rest(of_jackpot, of_award);
    told bigint;
    agree boolean;
BEGIN
    SELECT coalesce(sum(w.winners), 0), coalesce(bool_and(w.paying = a.each * w.winners * 10000), true)
    INTO STRICT told, agree
    FROM link.winner AS w JOIN link.award AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.award
    WHERE w.jackpot_id = of_jackpot AND w.award = of_award AND w.state IN ('pending', 'agreed');
    IF NOT decided AND rest = told AND agree THEN
        PERFORM link.cancel_left_out(part, act) FROM link.winner AS part
        WHERE part.jackpot_id = of_jackpot AND part.award = of_award AND part.state = 'in-doubt';
    ELSIF rest > told THEN
        PERFORM link.give_to_left_out(of_jackpot, of_award, rest - told, act);
    END IF;
    IF decided THEN
        PERFORM link.share_rest(of_jackpot, of_award, act);
    END IF;
END
$$;

-- All that told know that it had no part any more.
CREATE FUNCTION link.cancel_left_out(part link.winner, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    returned jsonb := link.book_part(
        part, act, '/cancelled', 'award_cancelled', (0, part.paying, 0, 0, -part.paying, 0)
    );
BEGIN
    UPDATE link.winner SET state = 'cancelled', paying = 0
    WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
    part.state := 'cancelled';
    PERFORM link.record_change(part, act, returned);
END
$$;

-- So many winners must be those of tables that are left out. With one part it is its; what more than their parts had is
-- counted to one without a part, whose round was in hold if there is such a one: which it was, two operators say.
CREATE FUNCTION link.give_to_left_out(of_jackpot text, of_award bigint, theirs bigint, act bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    had bigint;
    parts integer;
    other link.member;
BEGIN
    SELECT coalesce(sum(winners), 0), count(*) INTO STRICT had, parts FROM link.winner
    WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'in-doubt';
    SELECT m.* INTO other FROM link.member AS m
    LEFT JOIN link.hold AS h ON h.jackpot_id = of_jackpot AND h.award = of_award AND h.member = m.name
    WHERE m.jackpot_id = of_jackpot AND m.left_out AND NOT EXISTS (
        SELECT FROM link.winner AS w
        WHERE w.jackpot_id = of_jackpot AND w.award = of_award AND w.member = m.name AND w.state = 'in-doubt'
    )
    ORDER BY h.member IS NULL, m.name LIMIT 1;
    IF theirs > had AND other.name IS NOT NULL THEN
        INSERT INTO link.winner (member, epoch, identity, jackpot_id, award, round, winners, state)
        VALUES (
            other.name, other.epoch, format('%s/award-%s/in-doubt-%s', other.name, of_award, act), of_jackpot, of_award,
            0, theirs - had, 'in-doubt'
        );
    ELSIF theirs > had OR parts = 1 THEN
        UPDATE link.winner SET winners = winners + theirs - had
        WHERE (member, epoch, identity) = (
            SELECT w.member, w.epoch, w.identity FROM link.winner AS w
            WHERE w.jackpot_id = of_jackpot AND w.award = of_award AND w.state = 'in-doubt' ORDER BY w.place LIMIT 1
        );
    END IF;
END
$$;

-- Divide what the final parts of a decided award leave among the others, all in doubt, as far as it goes; `first` before the
-- others.
CREATE FUNCTION link.share_rest(of_jackpot text, of_award bigint, act bigint, first text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    a link.award;
    part link.winner;
    rest bigint;
    difference bigint;
BEGIN
    SELECT * INTO STRICT a FROM link.award WHERE jackpot_id = of_jackpot AND number = of_award;
    rest := a.each * link.count_rest(of_jackpot, of_award) * 10000;
    FOR part IN
        SELECT * FROM link.winner
        WHERE jackpot_id = of_jackpot AND award = of_award AND state NOT IN ('final', 'cancelled')
        ORDER BY identity IS DISTINCT FROM first, place
    LOOP
        difference := least(a.each * part.winners * 10000, rest) - part.paying;
        part.state := 'in-doubt';
        part.paying := part.paying + difference;
        rest := rest - part.paying;
        UPDATE link.winner SET state = part.state, paying = part.paying
        WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
        IF difference <> 0 THEN
            PERFORM link.record_change(part, act, link.book_part(
                part, act, format('/divided-%s', act), 'award_raised', (0, -difference, 0, 0, difference, 0)
            ));
        END IF;
    END LOOP;
    PERFORM link.add_what_lacks(of_jackpot, act);
END
$$;

-- Whether this part of a decided award may be final, or else cancelled, by what is left.
CREATE FUNCTION link.may_become(part link.winner, final boolean) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN final THEN part.winners <= link.count_rest(part.jackpot_id, part.award)
        ELSE link.count_rest(part.jackpot_id, part.award) <= (
            SELECT coalesce(sum(w.winners), 0) FROM link.winner AS w
            WHERE w.jackpot_id = part.jackpot_id AND w.award = part.award AND w.identity <> part.identity
                AND w.state NOT IN ('final', 'cancelled')
        )
    END
$$;

-- The part of a decided award is final, or else cancelled. Its refusal, or null. The other parts in doubt follow as far as
-- they are certain by it.
CREATE FUNCTION link.decide_part(part link.winner, final boolean, cause text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    act bigint;
BEGIN
    IF NOT link.may_become(part, final) THEN
        RETURN 'AWARD_FINAL';
    END IF;
    act := link.begin_act(part.jackpot_id);
    IF final THEN
        PERFORM link.share_rest(part.jackpot_id, part.award, act, part.identity);
        PERFORM link.record_act(
            part.jackpot_id, act, 'award-divided', cause, jsonb_build_object('award', part.award)
        );
        act := link.begin_act(part.jackpot_id);
    END IF;
    PERFORM link.end_decided_part(part.jackpot_id, part.award, part.identity, act, final);
    IF NOT final THEN
        PERFORM link.share_rest(part.jackpot_id, part.award, act);
    END IF;
    PERFORM link.record_act(
        part.jackpot_id, act, CASE WHEN final THEN 'award-final' ELSE 'award-cancelled' END, cause,
        jsonb_build_object('award', part.award, 'member', part.member)
    );
    PERFORM link.settle_doubt(part.jackpot_id, part.award, cause);
    RETURN NULL;
END
$$;

-- Parts of a decided award that are not ended are final, or else cancelled; `of_identity`: this one alone.
CREATE FUNCTION link.end_decided_part(
    of_jackpot text, of_award bigint, of_identity text, act bigint, final boolean
) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    part link.winner;
BEGIN
    FOR part IN
        SELECT * FROM link.winner
        WHERE jackpot_id = of_jackpot AND award = of_award AND state NOT IN ('final', 'cancelled')
            AND identity = coalesce(of_identity, identity)
        ORDER BY place
    LOOP
        IF final THEN
            part.state := 'final';
            UPDATE link.winner SET state = 'final'
            WHERE member = part.member AND epoch = part.epoch AND identity = part.identity;
            PERFORM link.record_change(part, act, link.book_part(
                part, act, '/final', 'award_final', (0, 0, 0, 0, -part.paying, part.paying)
            ));
        ELSE
            PERFORM link.cancel_left_out(part, act);
        END IF;
    END LOOP;
END
$$;

-- Nothing is left for the parts in doubt: they were cancelled; or just what they had: they are final. Otherwise two
-- operators say it.
CREATE FUNCTION link.settle_doubt(of_jackpot text, of_award bigint, cause text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    rest bigint := link.count_rest(of_jackpot, of_award);
    doubtful bigint;
    parts integer;
    act bigint;
BEGIN
    SELECT coalesce(sum(winners), 0), count(*) INTO STRICT doubtful, parts FROM link.winner
    WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'in-doubt';
    IF parts = 0 OR NOT link.is_decided(of_jackpot, of_award) OR rest > 0 AND parts > 1 AND doubtful <> rest THEN
        RETURN;
    END IF;
    act := link.begin_act(of_jackpot);
    IF rest > 0 THEN
        UPDATE link.winner SET winners = rest
        WHERE jackpot_id = of_jackpot AND award = of_award AND state = 'in-doubt' AND parts = 1;
        PERFORM link.share_rest(of_jackpot, of_award, act);
        PERFORM link.record_act(of_jackpot, act, 'award-divided', cause, jsonb_build_object('award', of_award));
        act := link.begin_act(of_jackpot);
    END IF;
    PERFORM link.end_decided_part(of_jackpot, of_award, NULL, act, rest > 0);
    UPDATE link.award SET state = 'final' WHERE jackpot_id = of_jackpot AND number = of_award;
    PERFORM link.record_act(
        of_jackpot, act, CASE WHEN rest > 0 THEN 'award-final' ELSE 'award-cancelled' END, cause,
        jsonb_build_object('award', of_award)
    );
END
$$;
