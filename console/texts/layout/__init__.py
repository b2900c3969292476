"""Text laid out in columns and paragraphs."""
