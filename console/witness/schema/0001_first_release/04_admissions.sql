-- What the house's administrator says, and nobody else may: which key signs a table's heads, from which record on.

-- Admit a table, its new key, or a ledger that was set back on purpose: with `seq` and `hash` its record from which
-- the heads go on; without them, the newest one that is known here. The entry's number.
CREATE FUNCTION witness.admit(of_table text, key text, reason text, seq bigint, hash text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    newest witness.entry := witness.find_newest(of_table);
    entry_number bigint := coalesce(newest.number, 0) + 1;
BEGIN
    IF (admit.seq IS NULL) <> (admit.hash IS NULL) THEN
        RAISE EXCEPTION 'a record is named by its number and its hash';
    ELSIF admit.reason = '' THEN
        RAISE EXCEPTION 'an admission needs a reason';
    END IF;
    INSERT INTO witness.entry (table_name, number, kind, seq, hash, counter, key, wall, reason)
    VALUES (
        of_table, entry_number, 'admission', coalesce(admit.seq, newest.seq, 0), coalesce(admit.hash, newest.hash, repeat('0', 64)),
        0, admit.key, '', admit.reason
    );
    RETURN entry_number;
END
$$;
