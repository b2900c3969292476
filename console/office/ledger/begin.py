"""`banco ledger begin`: two people begin the ledger of a real table, once (decision 0013).

The service of a real table never makes a ledger. What is begun here is on record with both names:
the table's settings, the opening value, the second copy and the seal. No board is enrolled yet.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from console.configuration.adopted import AdoptedConfiguration, read_adopted
from console.configuration.places import ledger_in
from console.configuration.sections import Configuration, TableKind
from console.office.identity import identify, load_enrolled
from console.office.table_key import TITLES
from console.office.table_of_ledger import configuration_of
from console.rules.acts import Adopted, Begun
from console.rules.board_marks import BoardsExpected, FirstSight
from console.rules.settings import SettingsFound
from console.rules.state import TableState
from console.service.clock import wall_clock
from console.service.counterparts import NAMES, counterparts_of
from console.service.supervision.process_end import describe_failure
from console.service.table_key import head_signer_of
from console.service.table_ledger import LOCK_FILE, TableLedger
from console.service.table_service import Acts, advance_acts
from console.texts.table_texts import names_from
from jackpot.failures import Failure, KeyUnusable, LedgerCorrupt, Refused
from jackpot.ledger.lock_file import LockFile
from jackpot.money.amounts import format_cents
from jackpot.money.prize_file import write_prize

DONE, NOT_DONE, UNUSABLE = 0, 1, 2


def begin(file: Path, who: str | None, second: str | None) -> int:
    """Begin the ledger of the table with this configuration; the exit status.

    `who`, `second`: the two people's names; asked if not given.
    """
    try:
        table = read_adopted(file)
        configuration = table.in_force
        configuration_of(ledger_in(Path(configuration.ledger.folder)), file)
        _check_new(configuration)
        _check_nights(configuration)
        fingerprint = _fingerprint(configuration)
        people = load_enrolled()
        print(*_describe(configuration, fingerprint), sep="\n", flush=True)
        try:
            first = identify(people, who)
            other = identify(people, second, other_than=first)
        except Refused as error:
            print(f"{error}. Nothing was begun.", file=sys.stderr)
            return NOT_DONE
        left = begin_ledger(table, Begun(first.on_record, other.on_record))
    except (Failure, OSError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    for name in left:
        print(f"note: {name} does not have these records yet: see the log", file=sys.stderr)
    print(
        f"{first.name} and {other.name} have begun the ledger. "
        "It plays from the service's next start on."
    )
    return DONE


def begin_ledger(table: AdoptedConfiguration, act: Begun) -> list[str]:
    """Make the ledger with its first records; which counterparts have not got them.

    Raises LedgerCorrupt if a counterpart knows an earlier ledger, LedgerUnavailable.
    """
    configuration = table.in_force
    plan, folder = configuration.plan(), Path(configuration.ledger.folder)
    now, wall = time.monotonic_ns() // 1_000_000, wall_clock()
    written = SettingsFound(table.found.written, taken=True)
    boards = BoardsExpected(FirstSight.REFUSE)
    first = (act, Adopted(plan.settings()), written, boards)
    acts: Acts = [(one, now) for one in first]
    batch = advance_acts(TableState(), acts, plan.rules(None), wall)
    counterparts = counterparts_of(configuration, configuration.table)
    with closing(TableLedger(folder, counterparts=counterparts, begins=True)) as table_ledger:
        if table_ledger.open().seq:
            raise LedgerCorrupt(f"the ledger in {folder} has records, and is not begun again")
        table_ledger.commit(batch.entries)
        table_ledger.unlock()  # a service that found no ledger has locked the table
    return [NAMES[one.name] for one in table_ledger.counterparts if one.behind]


def _check_new(configuration: Configuration) -> None:
    if configuration.kind is not TableKind.PRODUCTION:
        raise Refused(f"a {configuration.kind.value} begins its ledger by itself, at its start")
    folder = Path(configuration.ledger.folder)
    if LockFile(folder / LOCK_FILE).begun:
        raise Refused(
            f"the table has begun its ledger in {folder}: it does so once "
            "(docs/reference/ledger.md)"
        )


def _check_nights(configuration: Configuration) -> None:
    if configuration.ledger.seal is None:
        return
    from jackpot.trust.signed_nights import nights_file

    nights = nights_file(Path(configuration.ledger.seal))
    if nights.exists():
        raise Refused(f"{nights} has the nights of an earlier ledger: move it away with the seal")


def _fingerprint(configuration: Configuration) -> str:
    """Of the table's key; "" without one. Raises Refused if the key cannot be used.

    A ledger whose first records nobody can sign would begin without a seal.
    """
    signer = head_signer_of(configuration)
    if signer is None:
        return ""

    try:
        return signer.public.fingerprint
    except KeyUnusable as error:
        raise Refused(
            f"{error}: first the table's key (banco key make), then its ledger"
        ) from error


def _describe(configuration: Configuration, fingerprint: str) -> Iterator[str]:
    ledger, money = configuration.ledger, configuration.money
    plan = configuration.plan()
    game, names = plan.fitted, names_from(plan.game, plan.prizes)
    yield f"Table {configuration.table}, {game.known_as}: its ledger begins in {ledger.folder}"
    if game.progressive:
        yield (
            f"token {money.token}, opening {money.opening}, base {money.base} {names.currency}; "
            f"of a token {money.to_jackpot} % to the jackpot, {money.to_reserve} % to the reserve"
        )
    for prize in names.prize_file.prizes if names.prize_file is not None else ():
        yield f"prize {write_prize(prize)}"
    if names.limit is not None:
        yield f"limit {format_cents(names.limit)} {names.currency}"
    yield f"second copy: {ledger.mirror or 'none'}; seal: {ledger.seal or 'none'}"
    key, witness = configuration.key, configuration.witness
    where = TITLES[key.store] if key is not None else "none: the table signs nothing"
    yield f"key: {where}; witness outside: {', '.join(witness.hosts) if witness else 'none'}"
    if fingerprint:
        yield f"fingerprint of the key: {fingerprint}"
