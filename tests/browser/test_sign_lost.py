"""That the sign has lost its table is told whatever became of the sign itself."""

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import Visits
from tests.browser.sign import STAKED, Sign
from tests.browser.web_table import Tables
from tests.free_port import free_port

SLEEPING = """
(() => {
  const Awake = Date;
  window.slept = 0;
  window.Date = class extends Awake {
    constructor(...given) {
      super(...(given.length ? given : [Awake.now() + window.slept]));
    }
    static now() {
      return Awake.now() + window.slept;
    }
  };
})();
"""
"""A machine that has slept: the clock on the wall has gone on, performance.now() has not."""


class Cable:
    """Between the table and a page; pulled out, it closes no connection."""

    def __init__(self) -> None:
        self.plugged = True

    def connect(self, page: WebSocketRoute) -> None:
        table = page.connect_to_server()
        table.on_message(lambda message: page.send(message) if self.plugged else None)


def test_an_amount_that_nothing_follows_is_not_shown_as_the_tables(
    table: Tables, visits: Visits
) -> None:
    ours = table()
    ours.play(*STAKED)
    sign = Sign.of(visits, ours).shows("10.004,20")
    visits.expect(
        r"ERR_(FAILED|EMPTY_RESPONSE|CONNECTION_(REFUSED|RESET))|not loaded|not there yet|WebSocket"
    )
    sign.page.route("**/pages/sign/wins.js", lambda route: route.abort())
    sign.page.reload()
    notice = sign.page.get_by_role("alert")
    expect(notice).to_contain_text("Collegamento con il tavolo interrotto")
    assert "grayscale(1)" in sign.evaluate("getComputedStyle(amount.closest('.jackpot')).filter")
    ours.kill()
    sign.page.unroute("**/pages/sign/wins.js")
    expect(notice).to_contain_text("Collegamento con il tavolo interrotto")
    ours.start()
    sign.shows_texts("Puntate chiuse")
    expect(notice).to_be_hidden()


OPEN = {"it": "Puntate aperte", "en": "Bets open"}
SUSPENDED = {"it": "Puntate sospese", "en": "Betting suspended"}


@pytest.mark.sampled
@pytest.mark.parametrize("language", ["it", "en"])
def test_a_table_that_takes_no_bets_invites_nobody(
    table: Tables, visits: Visits, language: str
) -> None:
    ours = table("caribbean-stud", language)
    sign = Sign.of(visits, ours)
    ours.do("press GAME_OVER")
    sign.shows_texts(OPEN[language])
    ours.do("disk full", "press JPOT")
    sign.shows_texts(SUSPENDED[language])
    assert sign.evaluate("document.documentElement.dataset.betting") == "closed"
    ours.do("disk ok", "key S", "clear LEDGER_FAULT", "key R")
    sign.shows_texts(OPEN[language])
    ours.do("unplug rail", "wait 2s")
    sign.shows_texts(SUSPENDED[language])
    ours.do("plug rail")
    sign.shows_texts(OPEN[language])


def test_a_linked_jackpot_that_the_table_cannot_know_is_dashes(
    table: Tables, visits: Visits
) -> None:
    ours = table(centre=f"127.0.0.1:{free_port()}")
    sign = Sign.of(visits, ours).shows("---")
    ours.do("press GAME_OVER")
    sign.shows_texts("Tavolo chiuso")


def test_a_sign_that_has_lost_its_table_invites_nobody(table: Tables, visits: Visits) -> None:
    """At once, not only when it says that it has lost it"""
    ours = table()
    sign = Sign.of(visits, ours)
    ours.do("press GAME_OVER")
    sign.shows_texts(OPEN["it"])
    visits.expect(r"ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|WebSocket")
    ours.kill()
    expect(sign.page.locator("#betting")).to_be_empty()
    assert sign.evaluate("document.documentElement.dataset.betting") == "closed"
    expect(sign.page.get_by_role("alert")).to_contain_text("Collegamento con il tavolo interrotto")
    expect(sign.page.locator("#betting")).to_be_empty()
    ours.start()
    sign.shows_texts(OPEN["it"])


def test_who_has_slept_says_when_the_table_was_heard_last(table: Tables, visits: Visits) -> None:
    sign = Sign.of(visits, table())
    cable = Cable()
    sign.page.route_web_socket("**/live/sign", cable.connect)
    sign.page.add_init_script(SLEEPING)
    sign.page.reload()
    expect(sign.page.locator("#betting")).not_to_be_empty()
    hour = "toLocaleTimeString('it-IT').slice(0, 3)"
    heard = {str(sign.evaluate(f"new Date({ahead}).{hour}")) for ahead in ("", "Date.now() - 6e4")}
    cable.plugged = False
    sign.page.evaluate("window.slept = 8 * 3600 * 1000")
    notice = sign.page.get_by_role("alert")
    expect(notice).to_contain_text("Ultimo stato noto")
    text = notice.inner_text()
    heard.add(str(sign.evaluate(f"new Date(Date.now() - window.slept).{hour}")))
    assert any(f"alle {one}" in text for one in heard), (text, heard)
