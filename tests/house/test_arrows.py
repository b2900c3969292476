"""Arrows run down: in each folder of the product no two things import each other."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from tests.house.sources import ROOT, product, tree


def name_module(parts: tuple[str, ...]) -> str:
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def find_arrows() -> Iterator[tuple[str, str]]:
    """Each module, and each of ours that it imports."""
    modules = {
        name_module(path.relative_to(ROOT).with_suffix("").parts): path for path in product()
    }
    for name, path in modules.items():
        for module in list_imports(tree(path)):
            if module in modules:
                yield name, module


def list_imports(module: ast.Module) -> Iterator[str]:
    """What it imports, wherever in the file: modules, and names that may be modules."""
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def part_paths(one: str, other: str) -> tuple[str, str, str] | None:
    """The folder in which their paths part, and what each is there.

    None: one holds the other.
    """
    ones, others = one.split("."), other.split(".")
    for depth, (a, b) in enumerate(zip(ones, others, strict=False)):
        if a != b:
            return ".".join(ones[:depth]), a, b
    return None


def test_no_folder_has_a_circle() -> None:
    folders: dict[str, dict[str, set[str]]] = {}
    for one, other in find_arrows():
        parted = part_paths(one, other)
        if parted is not None:
            folder, importer, imported = parted
            folders.setdefault(folder, {}).setdefault(importer, set()).add(imported)
    circles = {}
    for folder, imports in folders.items():
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            circles[folder] = error.args[1]
    assert circles == {}


def test_no_module_imports_itself() -> None:
    assert [one for one, other in find_arrows() if one == other] == []
