"""The witness outside: a table's signed heads in a database of the house."""
