"""How `banco ledger verify` says how far a ledger is signed."""

import pytest

from console.office.ledger.signed import describe_heads
from jackpot.trust.heads_on_record import HeadsReport
from jackpot.trust.signed_head import SignedHead

NIGHT = "2026-11-27T22:00:00.000+00:00"


@pytest.mark.parametrize(
    ("seq", "wall", "when"), [(0, "", "before the first record"), (7, NIGHT, NIGHT)]
)
def test_a_head_is_said_with_its_time(seq: int, wall: str, when: str) -> None:
    head = SignedHead("house/1", seq, "0" * 64, wall, 3, "key", "")
    lines = list(describe_heads(HeadsReport(1, head, (), "tpm")))
    assert lines[1] == f"the newest of record {seq}, {when}, with counter 3"
