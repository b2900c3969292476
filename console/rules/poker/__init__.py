"""The poker table: hands, streets, time, levels, decks, pots (docs/poker-rules.md)."""
