"""The report of a test of the cabinet, on 40 columns: it fits a printer's slip."""

from console.rules.acts import PartTested, SelfTested
from console.texts.language import Language, Words
from console.texts.layout.columns import wrap
from console.texts.self_test_findings import PartFinding
from console.texts.self_test_texts import part_name, summary

COLUMNS = 40
RULE = "-" * COLUMNS

RESULTS: dict[bool | None, Words] = {
    False: Words("GUASTO", "FAIL"),
    None: Words("--", "--"),
    True: Words("ok", "ok"),
}
"""In the order they are printed: what failed comes first."""

TITLE = Words("COLLAUDO", "SELF-TEST")


def result_of(part: PartTested, language: Language) -> str:
    """`FAIL`, `--` or `ok`."""
    return RESULTS[part.passed].in_(language)


def report(test: SelfTested, table: str, when: str, language: Language) -> list[str]:
    """The whole report; `when` is a label for people."""
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
                lines += part_lines(part, language, COLUMNS)
    return [*lines, RULE]


def part_lines(part: PartTested, language: Language, columns: int) -> list[str]:
    """One part: result, name, and what was found, below it where it does not fit beside."""
    width = max(len(words.in_(language)) for words in RESULTS.values())
    name = part_name(part.part, language)
    head = f"{result_of(part, language):{width}} {name}"
    found = PartFinding.read(part.found).in_(language)
    if not found:
        return [head]
    if len(head) + 2 + len(found) <= columns:
        return [f"{head}  {found}"]
    indent = " " * (width + 3)
    return [head, *wrap(found, columns, first=indent, after=indent)]
