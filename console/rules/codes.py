"""The codes that people read: phases, refusals, faults.

docs/reference/rules.md, sections 2, 6 and 7.
"""

from collections.abc import Mapping
from enum import Enum, StrEnum

from devices.device import Device


class Phase(StrEnum):
    """The phase of the round. SERVICE covers the others: see `TableState.shown_phase`."""

    PAUSED = "PAUSED"
    BETTING = "BETTING"
    COLLECTING = "COLLECTING"
    PLAYING = "PLAYING"
    AWARDING = "AWARDING"
    SERVICE = "SERVICE"


class Refusal(Enum):
    """Why an act was not done (docs/reference/rules.md, section 6).

    From SEAT_NOT_PLAYING on they are the house's own.
    """

    NOT_OPEN = "NOT_OPEN"
    ALREADY_OPEN = "ALREADY_OPEN"
    COLLECTING = "COLLECTING"
    AWARD_PENDING = "AWARD_PENDING"
    NO_COMBINATION = "NO_COMBINATION"
    KEY_NOT_IN_RUN = "KEY_NOT_IN_RUN"
    WRONG_KEY = "WRONG_KEY"
    NOBODY_ELIGIBLE = "NOBODY_ELIGIBLE"
    INSPECTOR_ABSENT = "INSPECTOR_ABSENT"
    LOCKED = "LOCKED"
    IN_SERVICE = "IN_SERVICE"
    SEAT_NOT_PLAYING = "SEAT_NOT_PLAYING"  # a declaration about a seat without a hand
    NO_AWARD = "NO_AWARD"  # a declaration about an award when none is pending
    NO_HAND = "NO_HAND"  # a declaration about a round when there is none
    NOT_IN_SERVICE = "NOT_IN_SERVICE"  # clearing a fault while the key is not at S
    NOT_CLEARABLE = "NOT_CLEARABLE"  # the fault is not present, or clears by itself
    STILL_FAULTY = "STILL_FAULTY"  # the ledger still cannot be written or does not verify
    DOOR_OPEN = "DOOR_OPEN"  # a door is open, or was opened and nobody has said why
    CONFIGURATION_CHANGED = "CONFIGURATION_CHANGED"  # two people have not acknowledged it
    SETTINGS_DUE = "SETTINGS_DUE"  # the jackpot is won, and the next one has other settings
    NOT_COVERED = "NOT_COVERED"  # a correction of more than the account holds
    # Linked tables (docs/reference/link-rules.md, section 3)
    LINK_ASKED = "LINK_ASKED"  # the centre has not answered yet
    LINK_LOST = "LINK_LOST"
    JACKPOT_CHANGED = "JACKPOT_CHANGED"  # the jackpot is a tenth or more below the amount shown
    LINKED = "LINKED"  # corrections and settings are made at the centre
    ROUND_CLOSED = "ROUND_CLOSED"  # a claim of a round that was ended at the centre
    AWARD_FINAL = "AWARD_FINAL"  # the award has become final meanwhile
    NOT_THE_TERMS = "NOT_THE_TERMS"  # the centre does not take this table's money
    # Poker tables (docs/reference/poker-rules.md, section 20)
    NO_FLOP = "NO_FLOP"
    MISDEAL_LATE = "MISDEAL_LATE"
    WRONG_STREET = "WRONG_STREET"
    NOT_DEALT = "NOT_DEALT"
    POT_EMPTY = "POT_EMPTY"
    NO_DECK = "NO_DECK"
    ON_BREAK = "ON_BREAK"
    HAND_FOR_HAND = "HAND_FOR_HAND"
    HAND_RUNNING = "HAND_RUNNING"
    TOO_LATE = "TOO_LATE"
    HOUSE_RULE = "HOUSE_RULE"
    NO_CLOCK = "NO_CLOCK"  # levels and their clock are a tournament's


class Duty(Enum):
    """What an enrolled person may do on the local line."""

    TECHNICIAN = "technician"
    FLOOR_MANAGER = "floor-manager"
    CASHIER = "cashier"


class Fault(Enum):
    """What is wrong with the table, until it clears (docs/reference/rules.md, section 7)."""

    RAIL_LOST = "RAIL_LOST"
    PANEL_LOST = "PANEL_LOST"
    DISPLAY_LOST = "DISPLAY_LOST"
    SHUFFLER_LOST = "SHUFFLER_LOST"
    SHOE_LOST = "SHOE_LOST"
    KEY_FAULT = "KEY_FAULT"
    CONTACT_UNSTEADY = "CONTACT_UNSTEADY"
    TOKEN_STUCK = "TOKEN_STUCK"
    TRAY_COUNT = "TRAY_COUNT"
    TOKENS_UNKNOWN = "TOKENS_UNKNOWN"
    ACCEPTOR_CHANGED = "ACCEPTOR_CHANGED"
    SENSOR_UNSTEADY = "SENSOR_UNSTEADY"
    DROP_SENSOR = "DROP_SENSOR"
    BOARD_CHANGED = "BOARD_CHANGED"
    DOOR_OPEN = "DOOR_OPEN"
    CONFIGURATION_CHANGED = "CONFIGURATION_CHANGED"
    CARD_COUNT = "CARD_COUNT"
    DECK_REPEATED = "DECK_REPEATED"
    DRAW_ERROR = "DRAW_ERROR"
    LEDGER_FAULT = "LEDGER_FAULT"
    LEDGER_CORRUPT = "LEDGER_CORRUPT"
    COUNTERPART_CHANGED = "COUNTERPART_CHANGED"
    PROGRAM_CHANGED = "PROGRAM_CHANGED"
    LINK_LOST = "LINK_LOST"
    LINK_FORKED = "LINK_FORKED"
    LINK_BEHIND = "LINK_BEHIND"
    LINK_SETTINGS = "LINK_SETTINGS"
    CLOCK_LOST = "CLOCK_LOST"


LOST = {
    Device.RAIL: Fault.RAIL_LOST,
    Device.PANEL: Fault.PANEL_LOST,
    Device.DISPLAY: Fault.DISPLAY_LOST,
    Device.SHUFFLER: Fault.SHUFFLER_LOST,
    Device.SHOE: Fault.SHOE_LOST,
    Device.LINK: Fault.LINK_LOST,
    Device.CLOCK: Fault.CLOCK_LOST,
}

NOTICES: Mapping[tuple[Device, int], Fault] = {
    (Device.RAIL, 1): Fault.DROP_SENSOR,
}
"""The fault that a board's notice raises, by its number, until the board withdraws it
(docs/reference/wire-protocol.md). Other notices are only shown to the technician."""

LEDGER_FAULTS = frozenset({Fault.LEDGER_FAULT, Fault.LEDGER_CORRUPT})

LOCKS = LEDGER_FAULTS | {Fault.PROGRAM_CHANGED}
"""Under each nothing is played: every button is refused, and S is accepted in any phase."""

LINK_FAULTS = frozenset(
    {Fault.LINK_LOST, Fault.LINK_FORKED, Fault.LINK_BEHIND, Fault.LINK_SETTINGS}
)
"""Under each the table is offline: the centre is out of reach, or bars it
(docs/reference/link-rules.md, section 4).
"""

NO_BETS = (
    LOCKS
    | LINK_FAULTS
    | {
        Fault.RAIL_LOST,
        Fault.DOOR_OPEN,
        Fault.CONFIGURATION_CHANGED,
    }
)
"""Under each no player may stake."""

CLEARED_BY_TECHNICIAN = LOCKS | {
    Fault.TRAY_COUNT,
    Fault.TOKENS_UNKNOWN,
    Fault.ACCEPTOR_CHANGED,
    Fault.BOARD_CHANGED,
    Fault.COUNTERPART_CHANGED,
    Fault.CONFIGURATION_CHANGED,
}

CLEARED_BY_TWO = frozenset(
    {Fault.COUNTERPART_CHANGED, Fault.PROGRAM_CHANGED, Fault.CONFIGURATION_CHANGED}
)
"""The faults that need two people to clear: who causes them has a reason to."""
