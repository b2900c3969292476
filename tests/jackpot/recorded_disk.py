"""A disk that records what SQLite does to its files, and what of it a power cut would leave.

What was written and not yet synced is *pending*: a cut may lose it, tear it, or keep a later part
and lose an earlier one. `Platter` is what is on the disk for certain, and what is pending.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from pathlib import Path
from random import Random

from console.service.table_ledger import LOCK_FILE
from jackpot.ledger.lock_file import LockFile
from tests.jackpot.apsw_disk import Call, Disk, Failure, Kind, Rows

SECTOR = 512

Folder = dict[str, bytes]
"""Files' contents by their names."""


@dataclass(frozen=True, slots=True)
class LostSync:
    """A sync that failed, and after which what it should have kept is never written."""

    file: str


Done = Call | LostSync


class RecordedDisk(Disk):
    """Records every write, sync, truncation, creation and deletion in `log`."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[Done] = []
        self.commits: list[tuple[int, int]] = []

    def on_commit(self, select: Callable[[str], Rows]) -> None:
        """Note how far the log was, and which record was the last, when COMMIT returned."""
        (seq,) = select("SELECT seq FROM meta").fetchone()
        self.commits.append((len(self.log), seq))

    def after_call(self, call: Call) -> None:
        if call.kind is not Kind.READ and (call.kind is not Kind.OPEN or call.creates):
            self.log.append(call)

    def on_failure(self, call: Call, failure: Failure) -> None:
        if failure.keeps:
            self.log.append(call)
        elif failure.loses:
            self.log.append(LostSync(call.file))


class Damage(Enum):
    """What becomes of what was not yet synced."""

    KEPT = "kept"
    LOST = "lost"
    TORN = "torn"
    REORDERED = "another order"


ONCE = dict.fromkeys(Damage, 1)
THRICE = ONCE | {Damage.TORN: 3, Damage.REORDERED: 3}
"""How often each is done at a place: chance has a part in two of them."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A file's name: given, or (without a number) taken away."""

    name: str
    number: int | None


@dataclass(frozen=True, slots=True)
class _Data:
    """Bytes put into a file, or (without bytes) its new size."""

    number: int
    offset: int
    data: bytes | None

    def into(self, content: bytearray) -> None:
        if self.data is None:
            del content[self.offset :]
            content.extend(bytes(self.offset - len(content)))
            return
        content.extend(bytes(max(0, self.offset - len(content))))
        content[self.offset : self.offset + len(self.data)] = self.data


@dataclass(slots=True)
class Platter:
    """A folder as it is on the disk for certain, and what has been done to it since."""

    names: dict[str, int] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)
    _names_pending: list[_Name] = field(default_factory=list)
    _data_pending: list[_Data] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def pending(self) -> int:
        """How many changes a cut could lose."""
        return len(self._names_pending) + len(self._data_pending)

    def take(self, done: Done) -> None:
        """One more thing was done."""
        if isinstance(done, LostSync):
            number = self._seen[done.file]
            self._data_pending = [data for data in self._data_pending if data.number != number]
            return
        match done.kind:
            case Kind.OPEN:
                number = next(self._numbers)
                self.contents[number] = b""
                self._name(_Name(done.file, number))
            case Kind.DELETE:
                self._name(_Name(done.file, None))
            case Kind.WRITE:
                self._data_pending.append(_Data(self._seen[done.file], done.offset, done.data))
            case Kind.TRUNCATE:
                self._data_pending.append(_Data(self._seen[done.file], done.size, None))
            case Kind.SYNC:
                self._sync(self._seen[done.file])
            case Kind.READ:
                pass
        if done.names:
            _rename(self.names, self._names_pending)
            self._names_pending.clear()

    def folder_after_cut(self, damage: Damage, seed: int = 0) -> Folder:
        """What a cut with this damage leaves of the folder."""
        random = Random(f"{damage.value} {seed}")
        names = dict(self.names)
        _rename(names, self._names_left(damage, random))
        contents = dict(self.contents)
        changed: dict[int, bytearray] = {}
        for data in self._data_left(damage, random):
            data.into(changed.setdefault(data.number, bytearray(contents[data.number])))
        contents |= {number: bytes(content) for number, content in changed.items()}
        return {name: contents[number] for name, number in names.items()}

    def _name(self, change: _Name) -> None:
        _rename(self._seen, [change])
        self._names_pending.append(change)

    def _sync(self, number: int) -> None:
        content = bytearray(self.contents[number])
        for data in self._data_pending:
            if data.number == number:
                data.into(content)
        self.contents[number] = bytes(content)
        self._data_pending = [data for data in self._data_pending if data.number != number]

    def _names_left(self, damage: Damage, random: Random) -> Sequence[_Name]:
        if damage is Damage.LOST:
            return ()
        if damage is Damage.REORDERED:
            return self._names_pending[: random.randint(0, len(self._names_pending))]
        return self._names_pending

    def _data_left(self, damage: Damage, random: Random) -> Sequence[_Data]:
        data = self._data_pending
        match damage:
            case Damage.LOST:
                return ()
            case Damage.TORN if data:
                return [*data[:-1], _tear(data[-1], random)]
            case Damage.REORDERED:
                return _reorder(data, random)
        return data


def folders_left(log: Sequence[Done], begin: int, seeds: Mapping[Damage, int]) -> Iterator[Folder]:
    """What a cut before or after anything done from `begin` on may leave; what is the same, once.

    `seeds`: how often each kind of damage is done at a place, each time with another seed.
    """
    platter, seen = Platter(), set[tuple[tuple[str, bytes], ...]]()
    for one in log[:begin]:
        platter.take(one)
    for done in (None, *log[begin:]):
        if done is not None:
            platter.take(done)
        for damage, times in seeds.items():
            for seed in range(times):
                folder = platter.folder_after_cut(damage, seed)
                key = tuple(sorted(folder.items()))
                if key not in seen:
                    seen.add(key)
                    yield folder


def put_folder(folder: Folder, where: Path) -> Path:
    """Write its files in place of what was there; where they are."""
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    for name, content in folder.items():
        (where / name).write_bytes(content)
    return where


def put_ledger(folder: Folder, where: Path, *, begun: bool = True) -> Path:
    """As `put_folder`, with the lock file that no recorded disk has: Python writes that one."""
    put_folder(folder, where)
    lock = LockFile(where / LOCK_FILE, durable=False)
    lock.make()
    if begun:
        lock.note_begun()
    return where


def _rename(names: dict[str, int], changes: Sequence[_Name]) -> None:
    for change in changes:
        if change.number is None:
            names.pop(change.name, None)
        else:
            names[change.name] = change.number


def _tear(last: _Data, random: Random) -> _Data:
    """The write up to the middle of a sector; the rest of that sector is garbage."""
    if last.data is None:
        return last
    sectors = range(0, len(last.data), SECTOR)
    begin = random.choice(sectors)
    end = min(begin + SECTOR, len(last.data))
    middle = begin + random.randint(1, max(1, end - begin - 1))
    garbage = random.randbytes(end - middle) if random.random() < 0.5 else b""
    return _Data(last.number, last.offset, last.data[:middle] + garbage)


def _reorder(data: Sequence[_Data], random: Random) -> list[_Data]:
    """The last write is there, sector by sector perhaps; of those before it some are not."""
    by_sector = random.random() < 0.5
    kept = [one for one in data[:-1] if random.random() < 0.5]
    if not by_sector:
        return [*kept, *data[-1:]]
    pieces = [piece for one in [*kept, *data[-1:]] for piece in _sectors(one)]
    left = [piece for piece in pieces[:-1] if random.random() < 0.7]
    random.shuffle(left)
    return [*left, *pieces[-1:]]


def _sectors(data: _Data) -> list[_Data]:
    if data.data is None:
        return [data]
    return [
        _Data(data.number, data.offset + at, data.data[at : at + SECTOR])
        for at in range(0, len(data.data), SECTOR)
    ]
