"""Settings written for the next start: told, tried, put on record, then written.

On record first: nothing comes into force without a name. A file that then has not been written is
put right on record by the same act the other way round.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from console.configuration.file import ConfigurationErrors
from console.configuration.keys import keys_of, keys_of_plan
from console.configuration.overrides import (
    Override,
    Overrides,
    is_changeable,
    load_overlaid,
    overrides_file,
    read_overrides,
    render_overrides,
)
from console.configuration.sections import Configuration
from console.configuration.table_plan import TablePlan
from console.configuration.whole_file import write_whole
from console.line.act_reporter import ActReporter, NotDone
from console.line.requests import ChangeSetting, Done, NoCode, SettingView
from console.rules.acts import SettingChanged
from console.rules.codes import Refusal
from console.rules.round.draft import ActOutcome
from console.service.disk_thread import DiskWriter
from console.service.table_service import TableService

T = TypeVar("T")

MODE = 0o640


class SettingsOfTable(Protocol):
    """The settings of a table, and how they are changed."""

    def told(self) -> tuple[SettingView, ...]:
        """Every key, in the configuration's order."""

    async def change(
        self, who: str, request: ChangeSetting, service: TableService, acting: ActReporter
    ) -> Done:
        """Write one for the next start, or only try it. Raises NotDone."""


class FixedSettings:
    """Those of a simulation without a configuration file: there is nothing to change."""

    def __init__(self, plan: TablePlan) -> None:
        self._plan = plan

    def told(self) -> tuple[SettingView, ...]:
        """See `SettingsOfTable.told`."""
        return tuple(SettingView(key, value) for key, value in keys_of_plan(self._plan).items())

    async def change(
        self, who: str, request: ChangeSetting, service: TableService, acting: ActReporter
    ) -> Done:
        """See `SettingsOfTable.change`."""
        del who, request, service, acting
        raise NotDone(NoCode.CANNOT, "a simulation without a configuration file has no settings")


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a change would make of the next start."""

    before: str
    overrides: Overrides
    next: Configuration


class WrittenSettings:
    """Those of a configuration file, and what is written over it (`settings.toml`)."""

    def __init__(self, file: Path, in_force: Configuration, adopted: Configuration) -> None:
        """`in_force`: what this process runs; `adopted`: what the files say for the next start."""
        self._file = file
        self._written = overrides_file(in_force)
        self._in_force = in_force
        self._next = adopted
        self._busy = False

    def told(self) -> tuple[SettingView, ...]:
        """See `SettingsOfTable.told`."""
        after = keys_of(self._next)
        return tuple(
            SettingView(
                key,
                value,
                after.get(key, "") if after.get(key, "") != value else "",
                is_changeable(key, self._in_force),
            )
            for key, value in keys_of(self._in_force).items()
        )

    async def change(
        self, who: str, request: ChangeSetting, service: TableService, acting: ActReporter
    ) -> Done:
        """See `SettingsOfTable.change`. An empty value: the configuration's own holds again."""
        self._must_be_changeable(request.key)
        if self._busy:
            raise NotDone(NoCode.CANNOT, "another setting is being written")
        self._busy = True
        try:
            return await self._change(who, request, service, acting)
        finally:
            self._busy = False

    async def _change(
        self, who: str, request: ChangeSetting, service: TableService, acting: ActReporter
    ) -> Done:
        one = Override(request.value, who, service.clock.wall()) if request.value else None
        tried = await _on_disk(service.disk_writer, partial(self._try, request.key, one))
        if isinstance(tried, str):
            raise NotDone(NoCode.WRONG_VALUE, tried)
        value = keys_of(tried.next).get(request.key, "")
        changed = value != tried.before
        if changed and request.really:
            await self._write(SettingChanged(who, request.key, value, tried.before), tried, acting)
        outcome = ActOutcome.DONE if changed else ActOutcome.NO_EFFECT
        told = {
            "decision": "setting-changed",
            "key": request.key,
            "before": tried.before,
            "value": value,
        }
        return Done(outcome.value, (told,), phase=service.state.shown_phase.value)

    def _must_be_changeable(self, key: str) -> None:
        if is_changeable(key, self._in_force):
            return
        if key in keys_of(self._in_force):
            raise NotDone(NoCode.CANNOT, f"{key} is root's to change, in {self._file}")
        known = ", ".join(one for one in keys_of(self._next) if is_changeable(one, self._in_force))
        raise NotDone(NoCode.NO_SUCH_SETTING, f"no setting {key!r}; there are {known}")

    def _try(self, key: str, one: Override | None) -> _Tried | str:
        """In the disk's thread: what both files would then say; or what is wrong with it."""
        try:
            overrides = read_overrides(self._written)
            before = load_overlaid(self._file, self._written, overrides)
            overrides.pop(key, None)
            if one is not None:
                overrides[key] = one
            after = load_overlaid(self._file, self._written, overrides)
        except ConfigurationErrors as error:
            return str(error)
        return _Tried(keys_of(before).get(key, ""), overrides, after)

    async def _write(self, act: SettingChanged, tried: _Tried, acting: ActReporter) -> None:
        text = render_overrides(tried.overrides).encode()
        try:
            if (await acting.settled(act)).state.locked:
                raise NotDone(Refusal.LOCKED.value, "refused: the ledger cannot be written")
            write = partial(write_whole, self._written, text, mode=MODE)
            await _on_disk(acting.service.disk_writer, write)
        except NotDone:
            if await self._holds(text, acting.service.disk_writer):
                self._next = tried.next
            else:
                acting.service.report(SettingChanged(act.who, act.key, act.before, act.value))
            raise
        self._next = tried.next

    async def _holds(self, text: bytes, disk_writer: DiskWriter) -> bool:
        """Whether the file has been written all the same; not, where the disk does not say."""
        try:
            return await _on_disk(disk_writer, self._written.read_bytes) == text
        except NotDone:
            return False


async def _on_disk(disk_writer: DiskWriter, work: Callable[[], T]) -> T:
    """Do work in the disk's thread. Raises NotDone for what the disk says."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def done(result: T) -> None:
        if not future.done():
            future.set_result(result)

    def failed(error: Exception) -> None:
        if not future.done():
            future.set_exception(NotDone(NoCode.CANNOT, f"the disk: {error}"))

    disk_writer.do(work, done, failed)
    return await future
