"""The poker table: hands, streets, time, levels, decks, pots (docs/reference/poker-rules.md)."""
