"""What a person reads where the database is not there."""

import pytest

from console.database.connect import DatabaseUnusable, connect_to


def test_a_host_that_nobody_knows_is_named_in_our_words() -> None:
    with pytest.raises(DatabaseUnusable) as raised, connect_to("host=-1/nowhere"):
        pass
    assert str(raised.value) == "the host '-1/nowhere' is not known here"
