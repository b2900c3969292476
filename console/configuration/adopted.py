"""The configuration a process runs, and the one its files ask for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from console.configuration.file import ConfigurationErrors, check_content, content_of
from console.configuration.overrides import (
    OVERRIDES_FILE,
    as_in_play,
    lay_over,
    overrides_file,
    read_overrides,
)
from console.configuration.sections import Configuration
from console.rules.settings import Settings
from console.rules.structs import replace


class AdoptedConfiguration(Struct, frozen=True):
    """A configuration file, read. Its two versions differ only while a round is in play that began
    with other amounts."""

    file: Path
    in_force: Configuration
    """What the process runs."""
    adopted: Configuration
    """What the file and the settings written on the line ask for."""

    def with_amounts_of_round(self, settings: Settings) -> "AdoptedConfiguration | None":
        """Return this configuration with the amounts that the round in play began with.

        None if other settings differ, too.
        """
        overrides = read_overrides(overrides_file(self.adopted))
        held = as_in_play(self.adopted, overrides, settings)
        if not held.plan().settings().same_as(settings):
            return None
        return replace(self, in_force=held)


def read_adopted(file: Path) -> AdoptedConfiguration:
    """Read a file and the settings written on the line. Raises ConfigurationErrors."""
    _refuse_overrides(file)
    return adopt_content(file, content_of(file))


def adopt_content(file: Path, content: Mapping[str, Any]) -> AdoptedConfiguration:
    """The same of a file that has been read: it may be a pipe. Raises ConfigurationErrors."""
    _refuse_overrides(file)
    written = overrides_file(check_content(str(file), content))
    configuration = lay_over(str(file), content, written, read_overrides(written))
    return AdoptedConfiguration(file, configuration, configuration)


def _refuse_overrides(file: Path) -> None:
    if file.name == OVERRIDES_FILE:
        what = f"is a {OVERRIDES_FILE}, laid over a configuration"
        raise ConfigurationErrors(str(file), [f"{what}; check that one: banco check FILE"])
