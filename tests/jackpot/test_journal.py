"""The bytes that are chained are those of docs/reference/ledger.md, whoever encodes them."""

import json
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from jackpot.ledger.journal import (
    JSON,
    JournalRow,
    Movement,
    body_text,
    hash_record,
    money_text,
    movement_text,
    movements_in,
)

text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode

words = st.text(st.characters(codec="utf-8"), max_size=20)
whole = st.integers(-(2**63), 2**63 - 1)
bodies: st.SearchStrategy[dict[str, JSON]] = st.dictionaries(
    words,
    st.recursive(
        st.none() | st.booleans() | whole | words,
        lambda inner: st.lists(inner) | st.dictionaries(words, inner),
        max_leaves=12,
    ),
    max_size=4,
)
"""As large as it takes to find an order or a blank that is wrong; larger ones cost seconds."""
movements = st.builds(
    Movement, words, words, st.lists(st.tuples(words, whole), max_size=2).map(tuple)
)


@given(bodies)
def test_a_body_is_sorted_json_without_blanks(body: dict[str, JSON]) -> None:
    assert body_text(body) == text(body)


@given(words, words, st.lists(movements, max_size=2))
def test_a_record_is_chained_as_the_page_says(kind: str, body: str, moved: list[Movement]) -> None:
    row = JournalRow(7, 2, kind, 3, 1_000, "2026-03-01T21:00:00", 1, body)
    previous = bytes(range(32))
    money = money_text([movement_text(movement) for movement in moved])
    assert (
        hash_record(previous, row, money) == sha256(previous + text([row, moved]).encode()).digest()
    )
    assert (money or "[]") == text(moved)
    assert movements_in(money) == tuple(moved)
