"""The commands of those who run the centre of a linked jackpot (docs/how-to/link.md)."""
