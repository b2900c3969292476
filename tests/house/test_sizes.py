"""A file has one subject, a function one thought: nothing grows past what can be read at once."""

import ast
from collections.abc import Iterator

from tests.house.sources import place, product, tree

LINES_OF_A_FILE = 600
LINES_OF_A_CLASS = 400
LINES_OF_A_FUNCTION = 45


def definitions() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in product():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield place(path, node.lineno), node


def lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_file_is_longer_than_600_lines() -> None:
    counts = {place(path): len(path.read_text("utf-8").splitlines()) for path in product()}
    assert counts, "the rooms hold no module at all"
    assert {where: n for where, n in counts.items() if n > LINES_OF_A_FILE} == {}


def test_no_class_is_longer_than_400_lines() -> None:
    classes = {
        where: lines(node) for where, node in definitions() if isinstance(node, ast.ClassDef)
    }
    assert {where: n for where, n in classes.items() if n > LINES_OF_A_CLASS} == {}


def test_no_function_is_longer_than_45_lines() -> None:
    functions = {
        where: lines(node) for where, node in definitions() if not isinstance(node, ast.ClassDef)
    }
    assert {where: n for where, n in functions.items() if n > LINES_OF_A_FUNCTION} == {}
