-- The roles (docs/how-to/witness.md). The install makes the owner, and the schema that nobody else may change.
--
-- witness_table and witness_reader are groups: each table and each reader has a role of its own in one of them. A
-- table's role has the table's name, and may be in link_member, too: a linked jackpot's centre can be the witness.

-- A role is made by the superuser who installs, not by the schema's owner.
RESET ROLE;

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['witness_table', 'witness_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        END IF;
    END LOOP;
END
$$;

-- Nobody but these comes in. What a linked jackpot's roles were granted stays.
DO $$
BEGIN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO witness_table, witness_reader', current_database());
END
$$;

SET LOCAL ROLE witness_owner;

GRANT USAGE ON SCHEMA witness TO witness_table, witness_reader;
