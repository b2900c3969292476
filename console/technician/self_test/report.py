"""Renders the report of a self-test on 40 columns, for a slip printer."""

from console.rules.self_tested import PartTested, SelfTested
from console.texts import self_test_texts
from console.texts.language import Language, Words
from console.texts.layout.columns import wrap
from console.texts.self_test_findings import PartFinding
from console.texts.self_test_texts import TITLE, part_name, summary

COLUMNS = 40
RULE = "-" * COLUMNS

RESULTS: dict[bool | None, Words] = {
    False: self_test_texts.FAIL,
    None: self_test_texts.NOT_TRIED,
    True: self_test_texts.OK,
}
"""In the order they are printed: failed parts first."""


def render_result(part: PartTested, language: Language) -> str:
    """Render `FAIL`, `--` or `ok`."""
    return RESULTS[part.passed].in_(language)


def render_report(test: SelfTested, table: str, when: str, language: Language) -> list[str]:
    """Render the whole report; `when` is a label."""
    lines = [
        f"{TITLE.in_(language)} {table}".rstrip(),
        f"{when}  {test.who}".rstrip(),
        RULE,
        *wrap(summary(test.parts, language), COLUMNS, after="  "),
        RULE,
    ]
    for result in RESULTS:
        for part in test.parts:
            if part.passed is result:
                lines += render_part(part, language, COLUMNS)
    return [*lines, RULE]


def render_part(part: PartTested, language: Language, columns: int) -> list[str]:
    """Render a part: result and name, and the finding beside them, or below if it is too long."""
    width = max(len(words.in_(language)) for words in RESULTS.values())
    name = part_name(part.part, language)
    head = f"{render_result(part, language):{width}} {name}"
    found = PartFinding.read(part.found).in_(language)
    if not found:
        return [head]
    if len(head) + 2 + len(found) <= columns:
        return [f"{head}  {found}"]
    indent = " " * (width + 3)
    return [head, *wrap(found, columns, first=indent, after=indent)]
