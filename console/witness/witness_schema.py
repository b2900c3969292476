"""The schema of the witness outside (docs/how-to/witness.md)."""

from console.database.install import DatabaseSchema, load_schema


def load_witness_schema() -> DatabaseSchema:
    """The schema `witness`, with all its migrations."""
    return load_schema("witness", "witness_owner", "console.witness")
