"""The arguments of `banco`: what is wrong with them ends with status 2, in few words."""

import argparse
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from console.command_line.main import main, make_parser
from jackpot.foreign_text import LONGEST_LINE
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
)
from tests.deadlines import DEADLINE_S

Capture = pytest.CaptureFixture[str]


def banco(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [*BANCO, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        cwd=folder,
        env=ENVIRONMENT,
        check=False,
    )


def options_with_a_value() -> Iterator[tuple[str, ...]]:
    """Each command's words with one of its options."""
    below: list[tuple[tuple[str, ...], argparse.ArgumentParser]] = [((), make_parser())]
    while below:
        words, parser = below.pop()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                below += [((*words, name), one) for name, one in action.choices.items()]
            elif action.option_strings and action.nargs != 0:
                yield (*words, action.option_strings[-1])


@pytest.mark.parametrize("words", sorted(options_with_a_value()), ids=" ".join)
def test_two_hyphens_are_no_value(words: tuple[str, ...], capsys: Capture) -> None:
    *command, option = words
    with pytest.raises(SystemExit) as ended:
        main([*command, f"{option}=--"])
    assert ended.value.code == 2
    assert "expected one argument" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "usage", "right"),
    [
        ("lege", "usage: banco [-h]", "'lege'; perhaps ledger (choose from run, "),
        ("ledger shwo", "usage: banco ledger [-h]", "'shwo'; perhaps show (choose from verify, "),
        ("ledger show --formt=json x", "usage: banco ledger show", "; perhaps --format\n"),
        ("run --simm --jsn", "usage: banco run", ": --simm --jsn; perhaps --sim --json\n"),
        ("ledger show --format jsn x", "usage: banco ledger show", "; perhaps json (choose from"),
    ],
)
def test_a_mistyped_name_is_told_the_nearest(
    words: str, usage: str, right: str, capsys: Capture
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert message.startswith(usage)
    assert right in message


@pytest.mark.parametrize("words", ["wibble", "run --xyzzy", "run a b"])
def test_what_is_like_nothing_is_told_no_nearest(words: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(words.split())
    assert "perhaps" not in capsys.readouterr().err


@pytest.mark.sampled
@pytest.mark.parametrize(
    "words",
    [
        ("x" * 5_000,),
        ("check", "table.toml", *(["more"] * 2_000)),
        ("report", "--format", "p" * 5_000),
        ("ledger", "show", "--since", "9" * 5_000),
        ("ledger", "show", "--round", "9" * 5_000),
        ("ledger", "replay", "9" * 5_000),
        ("run", "--fault", "9" * 5_000),
        ("check", "f" * 5_000),
        ("play", "f" * 5_000),
        ("rake", "--house", "h" * 5_000, "100"),
        ("rake", "--house", "sanremo", "1" * 5_000),
        ("rake", "--house", "sanremo", "--players", "1" * 5_000, "100"),
        ("rake", "--house", "sanremo", "--cap", "1" * 5_000, "100"),
        ("report", "--night", "9" * 5_000, "."),
        ("report", "--rounds", "9" * 5_000, "."),
        ("report", "f" * 5_000),
        ("report", "--config", "f" * 5_000),
        ("enrol", "--list", "--file", "f" * 5_000),
        ("ledger", "verify", "f" * 5_000),
        ("ledger", "repair", "f" * 5_000),
        ("ledger", "check-export", "f" * 5_000, "--key", "f" * 5_000),
        ("key", "show", "f" * 5_000),
        ("declare", "--socket", "f" * 5_000, "round-void"),
        ("declare", "--config", "f" * 5_000, "round-void"),
        ("run", "--config", "f" * 5_000),
        ("run", "--sim", "--web", "f" * 5_000),
        ("pages", "--socket", "f" * 5_000),
        ("room", "--config", "f" * 5_000),
        ("link", "status", "--centre", "f" * 5_000),
        ("link", "approve", "9" * 5_000),
        ("witness", "audit", "f" * 5_000, "--key", "f" * 5_000),
        ("diag", "--config", "f" * 5_000),
    ],
    ids=lambda words: " ".join(word[:10] for word in words[:3]),
)
def test_a_long_word_is_not_repeated(words: tuple[str, ...], tmp_path: Path) -> None:
    done = banco(words, tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert max(map(len, done.stderr.splitlines())) < LONGEST_LINE + 10
    assert "Traceback" not in done.stderr


HOSTILE = "\x1b[31mred\x07\u202e"
"""A terminal obeys it: colour, bell, and writing from right to left."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    "words",
    [
        (HOSTILE,),
        ("check", f"{HOSTILE}.toml"),
        ("play", f"{HOSTILE}.scenario"),
        ("play", "--json", f"{HOSTILE}.scenario"),
        ("rake", "--house", HOSTILE, "100"),
        ("report", HOSTILE),
        ("ledger", "verify", HOSTILE),
        ("ledger", "show", "--kind", HOSTILE, "."),
        ("run", "--sim", "--web", HOSTILE),
        ("declare", "--socket", HOSTILE, "round-void"),
        ("link", "status", "--centre", HOSTILE),
    ],
    ids=lambda words: " ".join(words[:2]).encode("unicode_escape").decode(),
)
def test_no_word_controls_the_terminal(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / f"{HOSTILE}.scenario").write_text(f"press {HOSTILE}\x00\n")
    (tmp_path / f"{HOSTILE}.toml").write_text('kind = "\\u001b[31m"\n"\\u0000" = 1\n')
    done = banco(words, tmp_path)
    assert done.returncode == 2
    printed = done.stdout + done.stderr
    assert "\\x1b[31mred" in printed
    assert [one for one in printed if not one.isprintable() and one != "\n"] == []


SUPERSCRIPT, ARABIC = "\u00b3", "\u0663"
"""Digits to Python, not to people here; int() takes the second as 3."""


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--sim", "--fault"),
        ("ledger", "replay"),
        ("ledger", "show", ".", "--round"),
        ("ledger", "show", ".", "--limit"),
        ("link", "approve"),
        ("link", "award", "t", "--as", "a", "--and", "b", "--winners"),
        ("diag", "--baud"),
    ],
    ids=" ".join,
)
def test_a_number_is_written_in_digits(words: tuple[str, ...], capsys: Capture) -> None:
    for wrong in (SUPERSCRIPT, ARABIC, "1_0", "+3", " 3", "1e1", "9" * 23):
        with pytest.raises(SystemExit) as ended:
            main([*words, wrong])
        assert ended.value.code == 2
        message = capsys.readouterr().err
        assert "whole number" in message or "too large" in message
