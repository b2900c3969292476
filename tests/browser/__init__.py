"""The pages in a real browser: one is started for all tests of this folder."""
