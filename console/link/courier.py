"""The courier, the process that speaks to the centre: `python -m console.link.courier`.

The service starts it, and speaks to it over two pipes. It keeps nothing and may be killed.

A call that takes too long ends the process, by the kernel's own alarm: nothing here sends a cancel,
whatever the driver waits for (docs/reference/link-rules.md, 1.3).
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from console.database.addresses import CONNECT_S, ServerAddress
from console.database.first_host import write_conninfo
from console.link.centre.postgres_calls import ClockCalls, PostgresCalls
from console.link.courier_messages import (
    CALL_TIMEOUT_S,
    LONGEST_MESSAGE,
    Answered,
    AskClock,
    AskedProof,
    AskedToRecall,
    BeatAnswered,
    ClockAnswered,
    CourierAnswer,
    CourierOpening,
    CourierStarted,
    FromCourier,
    IsBarred,
    LetRejoin,
    MakeCall,
    Request,
    SayHello,
    SendBeat,
    SendHeld,
    ToCourier,
    Unanswered,
    Welcomed,
    decode_to_courier,
    encode_message,
)
from console.rules.link import CentreBars, Greeting, ProofAsked, RecallAsked, Rejoined, Welcome
from jackpot.failures import Unavailable

MISUSED = 2
"""The exit status when what is read is no message of the service."""

LONGEST_REASON = 300


class CentreConnection:
    """One connection, autocommit: each call is a transaction of its own."""

    def __init__(self, opening: CourierOpening, at: ServerAddress) -> None:
        """Connect to a primary. Raises psycopg.Error."""
        self.at = at
        self._connection = psycopg.connect(_conninfo(opening, at), autocommit=True)
        self.calls = PostgresCalls(self._connection)
        self.clock = ClockCalls(self._connection)

    def close(self) -> None:
        """Close it; no cancel is sent."""
        self._connection.close()


def _conninfo(opening: CourierOpening, at: ServerAddress) -> str:
    """While no standby answers, couriers that ended leave sessions behind, which wait for a lock.

    With the check they end, too; one that waits for the standby does not look.
    """
    return write_conninfo(
        opening,
        at,
        target="read-write",
        application="banco courier",
        settings=f"-c client_connection_check_interval={CONNECT_S}s",
    )


NO_ANSWER = (psycopg.Error, ValueError, Unavailable)
"""What was asked may have been done."""


class Courier:
    """Answers one request after another; one connection at most."""

    def __init__(self, opening: CourierOpening) -> None:
        self._opening = opening
        self._connection: CentreConnection | None = None

    def answer(self, request: Request) -> CourierAnswer:
        """Ask the centre. Without an answer the connection is closed."""
        try:
            return self._ask(request)
        except CentreBars as error:
            return IsBarred(error.barred, error.awaits)
        except NO_ANSWER as error:
            self._close()
            return Unanswered(_in_words(error))

    def _ask(self, request: Request) -> CourierAnswer:
        match request:
            case SayHello():
                calls = self._connect(request.at).calls
                with alarm(CALL_TIMEOUT_S):
                    answer = calls.hello(request.hello)
                return _pass_greeting(answer)
            case MakeCall():
                with alarm(CALL_TIMEOUT_S):
                    calls = self._calls()
                    return Answered(
                        calls.call(request.session, request.call, request.act, request.head)
                    )
            case SendHeld():
                with alarm(CALL_TIMEOUT_S):
                    return AskedToRecall(self._calls().recall(request.session, request.held))
            case SendBeat():
                with alarm(CALL_TIMEOUT_S):
                    shown = self._calls().beat(request.session, request.beat, request.act)
                return BeatAnswered(shown)
            case AskClock():
                connection = self._connect(request.at)
                with alarm(CALL_TIMEOUT_S):
                    return ClockAnswered(connection.clock.ask(request.call))

    def _calls(self) -> PostgresCalls:
        if self._connection is None:
            raise Unavailable("there is no connection: hello comes first")
        return self._connection.calls

    def _connect(self, at: ServerAddress) -> CentreConnection:
        if self._connection is None or self._connection.at != at:
            self._close()
            with alarm(CALL_TIMEOUT_S):  # names are looked up without a time of their own
                self._connection = CentreConnection(self._opening, at)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _pass_greeting(answer: Greeting) -> CourierAnswer:
    match answer:
        case Welcome():
            return Welcomed(answer)
        case ProofAsked():
            return AskedProof(answer)
        case RecallAsked():
            return AskedToRecall(answer)
        case Rejoined():
            return LetRejoin(answer)


def _in_words(error: Exception) -> str:
    """The error on one line."""
    return " ".join(str(error).split())[:LONGEST_REASON] or type(error).__name__


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """End the process after so many seconds."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def read_message() -> ToCourier | None:
    """The service's next message; None: it has ended. Raises ValueError."""
    line = sys.stdin.buffer.readline(LONGEST_MESSAGE + 1)
    return decode_to_courier(line) if line else None


def write_message(message: FromCourier) -> None:
    """Tell the service; that it was too long, if it was."""
    try:
        line = encode_message(message)
    except ValueError as error:
        line = encode_message(Unanswered(str(error)))
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def main() -> int:
    """Answer until the service ends; the exit status."""
    for number in (signal.SIGINT, signal.SIGALRM):  # Python's own SIGINT would send a cancel
        signal.signal(number, signal.SIG_DFL)
    try:
        return _serve()
    except ValueError as error:
        print(f"the courier cannot read what it is asked: {error}", file=sys.stderr)
        return MISUSED


def _serve() -> int:
    opening = read_message()
    if not isinstance(opening, CourierOpening):
        raise ValueError("an opening comes first")
    courier = Courier(opening)
    write_message(CourierStarted())
    while (request := read_message()) is not None:
        if isinstance(request, CourierOpening):
            raise ValueError("there is one opening")
        write_message(courier.answer(request))
    return 0


if __name__ == "__main__":
    sys.exit(main())
