"""All words that people read in two languages stand in console/texts."""

import ast

from tests.house.sources import ROOT, product, tree


def test_no_pair_of_words_stands_outside_texts() -> None:
    outside = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in product()
        if (ROOT / "console" / "texts") not in path.parents
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Words"
    ]
    assert outside == []
