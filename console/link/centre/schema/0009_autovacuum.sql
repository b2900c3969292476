-- When PostgreSQL vacuums and analyzes by itself what each call writes. After either, every session plans anew what reads the table. By
-- PostgreSQL's own settings (250 changes of 1,000 rows) that came each minute, and 1,000 tables waited for up to four seconds.

-- One row for each member or jackpot, found by its key: statistics do not matter, and the updates themselves clear a page of dead rows.
ALTER TABLE link.member SET (autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.member_balance SET (autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.presence SET (fillfactor = 30, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);
ALTER TABLE link.jackpot SET (fillfactor = 10, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 1000000);

-- Rows are only added: 1,000 tables bring so many movements in a quarter of an hour.
ALTER TABLE link.entry SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
ALTER TABLE link.movement SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
ALTER TABLE link.act SET (autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_threshold = 100000);
