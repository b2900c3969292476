"""The night's bordereau: its figures from the record alone, as text, JSON and PDF (section 11)."""
