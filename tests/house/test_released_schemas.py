"""What a release has installed in a house's database stays as it is (decision 0010)."""

import hashlib

import pytest

from console.database.install import DatabaseSchema
from console.link.centre.roles import load_link_schema
from console.witness.administration import load_witness_schema

RELEASED = {
    "link": ("ac65216a37227c266a05e53b176b6eee9daba52d09c9d1eafd611b1b005e6106",),
    "witness": ("51d623bb5ad43d1c846c7c5a76381e182f3a1eee2eed42ce3003a3eee4d41d49",),
}
"""By schema: the digest of each released migration, in order; 0.1.0 has the first of each."""

SCHEMAS = {"link": load_link_schema(), "witness": load_witness_schema()}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_a_released_migration_is_never_edited(schema: DatabaseSchema) -> None:
    """A database that has it refuses another text: a change is the next migration."""
    released = RELEASED[schema.name]
    digests = [hashlib.sha256(one.text.encode()).hexdigest() for one in schema.migrations]
    assert tuple(digests[: len(released)]) == released
