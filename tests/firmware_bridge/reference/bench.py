"""The reference board, step by step, as `steps_server` is for the firmware."""

from devices.card_reports import Back
from devices.sim.memory import ShufflerMemory
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.shoe_messages import ShoeState
from firmware_bridge.board_session.shuffler_messages import (
    BackCode,
    DeckCode,
    DeckShufflerState,
    DeckShufflerWant,
    ShufflerState,
)
from tests.firmware_bridge.reference.dealing import exit_is_open, packet_due
from tests.firmware_bridge.reference.firmware import BoardSecrets
from tests.firmware_bridge.reference.rail_firmware import RailFirmware
from tests.firmware_bridge.reference.shoe_firmware import LAST_COUNT, ShoeFirmware
from tests.firmware_bridge.reference.shuffler_firmware import ShufflerFirmware

FIRST_KEY = bytes(range(16))
NOT_YET = 0xFFFF
BACKS = (None, Back.RED, Back.BLUE)
AnyFirmware = RailFirmware | ShufflerFirmware | ShoeFirmware


def boot_board(value: str) -> AnyFirmware:
    """A board of `KIND,BOOT,COUNT[,KEY]` whose counters stand at COUNT already.

    KEY 1: it speaks version 2 and has no key; 2: it has the first one.
    """
    kind, boot, count, *key = map(int, value.split(","))
    board = _make(BoardKind(kind), boot, count)
    board.serial, board.firmware = "BOARD-07", (1, 2, 3)
    board._number = count
    if key:
        board.secrets = BoardSecrets(FIRST_KEY if key == [2] else None)
    return board


def _make(kind: BoardKind, boot: int, count: int) -> AnyFirmware:
    if kind is BoardKind.COUNTING_SHOE:
        return ShoeFirmware(boot, ShoeState(boot, loads=count, draws=min(count, LAST_COUNT)))
    if kind is BoardKind.DECK_SHUFFLER:
        return ShufflerFirmware(kind, boot, DeckShufflerState())
    if kind in (BoardKind.SHUFFLER, BoardKind.MIXER):
        return ShufflerFirmware(kind, boot, ShufflerState())
    return RailFirmware(kind, boot, drops=[count] * 7, tray=count)


class ReferenceBench:
    """A reference board that takes steps."""

    def __init__(self) -> None:
        self.board: AnyFirmware = RailFirmware(BoardKind.SLOT_RAIL, 0)
        self._memory = ShufflerMemory()

    def answer(self, line: str) -> str:
        """Take a step; what the board does then."""
        what, at, value = line.split()
        now = int(at)
        if what == "boot":
            self.board, self._memory = boot_board(value), ShufflerMemory()
        elif what == "line":
            self.board.receive(bytes.fromhex(value), now)
        elif what == "jumper":
            assert self.board.secrets is not None
            self.board.secrets.jumper_closed = value == "1"
        elif what == "notices":
            self.board.set_notices(int(value))
        elif what == "image":
            self.board.tell_image(bytes.fromhex(value))
        else:
            self._move(what, value)
        out = self.board.advance(now)
        return f"{out.hex() or '-'} {self._outputs()} {self.board.next_wake(now)}"

    def _move(self, what: str, value: str) -> None:
        board = self.board
        match what, board:
            case "sense", RailFirmware():
                board.sense(int(value))
            case "drop", RailFirmware():
                board.count_drop(int(value))
            case "tray", RailFirmware():
                board.count_in_tray()
            case "dead", RailFirmware():
                board.set_dead_lamps(int(value))
            case "load", ShoeFirmware():
                board.count_load(int(value))
            case "draw", ShoeFirmware():
                board.count_draw()
            case "cut", ShoeFirmware():
                board.cut_card_out()
            case "machine", ShufflerFirmware():
                self._memory, state = read_machine(value, board.kind)
                board.set_machine_state(state)

    def _outputs(self) -> str:
        board = self.board
        if isinstance(board, RailFirmware):
            return f"{board.lamps},{board.gates}"
        if isinstance(board, ShufflerFirmware):
            if board.kind is BoardKind.MIXER:
                return "0,0,0"
            due, is_open = (rule(board.orders, self._memory) for rule in (packet_due, exit_is_open))
            return f"{due:d},{is_open:d}{_light(board)}"
        return "-"


def _light(board: ShufflerFirmware) -> str:
    orders = board.orders
    return f",{isinstance(orders, DeckShufflerWant) and orders.ready_light:d}"


def read_machine(value: str, kind: BoardKind) -> tuple[ShufflerMemory, ShufflerState]:
    """The machine of twelve numbers, and what a board of this kind reports of it."""
    (preparing, prepared_back, counted, playing_back, left, hand, dealt, packets, unloaded,
     waiting, unloading, presses) = map(int, value.split(","))  # fmt: skip
    memory = ShufflerMemory(
        jammed=preparing == DeckCode.JAMMED,
        prepared_back=BACKS[prepared_back],
        counted=_cards(counted),
        playing_back=BACKS[playing_back],
        left=left,
        waiting=waiting,
        hand=hand,
        dealt=dealt,
        packets=packets,
        unloaded=_cards(unloaded),
        unloading=bool(unloading),
    )
    state = (
        DeckCode(preparing), BackCode(prepared_back), _cards(counted), BackCode(playing_back),
        hand, dealt, packets, _cards(unloaded), waiting > 0,
    )  # fmt: skip
    if kind is BoardKind.DECK_SHUFFLER:
        return memory, DeckShufflerState(*state, presses)
    return memory, ShufflerState(*state)


def _cards(number: int) -> int | None:
    return None if number == NOT_YET else number
