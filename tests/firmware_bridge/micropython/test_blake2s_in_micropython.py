"""The same hashes in MicroPython, where viper makes machine code of the same lines."""

from hashlib import blake2s
from random import Random

import pytest

from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.micropython.program import run_program

HASHES = 300


def test_micropython_hashes_as_the_library_does(pytestconfig: pytest.Config) -> None:
    """Another seed at each commit; pytest prints how to repeat it."""
    chance = Random(pytestconfig.getoption("hypothesis_seed"))
    pairs = [
        (chance.randbytes(chance.randrange(33)), chance.randbytes(chance.randrange(200)))
        for _ in range(HASHES)
    ]
    pairs.append((b"\xff" * 32, b"\xff" * 128))  # every word's highest bit
    lines = [f"{key.hex() or '-'} {data.hex() or '-'}" for key, data in pairs]
    answers = run_program("hash_server.py", lines, DEADLINE_S)
    assert answers == [blake2s(data, key=key).hexdigest() for key, data in pairs]
