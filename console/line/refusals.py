"""Explains the service's refusals to a person at the terminal."""

from console.line.requests import No, NoCode, Status
from console.rules.codes import Fault, Refusal
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Language
from console.texts.layout import paragraph, unquote
from console.texts.office_texts import UNREADABLE, WHY_NOT

DETAILED_BY_SERVICE = frozenset(WHY_NOT) - {NoCode.NOT_ENTERED}
"""For these codes the service's own text is shown too: which key, what value, how long."""


def render_refusal(no: No, language: Language, status: Status | None = None) -> list[str]:
    """Render a refusal: code, meaning, the service's own text, and what to do.

    `status`: the last known status, which may change what to do.
    """
    if no.code in WHY_NOT:
        meaning, advice = WHY_NOT[no.code].in_(language), ""
    else:
        entry = catalogue().find(no.code)
        text = entry.in_(language) if entry is not None else None
        meaning, advice = (text.means, unquote(text.do)) if text is not None else ("-", "")
    if no.code == Refusal.NOT_IN_SERVICE.value and status is not None:
        advice = _advise_unreadable_key(status, language) or advice
    lines = paragraph(f"{no.code}: {meaning}", after="  ")
    if no.code in DETAILED_BY_SERVICE and no.why:
        lines += paragraph(no.why, first="  ")
    return [*lines, *(paragraph(advice, first="  ") if advice not in ("", "-") else ())]


def _advise_unreadable_key(status: Status, language: Language) -> str:
    """Under KEY_FAULT turning the key to S does not help; "" without that fault."""
    if Fault.KEY_FAULT not in {present.fault for present in status.faults}:
        return ""
    contacts = [
        finding.detail
        for finding in status.findings
        if finding.code == FindingCode.KEY_CONTACTS.value
    ]
    return UNREADABLE.in_(language).format(contacts[0] if contacts else "?")
