"""The board's BLAKE2s beside the library's, which is another piece of code."""

from hashlib import blake2s

import pytest
from hypothesis import given
from hypothesis.strategies import binary, integers

from firmware_bridge.board.blake2s import LONGEST_KEY, Blake2s

ABC = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"
"""BLAKE2s-256 of `abc`: RFC 7693, appendix B."""


def test_the_example_of_the_rfc() -> None:
    assert Blake2s().digest(b"abc").hex() == ABC


@given(key=binary(max_size=LONGEST_KEY), data=binary(max_size=300))
def test_it_hashes_as_the_library_does(key: bytes, data: bytes) -> None:
    assert Blake2s(key).digest(data) == blake2s(data, key=key).digest()


@given(key=binary(max_size=LONGEST_KEY), blocks=integers(0, 4), more=integers(-1, 1))
def test_it_hashes_as_the_library_does_where_a_block_ends(
    key: bytes, blocks: int, more: int
) -> None:
    data = bytes(index % 251 for index in range(max(64 * blocks + more, 0)))
    assert Blake2s(key).digest(data) == blake2s(data, key=key).digest()


def test_one_hash_leaves_nothing_behind_for_the_next() -> None:
    keyed = Blake2s(b"key")
    first = keyed.digest(b"a")
    keyed.digest(bytes(200))
    keyed.digest(b"")
    assert keyed.digest(b"a") == first


def test_a_key_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 32 bytes, not 33"):
        Blake2s(bytes(LONGEST_KEY + 1))
