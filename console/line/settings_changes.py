"""Settings and their changes: checked, recorded, then written for the next start; no reload.

A change is recorded first, so that nothing comes into force without a name. If the file then
cannot be written, the opposite change is recorded. What is for the next jackpot is only recorded:
the start after the jackpot was won writes it.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import UNSET, Struct, UnsetType

from console.configuration.keys import keys_of, keys_of_plan
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import (
    MODE,
    Override,
    Overrides,
    as_on_record,
    is_changeable,
    is_of_centre,
    load_overlaid,
    needs_two_people,
    overrides_file,
    read_overrides,
    render_overrides,
)
from console.configuration.sections import Configuration
from console.configuration.table_plan import TablePlan
from console.configuration.whole_file import write_whole
from console.line.act_reporter import ActReporter
from console.line.four_eyes import SECOND_DUTY
from console.line.requests import ChangeSetting, Done, NoCode, NotDone, SettingView
from console.rules.codes import Refusal
from console.rules.round.draft import ActOutcome
from console.rules.settings import NextJackpot, SettingChanged, Written, change_written
from console.rules.structs import replace
from console.service.disk_thread import DiskWriter
from jackpot.foreign_text import quote

T = TypeVar("T")


class ByWhom(Struct, frozen=True):
    """Who changes a setting; `second`: the cashier who confirms a setting of money."""

    who: str
    second: str = ""


class SettingsOfTable(Protocol):
    """The settings of a table, and how they are changed."""

    def list_settings(self, waiting: Written) -> tuple[SettingView, ...]:
        """Return every key, in the configuration's order; `waiting`: for the next jackpot."""

    async def change(self, by: ByWhom, request: ChangeSetting, reporter: ActReporter) -> Done:
        """Write a setting for the next start, or only check it. Raises NotDone."""


class FixedSettings:
    """The settings of a simulation without a configuration file; they cannot be changed."""

    def __init__(self, plan: TablePlan) -> None:
        self._plan = plan

    def list_settings(self, waiting: Written) -> tuple[SettingView, ...]:
        """See `SettingsOfTable.list_settings`."""
        del waiting
        return tuple(SettingView(key, value) for key, value in keys_of_plan(self._plan).items())

    async def change(self, by: ByWhom, request: ChangeSetting, reporter: ActReporter) -> Done:
        """See `SettingsOfTable.change`."""
        del by, request, reporter
        raise NotDone(NoCode.CANNOT, "a simulation without a configuration file has no settings")


class _PlannedChange(Struct, frozen=True):
    """A change that was checked and may be written."""

    before: str
    """The setting's value without the change."""

    typed_before: str
    """As it was typed; "" if it is the configuration file's own."""

    overrides: Overrides
    """All that the overrides file will hold."""

    next: Configuration
    """The configuration of the next start."""


class WrittenSettings:
    """The settings of a configuration file and its overrides (`settings.toml`)."""

    def __init__(self, file: Path, in_force: Configuration, adopted: Configuration) -> None:
        """`in_force`: the configuration of this process; `adopted`: that of the next start."""
        self._file = file
        self._overrides = overrides_file(in_force)
        self._in_force = in_force
        self._next = adopted
        self._busy = False

    def list_settings(self, waiting: Written) -> tuple[SettingView, ...]:
        """See `SettingsOfTable.list_settings`."""
        after, later = keys_of(self._next), dict(waiting)
        return tuple(
            SettingView(
                key,
                value,
                after.get(key, "") if after.get(key, "") != value else "",
                is_changeable(key, self._in_force),
                SECOND_DUTY if needs_two_people(key) else None,
                later.get(key, UNSET),
            )
            for key, value in keys_of(self._in_force).items()
        )

    async def change(self, by: ByWhom, request: ChangeSetting, reporter: ActReporter) -> Done:
        """See `SettingsOfTable.change`. An empty value removes the override."""
        self._must_be_changeable(request.key)
        if request.next_jackpot:
            self._must_be_able_to_wait(request.key, reporter.service.state.next_jackpot)
        if self._busy:
            raise NotDone(NoCode.CANNOT, "another setting is being written")
        self._busy = True
        try:
            return await self._change(by, request, reporter)
        finally:
            self._busy = False

    async def _change(self, by: ByWhom, request: ChangeSetting, reporter: ActReporter) -> Done:
        service = reporter.service
        override = None
        if request.value:
            override = Override(request.value, by.who, by.second, service.clock.wall())
        state = service.state
        waiting = state.next_jackpot.written if isinstance(state.next_jackpot, NextJackpot) else ()
        plan = self._plan_for_next_jackpot if request.next_jackpot else self._plan_change
        change = await _on_disk(
            service.disk_writer, partial(plan, request.key, override, state.written, waiting)
        )
        if isinstance(change, str):
            raise NotDone(NoCode.WRONG_VALUE, change)
        value = keys_of(change.next).get(request.key, "")
        changed = value != change.before
        if changed and request.really:
            second = by.second or UNSET
            typed = request.value
            later = True if request.next_jackpot else UNSET
            act = SettingChanged(by.who, request.key, value, change.before, second, typed, later)
            if request.next_jackpot:
                await _put_on_record(act, reporter)
            else:
                await self._write(act, change, reporter)
        outcome = ActOutcome.DONE if changed else ActOutcome.NO_EFFECT
        decision = {
            "decision": "setting-waits" if request.next_jackpot else "setting-changed",
            "key": request.key,
            "before": change.before,
            "value": value,
        }
        return Done(outcome.value, (decision,), phase=service.state.shown_phase.value)

    def _must_be_changeable(self, key: str) -> None:
        if is_changeable(key, self._in_force):
            return
        if is_of_centre(key, self._in_force):
            raise NotDone(Refusal.LINKED.value, f"{key} is the centre's")
        if key in keys_of(self._in_force):
            raise NotDone(NoCode.CANNOT, f"{key} can only be changed by root, in {self._file}")
        known = ", ".join(
            other for other in keys_of(self._next) if is_changeable(other, self._in_force)
        )
        raise NotDone(NoCode.NO_SUCH_SETTING, f"no setting {quote(key)}; there are {known}")

    def _must_be_able_to_wait(self, key: str, waiting: NextJackpot | UnsetType) -> None:
        if not needs_two_people(key):
            raise NotDone(NoCode.CANNOT, f"{key} is not of the jackpot: it needs no jackpot won")
        if isinstance(waiting, NextJackpot) and waiting.won:
            raise NotDone(NoCode.CANNOT, "the jackpot is won: end the round first")

    def _plan_change(
        self, key: str, override: Override | None, on_record: Written | UnsetType, waiting: Written
    ) -> _PlannedChange | str:
        """Return the change, or what is wrong with it. Runs in the disk's thread.

        What the file holds is believed as far as it is on record. What is `waiting` must be right
        with it, too.
        """
        try:
            overrides = self._read_overrides(on_record)
            before = self._lay_over(overrides)
            held = overrides.pop(key, None)
            if override is not None:
                overrides[key] = override
            after = self._lay_over(overrides)
            self._lay_over(overrides, waiting)
        except FileUnusable as error:
            return str(error)
        return _PlannedChange(
            keys_of(before).get(key, ""), held.value if held else "", overrides, after
        )

    def _plan_for_next_jackpot(
        self, key: str, override: Override | None, on_record: Written | UnsetType, waiting: Written
    ) -> _PlannedChange | str:
        """The same of a change that waits until the jackpot is won; the file stays."""
        typed = override.value if override is not None else ""
        try:
            overrides = self._read_overrides(on_record)
            before = self._lay_over(overrides, waiting)
            after = self._lay_over(overrides, change_written(waiting, key, typed))
        except FileUnusable as error:
            return str(error)
        return _PlannedChange(
            keys_of(before).get(key, ""), dict(waiting).get(key, ""), overrides, after
        )

    def _read_overrides(self, on_record: Written | UnsetType) -> dict[str, Override]:
        overrides = read_overrides(self._overrides)
        if isinstance(on_record, UnsetType):
            return overrides
        return as_on_record(overrides, on_record)

    def _lay_over(self, overrides: Mapping[str, Override], waiting: Written = ()) -> Configuration:
        later = {key: Override(value) for key, value in waiting}
        return load_overlaid(self._file, self._overrides, {**overrides, **later})

    async def _write(
        self, act: SettingChanged, change: _PlannedChange, reporter: ActReporter
    ) -> None:
        text = render_overrides(change.overrides).encode()
        try:
            await _put_on_record(act, reporter)
            write = partial(write_whole, self._overrides, text, mode=MODE)
            await _on_disk(reporter.service.disk_writer, write)
        except NotDone:
            if await self._holds(text, reporter.service.disk_writer):
                self._next = change.next
            else:
                reporter.service.report(
                    replace(act, value=act.before, before=act.value, typed=change.typed_before)
                )
            raise
        self._next = change.next

    async def _holds(self, text: bytes, disk_writer: DiskWriter) -> bool:
        """Return whether the file holds this text; False if the disk does not answer."""
        try:
            return await _on_disk(disk_writer, self._overrides.read_bytes) == text
        except NotDone:
            return False


async def _put_on_record(act: SettingChanged, reporter: ActReporter) -> None:
    """Raises NotDone where the ledger cannot be written."""
    if (await reporter.settle(act)).state.locked:
        raise NotDone(Refusal.LOCKED.value, "refused: the ledger cannot be written")


async def _on_disk(disk_writer: DiskWriter, work: Callable[[], T]) -> T:
    """Do work in the disk's thread. Raises NotDone if it fails."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def on_done(result: T) -> None:
        if not future.done():
            future.set_result(result)

    def on_failed(error: Exception) -> None:
        if not future.done():
            future.set_exception(NotDone(NoCode.CANNOT, f"the disk: {error}"))

    disk_writer.do(work, on_done, on_failed)
    return await future
