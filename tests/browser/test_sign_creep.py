"""The amount creeps as an odometer does: never above the ledger, smoothly, and it stands still."""

import json
import random
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from jackpot.money.amounts import Cents, format_cents
from tests.browser.conftest import Visits
from tests.browser.sign import WATCH_FRAMES, Sign
from tests.browser.web_table import Tables

CHANGES, SOME_CHANGES = 1000, 100
"""With `--thorough`, and without."""

SEED = 29
MOVING = {"reduced_motion": "no-preference"}

WHAT_DRAWS = """
(() => {
  const asked = { frames: 0 };
  window.asked = asked;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => { asked.frames += 1; return ask(draw); };
})();
"""
"""How often the page has asked for a frame."""

FRAMES_FOR = """
(ms) => new Promise((done) => {
  const times = [];
  const look = (now) => {
    times.push(now);
    if (now - times[0] < ms) {
      requestAnimationFrame(look);
    } else {
      done(times.slice(1).map((time, at) => time - times[at]));
    }
  };
  requestAnimationFrame(look);
})
"""
"""The time of each frame meanwhile."""


MOVES = "document.querySelector('.digit[style*=turn]') !== null"

MOST_WORK_MS = 50
"""Of the page's thread in one frame, by the processor's time: a busy machine makes it no longer."""


def longest_task(trace: dict[str, Any]) -> float:
    """The processor's ms that the page's thread took for its longest task."""
    threads = {
        (one["pid"], one["tid"])
        for one in trace["traceEvents"]
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks: list[float] = [
        one["tdur"] / 1000
        for one in trace["traceEvents"]
        if (one["pid"], one["tid"]) in threads and "tdur" in one
    ]
    return max(tasks)


class Wire:
    """Between the table and its sign: a table that goes on to say other amounts."""

    def __init__(self) -> None:
        self.page: WebSocketRoute | None = None
        self.last = ""
        self.taken_over = False

    def connect(self, page: WebSocketRoute) -> None:
        self.page = page
        table = page.connect_to_server()
        table.on_message(self._pass_on)

    def _pass_on(self, message: str | bytes) -> None:
        text = message if isinstance(message, str) else message.decode()
        if json.loads(text)["kind"] == "jackpot":
            if self.taken_over:
                return
            self.last = text
        assert self.page is not None
        self.page.send(text)

    def say(self, before: Cents, amount: Cents) -> None:
        assert self.page is not None
        self.taken_over = True
        old, new = f'"{format_cents(before)}"', f'"{format_cents(amount)}"'
        assert old in self.last
        self.last = self.last.replace(old, new)
        self.page.send(self.last)


def test_no_frame_is_above_the_ledger_in_a_thousand_changes(
    table: Tables, visits: Visits, thorough: bool
) -> None:
    """In virtual time: tokens of one to seven seats, and now and then an award."""
    changes = CHANGES if thorough else SOME_CHANGES
    sign = Sign.of(visits, table(), **MOVING)
    wire = Wire()
    sign.page.route_web_socket("**/live/sign", wire.connect)
    sign.page.clock.install()
    sign.page.add_init_script(WATCH_FRAMES)
    sign.page.reload()
    sign.page.clock.run_for(200)
    expect(sign.page.locator("#betting")).not_to_be_empty()
    chance = random.Random(SEED)
    amount, falls = Cents(1_000_000), 0
    for _ in range(changes):
        before = amount
        if chance.random() < 0.03:
            amount, falls = Cents(amount - amount // 100), falls + 1
        else:
            amount = Cents(amount + 140 * chance.randint(1, 7))
        wire.say(before, amount)
        sign.page.clock.run_for(chance.choice((20, 100, 400, 2500)))
    seen: dict[str, Any] = sign.evaluate("seen")
    print(f"{seen['frames']} frames, {len(seen['shown'])} amounts, {falls} awards")
    assert seen["above"] == []
    assert len(seen["shown"]) > changes
    assert seen["sent"] == amount


def test_it_rises_by_single_cents_and_arrives(table: Tables, visits: Visits) -> None:
    sign = Sign.of(visits, table(), **MOVING)
    wire = Wire()
    sign.page.route_web_socket("**/live/sign", wire.connect)
    sign.page.clock.install()
    sign.page.add_init_script(WATCH_FRAMES)
    sign.page.reload()
    sign.page.clock.run_for(200)
    expect(sign.page.locator("#betting")).not_to_be_empty()
    wire.say(Cents(1_000_000), Cents(1_000_420))
    sign.page.clock.run_for(15_000)
    shown = sign.evaluate("seen.shown")
    assert shown == list(range(1_000_000, 1_000_421))


def test_it_is_drawn_smoothly_while_it_moves_and_not_at_all_while_it_stands(
    table: Tables, visits: Visits
) -> None:
    ours = table()
    sign = Sign.of(visits, ours, **MOVING)
    sign.page.add_init_script(WHAT_DRAWS)
    sign.page.reload()
    expect(sign.page.locator("#betting")).not_to_be_empty()
    before = sign.evaluate("asked.frames")
    assert sign.evaluate("document.getAnimations().length") == 0
    sign.evaluate("new Promise((done) => setTimeout(done, 1500))")
    assert sign.evaluate("asked.frames") == before
    browser = sign.page.context.browser
    assert browser is not None
    browser.start_tracing(page=sign.page, categories=["toplevel"])
    ours.play("press GAME_OVER", "token 1", "press COIN_IN")  # one rise, of 12 s
    sign.wait_until(MOVES)
    seconds = [max(sign.evaluate(FRAMES_FOR, 1000)) for _ in range(3) if sign.evaluate(MOVES)]
    longest = min(seconds)
    work = longest_task(json.loads(browser.stop_tracing()))
    print(f"the longest frame of a second: {longest:.0f} ms; of its page {work:.1f} ms' work")
    assert longest < 100
    assert work < MOST_WORK_MS
