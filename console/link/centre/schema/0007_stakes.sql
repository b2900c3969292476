-- What a table's tokens bring in a minute (docs/reference/link-rules.md, 2.4): the room sees it, and the money counts all the same.

-- `minute_began`: when the first token of its running minute came, and `minute_stakes` those since then. `most_stakes`: the most in one
-- minute of the last day, and `most_at` when.
ALTER TABLE link.member
    ADD COLUMN minute_began timestamptz,
    ADD COLUMN minute_stakes integer NOT NULL DEFAULT 0,
    ADD COLUMN most_stakes integer NOT NULL DEFAULT 0,
    ADD COLUMN most_at timestamptz;

-- Count these stakes. Those of a list for a rejoin, and those told again after a recovery, are of other minutes.
CREATE FUNCTION link.count_minute(m link.member, stakes integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    now_at timestamptz := clock_timestamp();
BEGIN
    IF m.minute_began BETWEEN now_at - interval '1 minute' AND now_at THEN
        m.minute_stakes := m.minute_stakes + stakes;
    ELSE
        m.minute_began := now_at;
        m.minute_stakes := stakes;
    END IF;
    IF m.minute_stakes > m.most_stakes OR m.most_at < now_at - interval '1 day' THEN
        m.most_stakes := m.minute_stakes;
        m.most_at := now_at;
    END IF;
    UPDATE link.member SET
        minute_began = m.minute_began, minute_stakes = m.minute_stakes, most_stakes = m.most_stakes, most_at = m.most_at
    WHERE name = m.name;
END
$$;

CREATE OR REPLACE FUNCTION link.do_deliver(m link.member, call jsonb) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT link.fits_terms(m, call) THEN
        RETURN 'NOT_THE_TERMS';
    END IF;
    PERFORM link.count_minute(m, count(*)::integer)
    FROM jsonb_path_query(call, '$.transactions[*] ? (@.reason == "stake")');
    RETURN link.do_list(m, call);
END
$$;

-- As before, with the most tokens that it brought in one minute of the last day.
CREATE OR REPLACE FUNCTION link.describe_tables(of_jackpot text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'table', m.name, 'joined', m.joined, 'ended', m.ended, 'doubted', m.doubted, 'round', m.open_round, 'stakes', m.stakes,
        'winners', m.winners, 'heard', link.to_milliseconds(p.heard), 'phase', p.phase,
        'faults', coalesce(p.faults, '[]'), 'shown', p.shown, 'outbox', coalesce(p.outbox, 0),
        'unbooked', (
            SELECT count(*) FROM link.change AS c
            WHERE c.member = m.name AND c.jackpot_id = of_jackpot AND c.act > coalesce(p.act, 0)
        ),
        'most_tokens', CASE WHEN m.most_at > clock_timestamp() - interval '1 day' THEN m.most_stakes ELSE 0 END,
        'most_at', link.to_milliseconds(m.most_at)
    ) ORDER BY m.name), '[]')
    FROM link.member AS m LEFT JOIN link.presence AS p ON p.member = m.name
    WHERE m.jackpot_id = of_jackpot
$$;
