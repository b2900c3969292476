"""The status of the centre as lines of text."""

from console.link.centre.proposals import Proposal
from console.link.centre.status import CentreStatus, JackpotStatus, TableStatus
from console.link.centre.tournament import TOURNAMENT
from jackpot.amounts import format_cents

NO_JACKPOT = "no jackpot has been begun: banco link jackpot NAME --config FILE"
ALONE = (
    "ALONE: synchronous_standby_names is empty. The server answers from one machine, and what it "
    "answers is lost with it"
)


def render_status(status: CentreStatus) -> list[str]:
    """The status as lines of text."""
    lines = [ALONE] if status.alone else []
    if not status.jackpots:
        return [*lines, NO_JACKPOT]
    for jackpot in status.jackpots:
        lines += _render_jackpot(jackpot)
    return lines + [_render_proposal(proposal) for proposal in status.proposals]


def _render_proposal(proposal: Proposal) -> str:
    of = proposal.text.jackpot or "the centre"
    whose = f"proposal {proposal.number} of {proposal.proposer}: {proposal.text.what.value}, {of}"
    until = proposal.expires.isoformat(timespec="minutes")
    return f"{whose}, {'expired' if proposal.expired else 'open till'} {until}"


def _render_jackpot(jackpot: JackpotStatus) -> list[str]:
    if jackpot.game == TOURNAMENT:
        return _render_tournament_jackpot(jackpot)
    lines = [
        f"jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} EUR, {jackpot.game}, "
        f"tie {jackpot.tie}"
    ]
    lines += [f"  {_render_table(table)}" for table in jackpot.tables]
    for award in jackpot.awards:
        lines.append(
            f"  award {award.number}: {award.combination} of {format_cents(award.reading)} EUR, "
            f"{award.winners} x {format_cents(award.each)} EUR, at {', '.join(award.tables)}"
        )
        if award.held:
            lines.append(f"    may still join: {', '.join(award.held)}")
        lines += [
            f"    in doubt: {table}, say what became of its part: banco link finish {table}, or "
            f"banco link cancel {table}"
            for table in award.in_doubt
        ]
    return lines


def _render_tournament_jackpot(jackpot: JackpotStatus) -> list[str]:
    names = ", ".join(one.table for one in jackpot.tables) or "none"
    return [
        f"tournament jackpot {jackpot.jackpot}: {format_cents(jackpot.amount)} EUR",
        f"  cash desks: {names}; all else: banco tournament status",
    ]


def _render_table(table: TableStatus) -> str:
    if table.ended:
        return f"{table.table}: its epoch has ended; back only by rejoin"
    if table.doubted:
        return (
            f"{table.table}: barred, call {table.n} does not fit the terms (NOT_THE_TERMS): "
            "look at it, then banco link rejoin, or correct --table"
        )
    if not table.joined and table.leaving:
        return f"{table.table}: has left"
    if table.asks:
        return f"{table.table}: asks to join with money of its own: banco link allow-join"
    if not table.joined:
        return f"{table.table}: has not joined yet"
    if table.heard is None:
        return f"{table.table}: joined, not heard yet"
    shown = "dashes" if table.shown is None else f"{format_cents(table.shown)} EUR"
    heard = table.heard.isoformat(timespec="seconds")
    parts = [f"{table.table}: {table.phase}", f"shows {shown}", f"heard {heard}", *table.faults]
    if table.round is not None:
        parts.insert(1, f"round {table.round} open with {table.stakes} stakes")
    if table.leaving:
        parts.append("is asked to leave")
    return ", ".join(parts)
