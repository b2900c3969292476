"""The configuration a process runs, and the one its files ask for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from console.configuration.file import check_content, content_of
from console.configuration.keys import fingerprint
from console.configuration.named_files import FileUnusable
from console.configuration.overrides import (
    CHANGEABLE,
    OVERRIDES_FILE,
    Overrides,
    as_in_play,
    as_on_record,
    is_changeable,
    lay_over,
    list_written,
    overrides_file,
    read_overrides,
)
from console.configuration.sections import Configuration
from console.configuration.table_plan import FoundSettings, TablePlan
from console.rules.settings import Settings, Written
from console.rules.structs import replace


class AdoptedConfiguration(Struct, frozen=True):
    """A configuration file, read. Its two versions differ only while a round is in play that began
    with other amounts."""

    file: Path
    in_force: Configuration
    """What the process runs."""
    adopted: Configuration
    """What the file and the settings written on the line ask for."""
    content: Mapping[str, Any]
    """The file's content."""
    overrides: Overrides
    """What is laid over it."""
    refused: Written | None = None
    """What settings.toml held that is not on record, and is not laid over it."""

    @property
    def found(self) -> FoundSettings:
        """What the record is held against."""
        changeable = frozenset(key for key in CHANGEABLE if is_changeable(key, self.adopted))
        written = list_written(self.overrides)
        people = self.adopted.people
        return FoundSettings(
            written,
            changeable,
            fingerprint(self.adopted),
            self.refused,
            acknowledge=people is not None and people.acknowledge,
        )

    def plan(self) -> TablePlan:
        """The table to be run."""
        return replace(self.in_force.plan(), found=self.found)

    def with_settings_on_record(
        self, on_record: Written, refused: Written | None = None
    ) -> "AdoptedConfiguration":
        """Return this configuration with these settings laid over the file, and no others.

        `refused`: what was found in their place. Raises FileUnusable.
        """
        overrides = as_on_record(self.overrides, on_record)
        written = overrides_file(self.adopted)
        configuration = lay_over(str(self.file), self.content, written, overrides)
        return AdoptedConfiguration(
            self.file, configuration, configuration, self.content, overrides, refused
        )

    def with_amounts_of_round(self, settings: Settings) -> "AdoptedConfiguration | None":
        """Return this configuration with the amounts that the round in play began with.

        None if other settings differ, too.
        """
        held = as_in_play(self.adopted, self.overrides, settings)
        if not held.plan().settings().same_as(settings):
            return None
        return replace(self, in_force=held)


def read_adopted(file: Path) -> AdoptedConfiguration:
    """Read a file and the settings written on the line. Raises FileUnusable."""
    _refuse_overrides(file)
    return adopt_content(file, content_of(file))


def adopt_content(file: Path, content: Mapping[str, Any]) -> AdoptedConfiguration:
    """The same of a file that has been read: it may be a pipe. Raises FileUnusable."""
    _refuse_overrides(file)
    written = overrides_file(check_content(str(file), content))
    overrides = read_overrides(written)
    configuration = lay_over(str(file), content, written, overrides)
    return AdoptedConfiguration(file, configuration, configuration, content, overrides)


def _refuse_overrides(file: Path) -> None:
    if file.name == OVERRIDES_FILE:
        what = f"is a {OVERRIDES_FILE}, laid over a configuration"
        raise FileUnusable(f"{what}; check that one: banco check FILE", file=str(file))
