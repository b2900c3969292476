"""Habits of the house that no linter holds."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import ROOT, place, product, python_files, tree

CATCHES_ALL = {"Exception", "BaseException"}
SILENCED = re.compile(r"#\s*(type:\s*ignore|pragma:\s*no)|\b(TO[D]O|FIX[M]E)\b")


def exceptions_of(handler: ast.ExceptHandler) -> set[str]:
    """The names a handler catches; a bare one catches everything."""
    if handler.type is None:
        return {"BaseException"}
    return {ast.unparse(node) for node in ast.walk(handler.type) if isinstance(node, ast.expr)}


def handlers(files: list[Path]) -> Iterator[tuple[Path, ast.ExceptHandler]]:
    for path in files:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler):
                yield path, node


def calls(files: list[Path], name: str) -> list[str]:
    """Where it is called; a file without its last word is not even parsed."""
    word = name.rpartition(".")[2]
    return [
        place(path, node.lineno)
        for path in files
        if word in path.read_text("utf-8")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == name
    ]


def is_float(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    return isinstance(node, ast.Name) and node.id == "float"


def test_every_module_says_what_it_is_about() -> None:
    silent = [place(path) for path in product() if not ast.get_docstring(tree(path))]
    assert silent == []


def test_nothing_catches_everything() -> None:
    wide = [
        place(path, h.lineno) for path, h in handlers(product()) if exceptions_of(h) & CATCHES_ALL
    ]
    assert wide == []


def test_no_check_is_silenced_and_nothing_is_put_off() -> None:
    marks = [
        place(path, number)
        for path in product() + python_files("tests")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if SILENCED.search(line)
    ]
    assert marks == []


def test_nothing_sleeps_and_no_test_is_skipped() -> None:
    assert calls(product() + python_files("tests"), "time.sleep") == []
    assert calls(python_files("tests"), "pytest.skip") == []


def test_money_knows_no_floats() -> None:
    """Exact integers, never floats (docs/reference/rules.md, section 4)."""
    floats = [
        place(path, node.lineno)
        for path in python_files("jackpot")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.expr) and is_float(node)
    ]
    assert floats == []


ROOMS_OF_FAMILIES = (
    *("jackpot", "console/bordereau", "console/office", "console/database", "console/link/centre"),
)
"""A border that calls these catches a family (`jackpot/failures.py`), not a list."""


def test_what_a_command_can_fail_with_belongs_to_a_family() -> None:
    strays = [
        place(path, node.lineno)
        for path in python_files(*ROOMS_OF_FAMILIES)
        if path != ROOT / "jackpot" / "failures.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(parent) == "Exception" for parent in node.bases)
    ]
    assert strays == []
