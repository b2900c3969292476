-- What is only ever added to: each table's heads and admissions, and what was refused.

-- The entries of a table are numbered without a gap. A head is what the table signed. An admission is what the house
-- says: from this record on, the heads of this key. The first one begins before the first record.
CREATE TABLE witness.entry (
    table_name text CHECK (table_name <> ''),
    number bigint CHECK (number > 0),
    kind text NOT NULL CHECK (kind IN ('head', 'admission')),
    seq bigint NOT NULL CHECK (seq >= 0),
    hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    counter bigint NOT NULL CHECK (counter >= 0),
    key text NOT NULL CHECK (key ~ '^[0-9a-f]{64}$'), -- the public key's fingerprint
    wall text NOT NULL CHECK (length(wall) <= 100), -- the record's label for people
    signature text CHECK (signature ~ '^[0-9a-f]{128}$'), -- Ed25519
    reason text, -- of an admission
    by text NOT NULL DEFAULT session_user,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (table_name, number),
    CHECK ((kind = 'head') = (signature IS NOT NULL)),
    CHECK ((kind = 'admission') = (reason IS NOT NULL))
);

-- A head that was not taken, or a ledger that the table itself found to be another one.
CREATE TABLE witness.refusal (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    code text NOT NULL,
    head jsonb NOT NULL CHECK (length(head::text) <= 2000),
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What was refused within a second of another refusal to the same table is counted, and no more.
CREATE TABLE witness.refusal_count (
    table_name text PRIMARY KEY,
    not_stored bigint NOT NULL
);

CREATE FUNCTION witness.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'witness.%: what is recorded is never changed', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON witness.entry
    FOR EACH STATEMENT EXECUTE FUNCTION witness.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON witness.refusal
    FOR EACH STATEMENT EXECUTE FUNCTION witness.refuse_change();

-- Readers read all. Behind the missing rights of tables stands row security, against a mistaken GRANT.
GRANT SELECT ON witness.entry, witness.refusal, witness.refusal_count TO witness_reader;
ALTER TABLE witness.entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE witness.refusal ENABLE ROW LEVEL SECURITY;
ALTER TABLE witness.refusal_count ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_all ON witness.entry FOR SELECT TO witness_reader USING (true);
CREATE POLICY read_all ON witness.refusal FOR SELECT TO witness_reader USING (true);
CREATE POLICY read_all ON witness.refusal_count FOR SELECT TO witness_reader USING (true);
CREATE POLICY own_rows ON witness.entry FOR SELECT TO witness_table USING (table_name = session_user);
CREATE POLICY own_rows ON witness.refusal FOR SELECT TO witness_table USING (table_name = session_user);
CREATE POLICY own_rows ON witness.refusal_count FOR SELECT TO witness_table USING (table_name = session_user);
