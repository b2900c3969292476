"""The table of `reading.py`, for every test here."""

from tests.console.office.ledger.reading import a_table

__all__ = ["a_table"]
