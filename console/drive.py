"""Outputs driven by hand: what the technician puts in place of what the table would show."""

from dataclasses import dataclass

from devices.roles import ALL_DARK, DisplayText, Lamp, PanelLights

NO_GATES: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Drive:
    """What the cabinet shows in SERVICE (TABLE.md, section 6); what is not driven is dark.

    `gates`: seats whose gate opens once, for at most 2 s. `display`: None leaves it to the table.
    """

    slots: tuple[Lamp, ...] = ALL_DARK
    gates: frozenset[int] = NO_GATES
    panel: PanelLights = PanelLights()  # noqa: RUF009 frozen, and shared by all
    display: DisplayText | None = None
