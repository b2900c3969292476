"""The contract of the centre, a test a sentence (docs/reference/link-rules.md, 2 and 3).

The model keeps it, and PostgreSQL.
"""

import pytest

from tests.console.link.centres import AnyCentre, MakeCentre


@pytest.fixture(params=["make_model", "make_postgres"])
def make_centre(request: pytest.FixtureRequest) -> MakeCentre:
    """How a centre is made: the fixture of this name does it."""
    make: MakeCentre = request.getfixturevalue(request.param)
    return make


@pytest.fixture
def centre(make_centre: MakeCentre) -> AnyCentre:
    """A centre: 10,000.00 in the jackpot, base 5,000.00, a tie is split."""
    return make_centre()
