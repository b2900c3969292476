"""A sample of the mutated inputs; `make mutated` tries 10,000."""

import json
import subprocess
import sys

import pytest


def test_mutated_inputs_are_answered_as_documented(pytestconfig: pytest.Config) -> None:
    seed = str(pytestconfig.getoption("hypothesis_seed"))
    run = [sys.executable, "-m", "tests.mutated", "--inputs", "200", "--seed", seed]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr.endswith(f"SEED={seed}\n"), done.stderr
    figures = json.loads(done.stdout)
    assert figures["wrong"] == [], done.stderr
    assert figures["tried"].keys() >= {"check", "socket", "pages", "line"}
