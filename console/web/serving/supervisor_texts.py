"""What a present fault means and what to do, as the page shows it: the catalogue's own words."""

from functools import cache
from typing import Any

from console.texts.catalogue.entries import Entry, Kind, catalogue
from console.texts.display import Language


@cache
def faults_told() -> dict[str, Any]:
    """Every fault by its code, in both languages."""
    return {entry.code: _told(entry) for entry in catalogue().of(Kind.FAULT)}


def _told(entry: Entry) -> dict[str, Any]:
    return {language.value: _in(entry, language) for language in Language}


def _in(entry: Entry, language: Language) -> dict[str, Any]:
    text = entry.in_(language)
    return {
        "means": text.means,
        "check": text.check,
        "meanwhile": text.meanwhile,
        "do": text.do,
        "clears": text.clears,
    }
