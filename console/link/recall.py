"""What a table tells a centre that was set back, a piece at a time.

docs/reference/link-rules.md, 3.13.
"""

from collections import deque
from collections.abc import Callable

from console.link.courier_messages import (
    SendHeld,
)
from console.rules.centre_orders import HeldPage, LinkedJournal
from console.rules.link import Held, RecallAsked


class Recall:
    """Reads the journal from what the centre asks for, and says one piece after the other.

    `send`: called with each piece, and at last with one that holds nothing; with None if the
    journal cannot be read, or has no longer what is asked for.
    """

    def __init__(
        self,
        asked: RecallAsked,
        journal: LinkedJournal,
        send: Callable[["Recall", SendHeld | None], None],
    ) -> None:
        self.asked = asked
        self.over = False  # the last piece has been sent
        self._journal = journal
        self._send = send
        self._pieces: deque[Held] = deque()
        self._read_up_to: int | None = 0  # a record's number; None: to the end

    def go_on(self) -> None:
        """Say the next piece."""
        if self._pieces:
            self._send(self, SendHeld(self.asked.session, self._pieces.popleft()))
        elif self._read_up_to is None:
            self.over = True
            self._send(self, SendHeld(self.asked.session, None))
        else:
            self._journal.find_held(self.asked.after, self._read_up_to, self._take_page)

    def _take_page(self, page: HeldPage | None) -> None:
        if page is None:
            self._send(self, None)
            return
        self._read_up_to = page.last
        for held in page.held:
            self._pieces.extend(cut_held(held, self.asked.act))
        self.go_on()


def cut_held(held: Held, act: int) -> list[Held]:
    """The call by itself, and the changes after this act: each fits into a message."""
    call = Held(held.call, held.answer)
    changes = tuple(one for one in held.changes if one.act > act)
    return [one for one in (call, Held(changes=changes)) if one.call or one.changes]
