-- When PostgreSQL vacuums and analyzes by itself what each call writes. After either, each session plans anew what reads the table: 1,000
-- tables at once, for four seconds, each minute by PostgreSQL's own settings, which count 250 changes of 1,000 rows as many.

-- One row a member or a jackpot, found by its key: no statistics of them matter, and the updates themselves clear what is dead in a page.
ALTER TABLE link.member SET (autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.member_balance SET (autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.presence SET (fillfactor = 30, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.jackpot SET (fillfactor = 10, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);

-- Only ever added to: ten minutes of 1,000 tables.
ALTER TABLE link.entry SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
ALTER TABLE link.movement SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
ALTER TABLE link.act SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
