"""A table's configuration as one process runs it, beside what its files ask for."""

from dataclasses import dataclass, replace
from pathlib import Path

from console.configuration.file import ConfigurationErrors, checked, content_of
from console.configuration.overrides import (
    OVERRIDES_FILE,
    as_in_play,
    laid_over,
    overrides_file,
    read_overrides,
)
from console.configuration.sections import Configuration
from console.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class Configured:
    """`in_force` is run. `adopted` is what file and settings written over it ask for.

    They differ as long as a round is in play that began with other amounts.
    """

    file: Path
    in_force: Configuration
    adopted: Configuration

    def in_play(self, settings: Settings) -> "Configured | None":
        """The same with the amounts of the round in play; None where more than those differs."""
        overrides = read_overrides(overrides_file(self.adopted))
        held = as_in_play(self.adopted, overrides, settings)
        if not held.plan().settings().same_as(settings):
            return None
        return replace(self, in_force=held)


def configured(file: Path) -> Configured:
    """Read a file and what was written over it. Raises ConfigurationErrors."""
    if file.name == OVERRIDES_FILE:
        what = f"is a {OVERRIDES_FILE}, laid over a configuration"
        raise ConfigurationErrors(str(file), [f"{what}; check that one: banco check FILE"])
    content = content_of(file)  # once: it may be a pipe
    written = overrides_file(checked(str(file), content))
    configuration = laid_over(str(file), content, written, read_overrides(written))
    return Configured(file, configuration, configuration)
