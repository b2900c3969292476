-- The roles (docs/reference/link-rules.md, 2.3). The install makes the owner, and the schema that nobody else may change.
--
-- link_member, link_poker_table, link_cash_desk, link_operator and link_reader are groups: each table, each poker table
-- of a tournament, each cash desk, each operator and each reader has a role of its own in one of them.

-- A role is made by the superuser who installs, not by the schema's owner.
RESET ROLE;

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY[
        'link_member', 'link_poker_table', 'link_cash_desk', 'link_operator', 'link_reader'
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        END IF;
    END LOOP;
END
$$;

-- An operator reads what others proposed.
GRANT link_reader TO link_operator;

-- What the primary tells of its standbys (read_copies), and of sessions that last too long (end_long_sessions).
GRANT pg_read_all_stats, pg_signal_backend TO link_owner;

-- Nobody but these comes in.
DO $$
BEGIN
    EXECUTE format(
        'GRANT CONNECT ON DATABASE %I TO link_member, link_poker_table, link_cash_desk, link_operator, link_reader',
        current_database()
    );
END
$$;

SET LOCAL ROLE link_owner;

GRANT USAGE ON SCHEMA link TO link_member, link_poker_table, link_cash_desk, link_operator, link_reader;
