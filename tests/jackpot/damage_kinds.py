"""The kinds of damage that are tried by `corruptions`, and how often each of them is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from tests.jackpot import damaged_files, damaged_rows
from tests.jackpot.damaged_files import Draw
from tests.jackpot.damaged_rows import RowEditor, with_hand
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import SEAL, SoundLedger

ByChance = Callable[[SoundLedger, Random], Folder]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of damaging, and how often it is tried.

    `locks`: nothing of it may be harmless. `forged`: what is left agrees with itself and with what
    it is held against, so that no start can lock; it is only counted who sees it.
    """

    damage: Callable[[SoundLedger, Draw], Folder]
    times: int
    locks: bool = False
    forged: bool = False


def by_hand(do: Callable[[RowEditor], None]) -> ByChance:
    """Damage that is done to the tables."""
    return lambda sound, random: with_hand(sound, random, do)


def without_seal(damage: ByChance) -> ByChance:
    """The same, and the seal is taken away."""

    def damage_without_seal(sound: SoundLedger, random: Random) -> Folder:
        folder = damage(sound, random)
        return {name: content for name, content in folder.items() if name != SEAL}

    return damage_without_seal


FILES: Mapping[str, Kind] = {
    "a bit in the database": Kind(damaged_files.bit_in_database, 2_100),
    "a bit in the database's structure": Kind(damaged_files.bit_in_structure, 1_200),
    "a bit in the log": Kind(damaged_files.bit_in_log, 1_200),
    "a block zeroed in the database": Kind(damaged_files.zero_in_database, 600),
    "a block zeroed in the log": Kind(damaged_files.zero_in_log, 600),
    "a block garbled in the database": Kind(damaged_files.garble_in_database, 600),
    "a block garbled in the log": Kind(damaged_files.garble_in_log, 600),
    "a block of elsewhere in the database": Kind(damaged_files.block_of_elsewhere, 600),
    "every page copied onto every other": Kind(damaged_files.page_over_page, 266),
    "the database truncated": Kind(damaged_files.truncate_database, 600),
    "the log truncated": Kind(damaged_files.truncate_log, 600),
    "the database with more at its end": Kind(damaged_files.grow_database, 60),
    "files gone or emptied": Kind(damaged_files.file_gone, 12),
    "an old database": Kind(damaged_files.old_database, 240),
    "an old log": Kind(damaged_files.old_log, 240),
    "an old ledger": Kind(damaged_files.all_old, 120, locks=True),
    "the lock of a locked table": Kind(damaged_files.lock_damaged, 300, locks=True),
    "the lock of an open table": Kind(damaged_files.lock_of_open_table_damaged, 300),
    "the seal": Kind(damaged_files.seal_damaged, 240),
}
ROWS: Mapping[str, Kind] = {
    "a record edited": Kind(by_hand(damaged_rows.edit_record), 300, locks=True),
    "a record edited, its hash fits": Kind(
        by_hand(damaged_rows.edit_record_and_hash), 300, locks=True
    ),
    "a record edited, the whole chain fits": Kind(
        by_hand(damaged_rows.chain_rewritten), 300, locks=True
    ),
    "money edited": Kind(by_hand(damaged_rows.money_edited), 240, locks=True),
    "money edited, its hash fits": Kind(
        by_hand(damaged_rows.money_edited_with_its_hash), 240, locks=True
    ),
    "money edited, the whole chain fits": Kind(
        by_hand(damaged_rows.money_and_chain_rewritten), 240, locks=True
    ),
    "two records swapped": Kind(by_hand(damaged_rows.swap_records), 240, locks=True),
    "a record deleted": Kind(by_hand(damaged_rows.delete_record), 120, locks=True),
    "a record deleted, the whole chain fits": Kind(
        by_hand(damaged_rows.delete_and_renumber), 120, locks=True
    ),
    "the end cut off": Kind(by_hand(damaged_rows.end_cut_off), 120, locks=True),
    "the end cut off, the head fits": Kind(
        by_hand(damaged_rows.end_cut_off_and_head_adjusted), 120, locks=True
    ),
    "a record inserted": Kind(by_hand(damaged_rows.insert_copy), 240, locks=True),
    "balances edited": Kind(by_hand(damaged_rows.balance_edited), 240, locks=True),
    "the head edited": Kind(by_hand(damaged_rows.head_edited), 120, locks=True),
    "a snapshot edited": Kind(by_hand(damaged_rows.snapshot_edited), 120, locks=True),
    "a snapshot made or unmade": Kind(by_hand(damaged_rows.snapshot_made), 120, locks=True),
    "an identity edited": Kind(by_hand(damaged_rows.identity_edited), 240, locks=True),
    "tables, index or version edited": Kind(by_hand(damaged_rows.tables_edited), 60),
}
FORGED: Mapping[str, Kind] = {
    "a record added, everything fits": Kind(by_hand(damaged_rows.add_record), 120, forged=True),
    "the whole chain fits, no seal": Kind(
        without_seal(by_hand(damaged_rows.chain_rewritten)), 120, forged=True
    ),
    "ledger and seal set back alike": Kind(damaged_files.set_back_with_seal, 120, forged=True),
}
KINDS: dict[str, Kind] = {**FILES, **ROWS, **FORGED}
