"""The documents, as tests read them: links, blocks, tables, and the names of modules."""

import ast
import re
from pathlib import Path

from tests.house.sources import ROOT, tree

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """Without fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def blocks(text: str, *kinds: str) -> list[str]:
    """The fenced blocks of these kinds, in their order."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for kind, block in fenced if kind in kinds]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def rows(text: str) -> list[list[str]]:
    """The cells of every table row; code is unwrapped."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.split(r"(?<!\\)\|", line.strip("|")) for line in lines]
    return [[unwrap_code(cell.strip()) for cell in row] for row in cells]


def unwrap_code(cell: str) -> str:
    code = re.fullmatch(r"`([^`]*)`|``(.*?) ?``", cell)
    return cell if code is None else code[1] or code[2] or ""


def definitions_in(path: Path) -> set[str]:
    """The names a module defines, those of its classes as Class.name."""
    names = set()
    for node in tree(path).body:
        names |= names_of(node)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{name}" for part in node.body for name in names_of(part)}
    return names


def names_of(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    return {
        leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)
    }
