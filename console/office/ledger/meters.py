"""`banco ledger meters`: the meters of a table's life, from its ledger."""

import json
from pathlib import Path

from console.bordereau.life import LifeMeters, read_life
from console.office.ledger.exit_status import IN_ORDER
from console.texts.language import Language
from console.texts.layout import label_text
from console.texts.record_texts import clock_of, day_of, format_amount
from console.texts.table_texts import combination_words
from console.texts.technician import money_texts
from jackpot.failures import LedgerUnavailable
from jackpot.money.accounts import Account


def print_meters(folder: Path, language: Language, *, as_json: bool) -> int:
    """Print the meters of the ledger in this folder.

    Raises LedgerUnavailable, LedgerCorrupt, UnreadableRecord.
    """
    meters = read_life(folder)
    if meters is None:
        raise LedgerUnavailable("nothing is on record yet")
    if as_json:
        print(json.dumps(meters.plain(), ensure_ascii=False, indent=2))
    else:
        print("\n".join(describe_life(meters, language)))
    return IN_ORDER


def describe_life(meters: LifeMeters, language: Language) -> list[str]:
    """The meters as lines for people: money, each prize, the last wins."""

    def amount(cents: int) -> str:
        return f"{format_amount(cents, language)} {meters.names.currency}"

    since = money_texts.SINCE_ARCHIVE if meters.begins_archived else money_texts.SINCE_THE_BEGINNING
    brought = {
        money_texts.TO_JACKPOT: Account.JACKPOT,
        money_texts.TO_RESERVE: Account.RESERVE,
        money_texts.TO_HOUSE: Account.HOUSE,
    }
    lines = [f"{meters.table}, {since.in_(language)}: {day_of(meters.since)}"]
    lines += label_text(money_texts.TOKENS.in_(language), str(meters.tokens))
    for words, account in brought.items():
        lines += label_text(words.in_(language), amount(meters.contributions[account]))
    for prize in meters.prizes:
        name = combination_words(prize.combination, language, meters.names)
        hits = money_texts.HITS.fill(prize.hits, prize.winners, amount(prize.paid))
        lines += label_text(name, hits.in_(language))
    for win in meters.wins:
        name = combination_words(win.combination, language, meters.names)
        seen = "".join(f"  {one.seat}: {one.who}" for one in win.verified)
        when = f"{day_of(win.wall)} {clock_of(win.wall)}"
        lines.append(f"{when}  {win.round:>6}  {name} x{win.winners}  {amount(win.total)}{seen}")
    return lines
