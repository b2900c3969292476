"""A house's PostgreSQL: schemas installed by numbered migrations, and ways to connect."""
