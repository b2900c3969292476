"""Reads new records of the ledger and sends them to the pages that may show them."""
