-- Who may do what (docs/reference/link-rules.md, 2.3): a member calls its functions and nothing else; readers read.

GRANT EXECUTE ON FUNCTION
    link.hello(jsonb), link.beat(jsonb), link.join(jsonb), link.leave(jsonb), link.open(jsonb), link.deliver(jsonb),
    link.claim(jsonb), link.agree(jsonb), link.cancel(jsonb), link.close(jsonb), link.recall(jsonb)
TO link_member;

GRANT EXECUTE ON FUNCTION link.clock(jsonb) TO link_poker_table;

GRANT EXECUTE ON FUNCTION
    link.fee(jsonb), link.level(jsonb), link.day(jsonb), link.read_tournaments()
TO link_cash_desk;

-- An operator is a reader, too, to know what is proposed.
GRANT EXECUTE ON FUNCTION
    link.propose(text, text, jsonb), link.approve(bigint, text, jsonb), link.ask_to_leave(text), link.tell_for(jsonb)
TO link_operator;

-- The audit reckons each act's hash anew (write_act).
GRANT EXECUTE ON FUNCTION
    link.read_room(), link.read_copies(), link.read_tournaments(), link.note_expired(),
    link.write_act(text, bigint, text, text, jsonb)
TO link_reader;

-- Readers read every table. Behind the missing rights of the others stands row security, against a mistaken GRANT. For
-- the tables that have none yet.
CREATE FUNCTION link.secure_tables() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.relname AS name, a.attname AS owner
        FROM pg_class AS c
        LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND NOT a.attisdropped
            AND a.attname = CASE c.relname WHEN 'member' THEN 'name' ELSE 'member' END
        WHERE c.relnamespace = 'link'::regnamespace AND c.relkind = 'r' AND NOT c.relrowsecurity
    LOOP
        EXECUTE format('GRANT SELECT ON link.%I TO link_reader', found.name);
        EXECUTE format('ALTER TABLE link.%I ENABLE ROW LEVEL SECURITY', found.name);
        EXECUTE format('CREATE POLICY read_all ON link.%I FOR SELECT TO link_reader USING (true)', found.name);
        IF found.owner IS NOT NULL THEN
            EXECUTE format(
                'CREATE POLICY own_rows ON link.%I FOR SELECT TO link_member USING (%I = session_user)',
                found.name, found.owner
            );
        END IF;
    END LOOP;
END
$$;

SELECT link.secure_tables();
