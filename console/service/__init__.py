"""The running table: it takes acts, has them written, and shows what is written."""
