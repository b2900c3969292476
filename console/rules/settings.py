"""The settings in force: what the journal must know of a configuration (docs/rules.md 11)."""

from dataclasses import dataclass, replace

from console.rules.games import RailKind
from jackpot.settings import MoneySettings


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides how a round is played; `version` counts the changes, from 1."""

    table: str
    game: str
    rail: RailKind | None
    money: MoneySettings
    inspector_fitted: bool = False
    version: int = 0

    def same_as(self, other: "Settings | None") -> bool:
        """Whether nothing but the version differs."""
        return other is not None and replace(other, version=self.version) == self
