"""The reading shoe of Punto Banco: an Angel Eye II-EX on a line (docs/reference/angel-eye.md)."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from devices.boards import BoardLabel
from devices.card_reports import (
    Card,
    CardBurnt,
    CardDrawn,
    CoupResult,
    CutCardOut,
    Place,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from devices.device import Device
from devices.figures import DeviceFigures, LineCounts
from devices.line_figures import describe_frames, with_trips
from devices.port_reporter import PortReporter
from devices.roles import DeviceLost, Event, Listener
from firmware_bridge.angel_eye.commands import (
    CLEAR_ERROR,
    LOCK,
    UNLOCK,
    AngelEyeCommand,
    CommandQueue,
    OnAnswer,
)
from firmware_bridge.angel_eye.framing import AngelEyeAnswer, ReportReader, ShoeReport
from firmware_bridge.angel_eye.reports import (
    CARD_LETTERS,
    CommunicationStarted,
    CoupEnded,
    CutCardDrawn,
    ErrorReported,
    GameCard,
    LockReported,
    Meaning,
    OutsideCard,
    ReportedResult,
    ShoeSettingChanged,
    StandBy,
    Target,
    parse_report,
)
from firmware_bridge.angel_eye.words import describe_received, describe_sent
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.protocol_error import ProtocolError

UNKNOWN = "not known"


@dataclass(slots=True)
class ShoeNotes:
    """A reading shoe's last reports; `put_in` and `locked` are None if it has not reported them."""

    loads: int = 0
    put_in: int | None = None
    drawn: int = 0
    cut_card_out: bool = False
    last_card: str = "none"
    last_result: str = "none"
    error: str = "none"
    interruptions: int = 0
    locked: bool | None = None

    def note(self, event: Event) -> None:
        """Note a report of the driver."""
        match event:
            case ShoeLoaded():
                self.loads += 1
                self.put_in, self.drawn, self.cut_card_out = event.cards, 0, False
            case CardDrawn():
                self.drawn += 1
                self.last_card = f"{event.card.name} to {event.place.value} {event.number}"
            case CardBurnt():
                self.drawn += 1
                self.last_card = "burnt"
            case CutCardOut():
                self.cut_card_out = True
            case ResultReported():
                self.last_result = event.result.value
            case ShoeTrouble():
                self.error = "none" if event.over else f"{event.code} {event.what}"
            case ReportsMissed():
                self.interruptions += 1
            case _:
                pass  # its connection has nothing to do with cards

    def state(self) -> dict[str, str]:
        """All of it, in words."""
        locked = {None: UNKNOWN, True: "yes", False: "no"}
        return {
            "loads": str(self.loads),
            "cards": UNKNOWN if self.put_in is None else str(self.put_in),
            "drawn": str(self.drawn),
            "cards left": UNKNOWN if self.put_in is None else str(self.put_in - self.drawn),
            "cut card": "out" if self.cut_card_out else "in the shoe" if self.loads else UNKNOWN,
            "last card": self.last_card,
            "last result": self.last_result,
            "error": self.error,
            "locked": locked[self.locked],
            "times not heard": str(self.interruptions),
        }


log = logging.getLogger(__name__)

CARDS_SETTING = "90"
"""By our convention the loader puts the number of loaded cards at this address."""

CARDS_AWAITED_S = 0.3
"""How long the driver waits for the number of cards after the shoe has started; both reports with
their three repetitions take less than 0.15 s."""

PLACE_OF = {Target.PLAYER: Place.PUNTO, Target.BANKER: Place.BANCO}
RESULT_OF = {
    ReportedResult.PLAYER: CoupResult.PUNTO,
    ReportedResult.TIE: CoupResult.EGALITE,
    ReportedResult.BANKER: CoupResult.BANCO,
    ReportedResult.FORCED_END: CoupResult.FORCED,
}


BOARDS = (BoardLabel("Angel Eye II-EX", ""),)
"""What goes on record of it: its protocol has no serial number and no version."""


class AngelEyeShoe:
    """`Shoe` on a line.

    The shoe is silent while nothing happens, so it counts as lost when its port has been down for 1
    s. Its reports of that time are lost too: after any interruption the driver reports
    ReportsMissed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, line: Line) -> None:
        self.trace = FrameTrace(loop.time)
        self.reader = ReportReader(self._trace_received)
        self.commander = CommandQueue(loop, line, self.trace)
        self._loop = loop
        self._line = line
        self._listener: Listener | None = None
        self._reporter = PortReporter(Device.SHOE, loop)
        self._interrupted = False
        self._load_timer: asyncio.TimerHandle | None = None
        self._coup: dict[
            tuple[Target, int], str
        ] = {}  # the cards given in this coup, for repeated reports
        self._coup_over = False
        self._notes = ShoeNotes()
        self._found = 0

    def start(self, listener: Listener) -> None:
        """See `Shoe.start`."""
        self._listener = listener
        self._reporter.start(self._report_connection)
        self._line.start(self)

    def close(self) -> None:
        """See `Shoe.close`; commands under way get no answer."""
        self._listener = None
        self._reporter.stop()
        self.commander.close()
        if self._load_timer is not None:
            self._load_timer.cancel()
            self._load_timer = None
        self._line.close()

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `Shoe.figures`."""
        traced = self.trace.last(frames)
        texts = [
            describe_sent(seen.raw) if seen.sent else describe_received(seen.raw) for seen in traced
        ]
        return (
            DeviceFigures(
                Device.SHOE,
                Device.SHOE.value,
                "reading shoe, Angel Eye II-EX",
                self._reporter.up,
                self._reporter.why_down,
                state=self._notes.state(),
                counts=self._link_figures(),
                frames=describe_frames(traced, texts),
            ),
        )

    def _link_figures(self) -> LineCounts:
        heard, commander = self.reader.counts, self.commander
        counts = LineCounts(
            received=heard.reports + heard.repeats + heard.answers + self.trace.bad,
            bad=self.trace.bad,
            sent=commander.sent,
            retries=commander.retried,
            connections=self._found,
        )
        return with_trips(counts, commander.round_trips)

    def lock(self, on: bool, on_answer: OnAnswer | None = None) -> None:
        """Lock or unlock the shoe; see `CommandQueue.give`."""
        self._give(LOCK if on else UNLOCK, on_answer)

    def clear_error(self, on_answer: OnAnswer | None = None) -> None:
        """Clear the shoe's error; see `CommandQueue.give`."""
        self._give(CLEAR_ERROR, on_answer)

    # The line

    def line_up(self) -> None:
        """See `LineUser`."""
        self._found += 1
        self._interrupted = self._interrupted or self._reporter.was_down
        self._reporter.report_boards(BOARDS)
        self._reporter.report_up()
        if self._interrupted:
            self._interrupted = False
            self._report(ReportsMissed())

    def line_received(self, data: bytes) -> None:
        """See `LineUser`."""
        for heard in self.reader.feed(data):
            if isinstance(heard, AngelEyeAnswer):
                self.commander.on_answer(heard)
            else:
                self._take(heard)

    def _trace_received(self, raw: bytes, good: bool) -> None:
        self.trace.note_received(raw, good, self._loop.time())

    def line_down(self, why: str) -> None:
        """See `LineUser`."""
        self.reader.reset()
        self.commander.drop_all()
        self._interrupted = self._interrupted or self._reporter.up
        self._reporter.start_loss_timer(why)

    # Reports of the shoe

    def _take(self, report: ShoeReport) -> None:
        try:
            meaning = parse_report(report)
        except ProtocolError as error:
            log.warning("the shoe says what is not understood: %s", error)
            if report.letter in CARD_LETTERS:
                self._report(ReportsMissed())
            return
        if isinstance(meaning, LockReported):
            self._notes.locked = meaning.locked
        if isinstance(meaning, ShoeSettingChanged):
            self._setting_changed(meaning)
        elif not isinstance(meaning, StandBy | LockReported):
            self._end_load(None)
            self._report_meaning(meaning)

    def _report_meaning(self, meaning: Meaning) -> None:
        match meaning:
            case GameCard():
                self._game_card(meaning)
            case OutsideCard():
                self._report(CardBurnt())
            case CoupEnded():
                self._coup_over = True
                self._report(ResultReported(RESULT_OF[meaning.result]))
            case CutCardDrawn():
                self._report(CutCardOut())
            case ErrorReported():
                self._report(ShoeTrouble(meaning.code, meaning.name, meaning.over))
            case CommunicationStarted():
                self._begin_load()

    def _game_card(self, meaning: GameCard) -> None:
        at = (meaning.target, meaning.place)
        if meaning.again and self._coup.get(at) == meaning.card:
            return
        if self._coup_over:
            self._coup_over = False
            self._coup.clear()
        self._coup[at] = meaning.card
        place = PLACE_OF.get(meaning.target)
        if place is None:
            self._report(CardBurnt())
        else:
            self._report(CardDrawn(place, meaning.place, Card(meaning.card)))

    # A load: `S`, then the number of cards

    def _begin_load(self) -> None:
        self._coup.clear()
        self._coup_over = False
        self._load_timer = self._loop.call_later(CARDS_AWAITED_S, self._end_load, None)

    def _end_load(self, cards: int | None) -> None:
        if self._load_timer is not None:
            self._load_timer.cancel()
            self._load_timer = None
            self._report(ShoeLoaded(cards))

    def _setting_changed(self, meaning: ShoeSettingChanged) -> None:
        if meaning.address != CARDS_SETTING:
            return
        if not meaning.value.isdecimal():
            log.warning("the shoe's number of cards is set to %r, which is none", meaning.value)
            return
        if self._load_timer is None:
            self._begin_load()  # its `S` was missed
        self._end_load(int(meaning.value))

    # Reporting

    def _give(self, command: AngelEyeCommand, on_answer: OnAnswer | None) -> None:
        self.commander.give(command, on_answer or _log_answer(command))

    def _report_connection(self, event: Event) -> None:
        if isinstance(event, DeviceLost):
            self.reader.forget_last()
        self._report(event)

    def _report(self, event: Event) -> None:
        self._notes.note(event)
        if self._listener is not None:
            self._listener(event)


def _log_answer(command: AngelEyeCommand) -> Callable[[AngelEyeAnswer | None], None]:
    def on_answer(answer: AngelEyeAnswer | None) -> None:
        if answer is None:
            log.warning("the shoe does not answer to %s", command.type.name)
        elif not answer.accepted:
            log.warning("the shoe refuses %s: %s", command.type.name, answer.name)

    return on_answer
