"""`faults`: what is wrong with the table, what to check, and how it clears."""

from collections.abc import Sequence
from difflib import get_close_matches

from console.line.requests import Status
from console.technician.command import Command, TechnicianSession
from console.technician.table_requests import ask_status
from console.texts.catalogue.entries import CatalogueEntry, CodeKind, catalogue
from console.texts.language import Language
from console.texts.layout import label_text, number_steps, paragraph, unquote
from console.texts.record_texts import clock_of
from console.texts.technician import command_texts, status_texts
from jackpot.failures import Refused
from jackpot.foreign_text import quote

KINDS = {
    CodeKind.FAULT: status_texts.PRESENT_FAULT,
    CodeKind.REFUSAL: status_texts.REFUSAL,
    CodeKind.FINDING: status_texts.PRESENT_FINDING,
}


async def _faults(session: TechnicianSession, words: Sequence[str]) -> None:
    if words:
        entry = catalogue().find(" ".join(words))
        if entry is None:
            raise Refused(_describe_unknown(session, " ".join(words)))
        await session.talk.say(*render_entry(entry, session.language))
        return
    status = await ask_status(session)
    await session.talk.say(*render_present(status, session.language))


def render_present(status: Status, language: Language) -> list[str]:
    """Render every present fault and finding with what to check."""
    lines: list[str] = []
    for present in status.faults:
        since = clock_of(present.since)
        when = status_texts.SINCE_TIME.in_(language).format(since) if since else ""
        lines += [
            *render_entry(catalogue().fault(present.fault), language, when, present.detail),
            "",
        ]
    for finding in status.findings:
        entry = catalogue().find(finding.code)
        where = f"{finding.where} ({finding.detail})" if finding.detail else finding.where
        if entry is None:  # a service of a later version
            lines += [f"{finding.code}  {where}", ""]
        else:
            lines += [*render_entry(entry, language, where), ""]
    if not lines:
        return [status_texts.NO_FAULTS_NO_FINDINGS.in_(language)]
    return lines[:-1]


def render_entry(entry: CatalogueEntry, language: Language, *present: str) -> list[str]:
    """Render an entry of the catalogue; `present`: since when, where, a detail."""
    text = entry.in_(language)
    title = f"{entry.code}  {KINDS[entry.kind].in_(language)}"
    about = "  ".join([title, *(what for what in present if what)])
    lines = [*paragraph(about), *paragraph(unquote(text.means), first="  ")]
    if text.short:
        lines += paragraph(text.short, first="  display: ")
    if text.check:
        lines.append(status_texts.CHECK.in_(language))
        lines += number_steps(unquote(step) for step in text.check)
    for words, content in (
        (status_texts.RAISED, text.raised),
        (status_texts.MEANWHILE, text.meanwhile),
        (status_texts.DO, text.do),
        (status_texts.CLEARS, text.clears),
    ):
        lines += label_text(words.in_(language), unquote(content)) if content else []
    return lines


def _describe_unknown(session: TechnicianSession, code: str) -> str:
    known = [entry.code for entry in catalogue()]
    near = get_close_matches(code.upper(), known, n=3, cutoff=0.4)
    unknown = session.words(status_texts.NO_CODE.fill(quote(code)))
    return f"{unknown}: {' '.join(near)}?" if near else unknown


def _complete_code(words: Sequence[str], status: Status | None) -> Sequence[str]:
    """Complete the codes present; all codes if there are none."""
    if words:
        return ()
    present = [fault.fault.value for fault in status.faults] if status is not None else []
    present += [finding.code for finding in status.findings] if status is not None else []
    return sorted(set(present)) or [entry.code for entry in catalogue()]


COMMANDS = (
    Command(
        names=("faults", "guasti"),
        texts=command_texts.FAULTS,
        example="faults RAIL_LOST",
        run=_faults,
        complete=_complete_code,
    ),
)
