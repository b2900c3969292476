"""Makes docs/how-to/faults.md and docs/how-to/guasti.md of the catalogue: `make docs`."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from console.rules.codes import CLEARED_BY_TECHNICIAN, Fault
from console.texts.catalogue.entries import (
    Catalogue,
    CatalogueEntry,
    CodeKind,
    CodeText,
    Read,
    catalogue,
    read_toml,
)
from console.texts.language import Language, Words

PAGES: Mapping[Language, str] = {Language.EN: "how-to/faults.md", Language.IT: "how-to/guasti.md"}

_CODE = re.compile(r"`[^`]*`")


class Symptom(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """What somebody sees, what it means, and the first command to give."""

    first: str
    see: Words
    is_: Words


class Symptoms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file symptoms.toml."""

    symptom: tuple[Symptom, ...]


class PageWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"and_": "and"}):
    """The heads of a page's tables, and the words before each part of an entry."""

    symptoms: tuple[str, str, str]
    refusals: tuple[str, str, str, str, str]
    raised: str
    meanwhile: str
    do: str
    clears: str
    see: str
    and_: str


class PagesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file fault_pages.toml."""

    english: str
    italian: str
    words: Mapping[Language, PageWords]


def main(arguments: Sequence[str]) -> int:
    """Write both pages into this folder, usually `docs`."""
    (folder,) = arguments
    for language, name in PAGES.items():
        file = Path(folder) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page(language), encoding="utf-8")
    return 0


def read_beside(name: str, kind: type[Read]) -> Read:
    """The content of a file beside this one. Raises ValueError."""
    return read_toml(Path(__file__).with_name(name).read_text("utf-8"), name, kind)


def page(language: Language) -> str:
    """One page, as Markdown."""
    file = read_beside("fault_pages.toml", PagesFile)
    text = file.italian if language is Language.IT else file.english
    made = _Page(catalogue(), language, file.words[language])
    for place, part in made.parts().items():
        text = text.replace(f"@{place}@", part)
    return text.lstrip()


class _Page:
    """The parts of a page that the catalogue gives."""

    def __init__(self, catalogue: Catalogue, language: Language, words: PageWords) -> None:
        self._catalogue = catalogue
        self._language = language
        self._words = words

    def parts(self) -> dict[str, str]:
        """Each part, by its placeholder in fault_pages.toml."""
        return {
            "symptoms": self._symptoms(),
            "faults": self._chapters(CodeKind.FAULT),
            "findings": self._chapters(CodeKind.FINDING),
            "refusal table": self._refusal_table(),
            "cleared by hand": self._faults_cleared_by_hand(),
        }

    def _symptoms(self) -> str:
        read = read_beside("symptoms.toml", Symptoms)
        italian = self._language is Language.IT
        return _table(
            self._words.symptoms,
            (
                (
                    one.see.it if italian else one.see.en,
                    self._link_codes(one.is_.it if italian else one.is_.en),
                    f"`{one.first}`",
                )
                for one in read.symptom
            ),
        )

    def _refusal_table(self) -> str:
        rows = []
        for entry in self._catalogue.of(CodeKind.REFUSAL):
            text = self._text(entry)
            do = " ".join((self._link_codes(text.do), *_links(entry.see)))
            rows.append((f"`{entry.code}`", *_shorts(entry), self._link_codes(text.raised), do))
        return _table(self._words.refusals, rows)

    def _faults_cleared_by_hand(self) -> str:
        *first, last = (
            self._link(fault.value) for fault in Fault if fault in CLEARED_BY_TECHNICIAN
        )
        return f"{', '.join(first)} {self._words.and_} {last}"

    def _chapters(self, kind: CodeKind) -> str:
        return "\n".join(self._chapter(entry) for entry in self._catalogue.of(kind))

    def _chapter(self, entry: CatalogueEntry) -> str:
        """One entry: what it is and does, how it clears, and below what to check, in order.

        What a finding means is left out where it is raised in the same words.
        """
        text, words = self._text(entry), self._words
        means = [f"{text.means[:1].upper()}{text.means[1:]}."]
        if entry.kind is CodeKind.FAULT:
            means = [f"{', '.join(_shorts(entry))}: {text.means}."]
        elif text.means[1:] in text.raised:
            means = []
        labelled = (
            (words.raised, text.raised),
            (words.meanwhile, text.meanwhile),
            (words.clears, text.clears),
        )
        sentences = [
            *means,
            *(f"**{label}** {sentence}" for label, sentence in labelled if sentence),
            *((f"{words.see} {', '.join(_links(entry.see))}.",) if entry.see else ()),
        ]
        do = (f"**{words.do}** {text.do}",) if text.do else ()
        lines = (
            " ".join(sentences),
            *(f"{number}. {step}" for number, step in enumerate((*text.check, *do), 1)),
        )
        return self._link_codes("\n".join((f"### {entry.code}", *lines)), entry.code)

    def _text(self, entry: CatalogueEntry) -> CodeText:
        return entry.in_(self._language)

    def _link_codes(self, text: str, within: str = "") -> str:
        """Make a link of each code between backquotes, except the code of this chapter."""
        return _CODE.sub(lambda found: self._link(found[0].strip("`"), within), text)

    def _link(self, code: str, within: str = "") -> str:
        entry = self._catalogue.entries.get(code)
        if entry is None or entry.kind is CodeKind.REFUSAL or code == within:
            return f"`{code}`"
        return f"[`{code}`](#{code.lower()})"


def _shorts(entry: CatalogueEntry) -> tuple[str, str]:
    return f"`{entry.italian.short}`", f"`{entry.english.short}`"


def _links(chapters: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"[{_page_of(chapter)}](../{chapter})" for chapter in chapters)


def _page_of(chapter: str) -> str:
    return Path(chapter.partition("#")[0]).name


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines).replace("| --- ", "|---")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
