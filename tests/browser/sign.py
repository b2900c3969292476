"""The sign as a page object: what somebody who looks up at it reads."""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import DEADLINE_MS
from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable

WALL = {"width": 1920, "height": 1080}
WALL_4K = {"width": 3840, "height": 2160}
TABLE = {"width": 800, "height": 480}
SHAPES = (
    WALL,
    {"width": 1080, "height": 1920},
    {"width": 1920, "height": 540},
    {"width": 1920, "height": 360},
)
"""A screen, one on its end, a bar, a ribbon."""

STAKED = ("press GAME_OVER", "token 1 2 3", "press COIN_IN")
FLUSH_PENDING = ("press FLUSH", "key JPL", "press JPOT")
ROYAL_PENDING = ("press ROYAL_FLUSH", "key JPH", "press JPOT")
PAID = "key R"

WATCH_FRAMES = """
(() => {
  const inCents = (text) => Number(text.replace(/[^0-9-]/g, ""));
  const seen = { sent: null, frames: 0, above: [], shown: [] };
  window.seen = seen;
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.kind === "jackpot") {
          seen.sent = inCents(message.amount);
        }
      });
    }
  };
  const look = () => {
    const amount = document.getElementById("amount");
    if (amount !== null && seen.sent !== null) {
      const shown = inCents(amount.textContent);
      seen.frames += 1;
      if (shown > seen.sent) {
        seen.above.push([shown, seen.sent]);
      }
      if (shown !== seen.shown.at(-1)) {
        seen.shown.push(shown);
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
"""In each frame: what is shown and the last amount that the table has sent, both in cents.

Its socket hears before the page's own listener does, so the amount sent is never the older one.
"""


class Sign:
    """One sign of one table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @classmethod
    def of(cls, visits: Visits, table: WebTable, query: str = "", **options: Any) -> "Sign":
        """Hung up where it is `?query`; on a wall, unless the options say otherwise."""
        return cls(visits.to(table, f"/sign{query}", **{"viewport": WALL, **options}))

    @property
    def amount(self) -> Locator:
        return self.page.locator("#amount")

    @property
    def award(self) -> Locator:
        return self.page.locator("#award")

    @classmethod
    def watch_frames(cls, visits: Visits, table: WebTable, **options: Any) -> "Sign":
        """One whose every frame is looked at: see WATCH_FRAMES."""
        sign = cls.of(visits, table, **{"reduced_motion": "no-preference", **options})
        expect(sign.page.locator("#betting")).not_to_be_empty()
        sign.page.add_init_script(WATCH_FRAMES)
        sign.page.reload()
        return sign

    def shows(self, amount: str) -> "Sign":
        expect(self.amount).to_have_text(amount)
        return self

    def shows_texts(self, *texts: str) -> "Sign":
        """Each can be read on it."""
        for text in texts:
            expect(self.page.get_by_text(text, exact=True).locator("visible=true")).to_be_visible()
        return self

    def has_wins(self, *rows: tuple[str, str]) -> "Sign":
        """The combination and the amount of each, newest first."""
        wins = self.page.locator("#wins .one")
        expect(wins.locator(".which")).to_have_text([which for which, _ in rows])
        expect(wins.locator(".each")).to_have_text([each for _, each in rows])
        return self

    def show_panel(self, panel: str) -> "Sign":
        """As the loop does in its turn."""
        self.page.evaluate("panel => { stage.dataset.turn = panel }", panel)
        return self

    def wait_until(self, condition: str) -> None:
        """A condition in JavaScript holds."""
        until(self.page, condition)

    def evaluate(self, expression: str, argument: object = None) -> Any:
        return self.page.evaluate(expression, argument)


def until(page: Page, condition: str) -> None:
    """Look in each frame. The page's own policy forbids it the evaluating of texts."""
    page.evaluate(
        f"""() => new Promise((done, failed) => {{
          const end = performance.now() + {DEADLINE_MS};
          const look = () => {{
            if ({condition}) {{
              done();
            }} else if (performance.now() > end) {{
              failed(new Error({json.dumps(condition)}));
            }} else {{
              requestAnimationFrame(look);
            }}
          }};
          look();
        }})"""
    )
