"""Names: a function is a verb with an object, one name is one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import place, product, python_files, tree

IRREGULAR = re.compile(
    "begun|bought|bound|built|caught|chosen|dealt|done|drawn|driven|fallen|felt|forgotten"
    "|found|frozen|given|gone|grown|heard|held|hidden|hung|kept|known|laid|left|lost|made"
    "|meant|met|paid|said|seen|sent|shown|sold|spent|stuck|sunk|swept|taken|thought|told"
    "|torn|understood|won|worn|written"
)
VERBS_IN_ED = frozenset(
    {"embed", "exceed", "feed", "need", "proceed", "reseed", "seed", "shed", "speed"}
)

NO_VARIABLES = frozenset(
    {"told", "said", "fate", "visitor", "desk", "deed", "sight", "scribe", "porter"}
)
"""A value is called by what it is: report, text, status, session, act, snapshot."""

PROPERTIES = frozenset({"property", "cached_property", "setter"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def all_code() -> Iterator[Path]:
    """The product, what builds its package, and the tests' own code."""
    yield from product()
    yield from python_files("tests")
    yield from python_files("systemd")


def functions(path: Path) -> Iterator[Function]:
    """All but properties, what a thing is may be a participle, and tests, which are sentences."""
    for node in ast.walk(tree(path)):
        if isinstance(node, Function) and not node.name.startswith("test_"):
            names = {ast.unparse(one).rpartition(".")[2] for one in node.decorator_list}
            if not names & PROPERTIES:
                yield node


def is_participle(word: str) -> bool:
    return IRREGULAR.fullmatch(word) is not None or (
        word.endswith("ed") and word not in VERBS_IN_ED
    )


def variables(path: Path) -> Iterator[tuple[int, str]]:
    """Parameters, and what is assigned to: line and name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def test_no_function_is_named_by_a_participle() -> None:
    named = [
        f"{place(path, node.lineno)} {node.name}"
        for path in all_code()
        for node in functions(path)
        if is_participle(node.name.strip("_").split("_")[0])
    ]
    assert named == []


def test_no_value_is_named_by_what_was_done_with_it() -> None:
    named = [
        f"{place(path, line)} {name}"
        for path in all_code()
        for line, name in variables(path)
        if name.strip("_") in NO_VARIABLES
    ]
    assert named == []


def test_no_two_public_classes_have_one_name() -> None:
    where = defaultdict(list)
    for path in product():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].append(place(path, node.lineno))
    assert {name: places for name, places in where.items() if len(places) > 1} == {}
