"""What a test takes that tries some of many places in `make test`, and all in `make thorough`."""

from collections.abc import Callable, Iterator

Numbers = Callable[[int], Iterator[int]]
"""The fixture `numbers`: `numbers(5)` gives 1, 2, 3, then every fifth; each with `--thorough`."""
