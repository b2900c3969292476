"""What a configuration may say, and where a table's things lie."""
