"""The result of an act, in words."""

from console.line.requests import Done
from console.texts import office_texts
from console.texts.language import Language
from console.texts.layout.paragraphs import label_text
from console.texts.record_texts import decision_words
from console.texts.record_vocabulary import OUTCOMES


def result_lines(done: Done, language: Language) -> list[str]:
    """The result of an act: decisions, each account before and after, the phase."""
    decided = [*decision_words(done.decisions, language)]
    if done.outcome in OUTCOMES:
        decided.insert(0, OUTCOMES[done.outcome].in_(language))
    lines = label_text("", "; ".join(decided)) if decided else []
    for account, (before, after) in done.accounts.items():
        lines += label_text(account, f"{before} -> {after}")
    phase = office_texts.PHASE.in_(language)
    return [*lines, *(label_text(phase, done.phase) if done.phase else ())]
