"""What each fault means and what to do, from the catalogue, as the page shows it."""

from functools import cache
from typing import Any

from console.texts.catalogue.entries import CatalogueEntry, CodeKind, catalogue
from console.texts.language import Language


@cache
def fault_texts() -> dict[str, Any]:
    """Every fault by its code, in both languages."""
    return {entry.code: _in_both_languages(entry) for entry in catalogue().of(CodeKind.FAULT)}


def _in_both_languages(entry: CatalogueEntry) -> dict[str, Any]:
    return {language.value: _in(entry, language) for language in Language}


def _in(entry: CatalogueEntry, language: Language) -> dict[str, Any]:
    text = entry.in_(language)
    return {
        "means": text.means,
        "check": text.check,
        "meanwhile": text.meanwhile,
        "do": text.do,
        "clears": text.clears,
    }
