"""The same hashes in MicroPython, where viper makes machine code of the same lines."""

import subprocess
from hashlib import blake2s
from random import Random

import pytest

from tests.firmware_bridge.micropython.program import ENVIRONMENT, command

HASHES = 300
DEADLINE_S = 60


def test_micropython_hashes_as_the_library_does(pytestconfig: pytest.Config) -> None:
    """Another seed at each commit; pytest prints how to repeat it."""
    chance = Random(pytestconfig.getoption("hypothesis_seed"))
    pairs = [
        (chance.randbytes(chance.randrange(33)), chance.randbytes(chance.randrange(200)))
        for _ in range(HASHES)
    ]
    pairs.append((b"\xff" * 32, b"\xff" * 128))  # every word's highest bit
    run = subprocess.run(
        command("hash_server.py"),
        input="".join(f"{key.hex() or '-'} {data.hex() or '-'}\n" for key, data in pairs),
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.split() == [blake2s(data, key=key).hexdigest() for key, data in pairs]
