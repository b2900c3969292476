"""docs/dev/local-line.md: its examples are played, its tables are complete, its client works."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from console.line.access.login import SESSION_MS
from console.line.act_reporter import ANSWER_S
from console.line.actions import LONGEST_TEST, LONGEST_TEXT
from console.line.client import ACT_S
from console.line.handler import MOST_FRAMES, HandlerParts
from console.line.local_line import (
    GIVES_WAY_S,
    IDLE_S,
    MOST_CONNECTIONS,
    MOST_OF_ONE_USER,
    SLOW_S,
    TURN_S,
)
from console.line.requests import LONGEST_LINE, AnyAnswer, AnyRequest, NoCode, Status
from console.line.socket import LONGEST_PATH, MODE
from console.service.health.log_ring import LINES, LogRing
from tests.console.line.served_table import serve_table
from tests.house.documents import blocks, page, rows

PAGE = page("docs/dev/local-line.md")


def at_least(expected: Any, answer: Any) -> bool:
    """Whether what is told says all that is expected, and perhaps more."""
    if isinstance(expected, dict):
        return all(key in answer and at_least(one, answer[key]) for key, one in expected.items())
    return bool(expected == answer)


@pytest.mark.parametrize("example", blocks(PAGE, "line"))
def test_the_examples_go_as_they_are_told(example: str, tmp_path: Path) -> None:
    with serve_table(tmp_path, HandlerParts(log=LogRing())) as table:
        caller, run = table.rig.run(table.caller()), table.rig.run
        sent = ""
        for line in example.splitlines():
            sign, _, rest = line.partition(" ")
            match sign:
                case "->":
                    sent = rest
                    run(caller.send(rest))
                case "<-":
                    answer = run(caller.receive())
                    assert at_least(json.loads(rest), answer), f"{sent}: {answer}"
                case "--":
                    table.rig.play("wait 50ms", rest)
                case _:
                    raise AssertionError(line)


def test_there_are_examples() -> None:
    assert len(blocks(PAGE, "line")) >= 5


def first_words() -> dict[str, list[str]]:
    """The rows of all tables by the words in their first cell."""
    cells: dict[str, list[str]] = {}
    for row in rows(PAGE):
        for word in re.findall(r"[\w-]+", row[0]):
            cells.setdefault(word, []).append(" ".join(row[1:]))
    return cells


def structs(union: Any) -> Iterator[tuple[str, type[msgspec.Struct]]]:
    for struct in get_args(union):
        yield str(struct.__struct_config__.tag), struct


def test_every_request_stands_there_with_its_fields() -> None:
    cells = first_words()
    prose = PAGE
    for tag, struct in structs(AnyRequest):
        known = " ".join(cells.get(tag, [])) or prose
        for field in msgspec.structs.fields(struct):
            assert f"`{field.name}`" in (known if tag in cells else prose), f"{tag}: {field.name}"
    for tag, struct in structs(AnyAnswer):
        assert f"`{tag}`" in prose or f'"answer":"{tag}"' in prose, tag
        if struct is Status:
            assert {field.name for field in msgspec.structs.fields(struct)} <= cells.keys()


def test_every_code_stands_there() -> None:
    codes = {value for name, value in vars(NoCode).items() if name.isupper()}
    after = rows(PAGE.split("## Refused requests")[1])
    assert codes == {row[0] for row in after if row[0].isupper()}


def test_the_bounds_are_those_of_the_code() -> None:
    cells = {row[0]: row[1] for row in rows(PAGE) if len(row) == 3}
    assert cells["a line, each way"] == f"{LONGEST_LINE} bytes"
    assert cells["connections"] == f"{MOST_CONNECTIONS}, of one user {MOST_OF_ONE_USER}"
    assert f"quiet for {GIVES_WAY_S:.0f} s" in cells["one connection more"]
    assert cells["between two lines, of all connections together"] == f"{TURN_S * 1000:.0f} ms"
    assert cells["a connection without a whole request"] == f"{IDLE_S / 3600:.0f} h"
    assert cells["an answer that nobody reads"] == f"{SLOW_S:.0f} s"
    assert cells["something done"] == f"{ANSWER_S:.0f} s"
    for bound in (
        f"{LONGEST_PATH} bytes",
        f"mode {MODE:04o}",
        f"wait {ACT_S:.0f} s",
        f"at most {MOST_FRAMES}",
        f"of {LINES}",
        f"for {SESSION_MS // 60_000} minutes",
        f"at most {LONGEST_TEST}, texts of at most {LONGEST_TEXT} characters",
    ):
        assert bound in PAGE, bound


def test_the_client_on_the_page_is_answered(tmp_path: Path) -> None:
    program = page("docs/dev/ask_status.py")
    with serve_table(tmp_path) as table:
        asks = subprocess.Popen(
            [sys.executable, "-c", program, table.path], stdout=subprocess.PIPE, text=True
        )
        with asks:
            while asks.poll() is None:
                table.rig.play("wait 100ms")
            assert asks.stdout is not None
            assert asks.stdout.read() == "PAUSED 10000.00\n"
