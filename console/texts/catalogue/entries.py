"""The whole catalogue: every fault, refusal and finding, and what to do about it."""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from console.rules.codes import Fault, Refusal
from console.texts.catalogue.brief import FAULTS, FINDINGS, REFUSALS, CodeBrief
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Language, Words
from jackpot.value_mistakes import describe_mistake

Read = TypeVar("Read")

LONGEST_STEP = 250
"""The most characters of a step, so that it is quick to read."""


class CodeKind(Enum):
    """The kinds of codes; the value is the name of the kind's file."""

    FAULT = "faults"
    REFUSAL = "refusals"
    FINDING = "findings"


class Remedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One code in one language, in the files of faults, refusals and findings."""

    raised: str
    check: tuple[str, ...] = ()
    meanwhile: str = ""
    do: str = ""
    clears: str = ""


class Remedies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One code in both languages. `see`: chapters of docs/, in English."""

    en: Remedy
    it: Remedy
    see: tuple[str, ...] = ()


class CodeText(Struct, frozen=True):
    """A code's texts in one language; codes, commands and files are between backquotes.

    Refusals have only `short`, `means`, `raised` and `do`.
    """

    short: str
    """On the display; "" for a finding."""
    means: str
    """In one line."""
    raised: str
    """When it appears."""
    check: tuple[str, ...]
    """What to check, in order, with commands of the technician's line."""
    meanwhile: str
    """What the table does meanwhile."""
    do: str
    """What people do; "" if nothing."""
    clears: str
    """How it clears."""


class CatalogueEntry(Struct, frozen=True):
    """A code of the catalogue. `see`: chapters of docs/: `reference/ledger.md#reading-it`."""

    code: str
    kind: CodeKind
    english: CodeText
    italian: CodeText
    see: tuple[str, ...] = ()

    def in_(self, language: Language) -> CodeText:
        """Its texts in a language."""
        return self.italian if language is Language.IT else self.english


class Catalogue(Struct, frozen=True):
    """All codes, in the order of their enums."""

    entries: Mapping[str, CatalogueEntry]

    def __iter__(self) -> Iterator[CatalogueEntry]:
        """Iterate over faults, then refusals, then findings."""
        return iter(self.entries.values())

    def fault(self, code: Fault) -> CatalogueEntry:
        """A fault's entry."""
        return self.entries[code.value]

    def refusal(self, code: Refusal) -> CatalogueEntry:
        """A refusal's entry."""
        return self.entries[code.value]

    def finding(self, code: FindingCode) -> CatalogueEntry:
        """A finding's entry."""
        return self.entries[code.value]

    def find(self, code: str) -> CatalogueEntry | None:
        """The entry of a code as typed, such as `rail_lost` or `RAIL-LOST`.

        None if there is none.
        """
        return self.entries.get(code.strip().upper().replace("-", "_").replace(" ", "_"))

    def of(self, kind: CodeKind) -> tuple[CatalogueEntry, ...]:
        """All entries of one kind."""
        return tuple(entry for entry in self if entry.kind is kind)


CODES: Mapping[CodeKind, type[Enum]] = {
    CodeKind.FAULT: Fault,
    CodeKind.REFUSAL: Refusal,
    CodeKind.FINDING: FindingCode,
}
NEEDED: Mapping[CodeKind, tuple[str, ...]] = {
    CodeKind.FAULT: ("raised", "check", "meanwhile", "clears"),
    CodeKind.REFUSAL: ("raised", "do"),
    CodeKind.FINDING: ("raised", "check", "meanwhile", "clears"),
}

SHARED = frozenset(code for code in Refusal if code.value in Fault.__members__)
"""Refusals under the code of a fault, whose entry describes both."""


@cache
def catalogue() -> Catalogue:
    """The catalogue of the installed program, read once. Raises ValueError."""
    return build({kind: own_file(f"{kind.value}.toml") for kind in CodeKind})


def own_file(name: str) -> str:
    """The text of one of the catalogue's files."""
    return (resources.files("console.texts") / "catalogue" / name).read_text(encoding="utf-8")


def build(files: Mapping[CodeKind, str]) -> Catalogue:
    """The catalogue from these files. Raises ValueError with file and code."""
    no_words = Words("", "")
    briefs: Mapping[CodeKind, Mapping[str, CodeBrief]] = {
        CodeKind.FAULT: {code.value: brief for code, brief in FAULTS.items()},
        CodeKind.REFUSAL: {code.value: brief for code, brief in REFUSALS.items()},
        CodeKind.FINDING: {code.value: CodeBrief(no_words, one) for code, one in FINDINGS.items()},
    }
    entries: dict[str, CatalogueEntry] = {}
    for kind, codes in CODES.items():
        name = f"{kind.value}.toml"
        remedies = read_toml(files[kind], name, dict[str, Remedies])
        described = [one for one in codes if kind is not CodeKind.REFUSAL or one not in SHARED]
        check_complete(remedies, described, name)
        for code in (str(member.value) for member in described):
            if code in entries:
                raise ValueError(f"{name}: {code} is the code of a {entries[code].kind.name}")
            entries[code] = _entry(code, kind, briefs[kind][code], remedies[code])
    return Catalogue(entries)


def read_toml(text: str, name: str, kind: type[Read]) -> Read:
    """The content of a file as `kind`. Raises ValueError."""
    try:
        content: Any = tomllib.loads(text)
        return msgspec.convert(content, kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{name}: {describe_mistake(error)}") from error


def check_complete(described: Collection[str], codes: Iterable[Enum], name: str) -> None:
    """Raise ValueError unless exactly these codes are described."""
    known = [code.value for code in codes]
    missing = [value for value in known if value not in described]
    if missing:
        raise ValueError(f"{name}: there is no text for {', '.join(missing)}")
    unknown = sorted(value for value in described if value not in known)
    if unknown:
        raise ValueError(f"{name}: no such code: {', '.join(unknown)}")


def _entry(code: str, kind: CodeKind, noticed: CodeBrief, remedies: Remedies) -> CatalogueEntry:
    for language, remedy in (("en", remedies.en), ("it", remedies.it)):
        _check(f"{kind.value}.toml: {code}.{language}", kind, remedy)
    if len(remedies.en.check) != len(remedies.it.check):
        raise ValueError(f"{kind.value}.toml: {code}: the languages differ in their steps")
    return CatalogueEntry(
        code,
        kind,
        _text(noticed.short.en, noticed.means.en, remedies.en),
        _text(noticed.short.it, noticed.means.it, remedies.it),
        remedies.see,
    )


def _text(short: str, means: str, remedy: Remedy) -> CodeText:
    return CodeText(
        short, means, remedy.raised, remedy.check, remedy.meanwhile, remedy.do, remedy.clears
    )


def _check(where: str, kind: CodeKind, remedy: Remedy) -> None:
    for key in NEEDED[kind]:
        if not getattr(remedy, key):
            raise ValueError(f"{where}: {key} is missing")
    for text in (remedy.raised, *remedy.check, remedy.meanwhile, remedy.do, remedy.clears):
        if text and (not text.isprintable() or text != text.strip() or text.count("`") % 2):
            raise ValueError(f"{where}: {text!r} is not one line of text")
    for step in remedy.check:
        if len(step) > LONGEST_STEP:
            raise ValueError(f"{where}: a step of {len(step)} characters: {step!r}")
