"""Damage to the ledger's files as a medium does it, or a hand that copies: bits, blocks, ends."""

from collections.abc import Callable
from itertools import permutations
from random import Random

from console.service.table_ledger import LOCK_FILE
from jackpot.ledger.schema import FILE, LOG_FILE
from tests.jackpot.database_structure import structure_of
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import SEAL, SoundLedger

PAGE = 4096
BLOCKS = (512, PAGE)
GONE = (
    *((FILE,), (LOG_FILE,), (LOCK_FILE,), (FILE, LOG_FILE), (FILE, LOCK_FILE)),
    (FILE, LOG_FILE, LOCK_FILE),
)
"""Which files a hand, or a medium, takes away together; the database may be left empty."""

How = Callable[[bytes, Random], bytes]
"""What is made of a file's content."""


class Draw(Random):
    """The random numbers of one damage, and which of its kind it is."""

    def __init__(self, seed: str, number: int) -> None:
        super().__init__(seed)
        self.number = number


def bit_in_database(sound: SoundLedger, random: Random) -> Folder:
    return _change(_either(sound, random), FILE, random, _bit)


def bit_in_structure(sound: SoundLedger, random: Random) -> Folder:
    """Where it leads SQLite astray: few of all bits are there, and most of what they do is rare."""
    return _change(_either(sound, random), FILE, random, _structure_bit)


def bit_in_log(sound: SoundLedger, random: Random) -> Folder:
    return _change(sound.killed, LOG_FILE, random, _bit)


def zero_in_database(sound: SoundLedger, random: Random) -> Folder:
    return _change(_either(sound, random), FILE, random, _zero)


def zero_in_log(sound: SoundLedger, random: Random) -> Folder:
    return _change(sound.killed, LOG_FILE, random, _zero)


def garble_in_database(sound: SoundLedger, random: Random) -> Folder:
    return _change(_either(sound, random), FILE, random, _garble)


def garble_in_log(sound: SoundLedger, random: Random) -> Folder:
    return _change(sound.killed, LOG_FILE, random, _garble)


def block_of_elsewhere(sound: SoundLedger, random: Random) -> Folder:
    """A write that went to another place of the disk."""
    return _change(_either(sound, random), FILE, random, _misdirect)


def page_over_page(sound: SoundLedger, draw: Draw) -> Folder:
    """Not by chance: one number for each of the pairs, in either of the two ledgers."""
    folder, here, there = page_pairs(sound)[draw.number]
    content = folder[FILE]
    page = content[PAGE * there : PAGE * (there + 1)]
    return folder | {FILE: content[: PAGE * here] + page + content[PAGE * (here + 1) :]}


def page_pairs(sound: SoundLedger) -> list[tuple[Folder, int, int]]:
    """Every two pages of the same database, in both orders."""
    return [
        (folder, here, there)
        for folder in (sound.closed, sound.killed)
        for here, there in permutations(range(len(folder[FILE]) // PAGE), 2)
    ]


def truncate_database(sound: SoundLedger, random: Random) -> Folder:
    return _change(_either(sound, random), FILE, random, _truncate)


def truncate_log(sound: SoundLedger, random: Random) -> Folder:
    return _change(sound.killed, LOG_FILE, random, _truncate)


def grow_database(sound: SoundLedger, random: Random) -> Folder:
    more = random.randbytes(random.choice(BLOCKS))
    return _change(_either(sound, random), FILE, random, lambda content, _: content + more)


def file_gone(sound: SoundLedger, random: Random) -> Folder:
    gone = random.choice(GONE)
    left = {name: content for name, content in sound.killed.items() if name not in gone}
    return left | ({FILE: b""} if FILE in gone and random.randrange(2) else {})


def old_database(sound: SoundLedger, random: Random) -> Folder:
    """The log stays, or is gone as after an end in order."""
    old = {FILE: random.choice(sound.older)[FILE]}
    return _either(sound, random) | old


def old_log(sound: SoundLedger, random: Random) -> Folder:
    old = random.choice([one for one in sound.older if LOG_FILE in one])
    return _either(sound, random) | {LOG_FILE: old[LOG_FILE]}


def all_old(sound: SoundLedger, random: Random) -> Folder:
    """Database and log of an older day, both whole; the seal is today's."""
    return random.choice(sound.older) | {SEAL: sound.closed[SEAL]}


def set_back_with_seal(sound: SoundLedger, random: Random) -> Folder:
    """What once was there, whole: ledger and seal of the same older day."""
    return random.choice(sound.older)


def lock_damaged(sound: SoundLedger, random: Random) -> Folder:
    """That of a locked table: it must stay locked."""
    locked = sound.closed | {LOCK_FILE: sound.locked}
    return _change(locked, LOCK_FILE, random, random.choice((_bit, _zero, _garble)))


def lock_of_open_table_damaged(sound: SoundLedger, random: Random) -> Folder:
    how = random.choice((_bit, _zero, _garble, _truncate))
    return _change(sound.closed, LOCK_FILE, random, how)


def seal_damaged(sound: SoundLedger, random: Random) -> Folder:
    how = random.choice((_bit, _zero, _garble, _truncate))
    return _change(_either(sound, random), SEAL, random, how)


def _either(sound: SoundLedger, random: Random) -> Folder:
    return random.choice((sound.closed, sound.killed))


def _change(folder: Folder, name: str, random: Random, how: How) -> Folder:
    return folder | {name: how(folder[name], random)}


def _bit(content: bytes, random: Random) -> bytes:
    return _flip(content, random.randrange(len(content)), random.randrange(8))


def _structure_bit(content: bytes, random: Random) -> bytes:
    return _flip(content, random.choice(structure_of(content)), random.randrange(8))


def _flip(content: bytes, at: int, bit: int) -> bytes:
    return content[:at] + bytes((content[at] ^ 1 << bit,)) + content[at + 1 :]


def _zero(content: bytes, random: Random) -> bytes:
    at, end = _block(content, random)
    return content[:at] + bytes(end - at) + content[end:]


def _garble(content: bytes, random: Random) -> bytes:
    at, end = _block(content, random)
    return content[:at] + random.randbytes(end - at) + content[end:]


def _misdirect(content: bytes, random: Random) -> bytes:
    size = random.choice(BLOCKS)
    here, there = (size * random.randrange(len(content) // size) for _ in "ab")
    return content[:here] + content[there : there + size] + content[here + size :]


def _truncate(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(len(content))]


def _block(content: bytes, random: Random) -> tuple[int, int]:
    """Where an aligned block begins and ends; never longer than the content."""
    size = random.choice(BLOCKS)
    at = size * random.randrange(-(-len(content) // size))
    return at, min(at + size, len(content))
