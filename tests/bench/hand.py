"""A hand that presses a contact again and again, from a thread of its own as hardware does.

It needs nothing but Python, so that it runs in every contender's own environment.
"""

import asyncio
import threading
from collections.abc import Callable
from time import perf_counter, process_time, thread_time
from typing import Any

PAUSE_MS = 6
"""Between an effect and the release, and between the release and the next press: longer than the
table's buttons settle, and long enough for every event loop to fall asleep."""

EFFECT_S = 2.0
"""An effect that takes longer than this never comes."""


class NoEffect(RuntimeError):
    """A contact was closed and nothing came of it."""


class Hand:
    """Presses `close(n)`, waits until `on_effect` is called, then releases by `release(n)`.

    `elsewhere` gives the processor seconds of this process that belong to somebody else, such as
    a simulated board.
    """

    def __init__(
        self,
        close: Callable[[int], None],
        release: Callable[[int], None],
        elsewhere: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._close = close
        self._release = release
        self._elsewhere = elsewhere
        self._effect = threading.Event()
        self._pause = threading.Event()
        self._at = 0.0
        self._edges = 0.0
        self._pressed = 0

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Press as often, and with such pauses, as the question says."""
        return await asyncio.to_thread(self.press, question["presses"], question["pause_ms"])

    def on_effect(self, at: float) -> None:
        """The effect was seen at `at` (`perf_counter`); only the first one of a press counts."""
        if not self._effect.is_set():
            self._at = at
            self._effect.set()

    def press(self, presses: int, pause_ms: int) -> dict[str, Any]:
        """The processor microseconds of a press and its release, and each one's wall time."""
        self._edges = 0.0
        mine, others, began = thread_time(), self._elsewhere(), process_time()
        walls = [self._press_once(pause_ms / 1000) for _ in range(presses)]
        spent = process_time() - began
        # The hand's own waiting is not the contender's; what its edges set off in this thread is.
        not_theirs = thread_time() - mine - self._edges + self._elsewhere() - others
        return {"processor_us": (spent - not_theirs) / presses * 1e6, "walls_us": walls}

    def _press_once(self, pause_s: float) -> float:
        number = self._pressed
        self._pressed += 1
        self._effect.clear()
        began = perf_counter()
        self._edge(self._close, number)
        if not self._effect.wait(EFFECT_S):
            raise NoEffect(f"press {number} had no effect within {EFFECT_S} s")
        wall = (self._at - began) * 1e6
        self._pause.wait(pause_s)
        self._edge(self._release, number)
        self._pause.wait(pause_s)
        return wall

    def _edge(self, act: Callable[[int], None], number: int) -> None:
        began = thread_time()
        act(number)
        self._edges += thread_time() - began
