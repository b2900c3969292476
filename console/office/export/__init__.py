"""Commands that export, archive and check signed files."""
