-- The roles, and the schema that nobody but its owner may change (docs/witness.md).
--
-- witness_table and witness_reader are groups: each table and each reader has a role of its own in one of them. A
-- table's role has the table's name, and may be in link_member, too: a linked jackpot's centre can be the witness.

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['witness_owner', 'witness_table', 'witness_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        END IF;
    END LOOP;
END
$$;

CREATE SCHEMA witness AUTHORIZATION witness_owner;
GRANT USAGE ON SCHEMA witness TO witness_table, witness_reader;

-- A function is nobody's but the owner's until it is granted.
ALTER DEFAULT PRIVILEGES FOR ROLE witness_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- Nobody but these comes in. What a linked jackpot's roles were granted stays.
DO $$
BEGIN
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO witness_table, witness_reader', current_database());
END
$$;
