"""The supervisor's page in a real browser: entering, the table live, its record, its plots."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from console.rules.codes import Duty
from tests.browser.chromium import DESKTOP
from tests.browser.conftest import Visits
from tests.browser.web_table import WebTable
from tests.free_port import free_port

pytestmark = pytest.mark.sampled(of=4)

PIN, WRONG = "471108", "471109"
REFUSED = r"40[0-9]|429"
"""What a browser complains of when a PIN is refused."""

GONE = r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket"

ROUND = ("press GAME_OVER", "token 1 4 6", "press COIN_IN", "wait 300ms")
WIN = ("press FULL_HOUSE", "key JPL", "press JPOT", "key R")
CLOSE = ("press GAME_OVER", "press COIN_IN", "declare tray 3")


INKED = """(canvas) => {
  const { width, height } = canvas;
  return canvas.getContext("2d").getImageData(0, 0, width, height).data.some(Boolean);
}"""


@dataclass
class Supervisor:
    """Somebody at the supervisor's page of a table."""

    page: Page
    table: WebTable

    def enter(self, pin: str = PIN) -> None:
        self.page.locator("#name").fill("anna")
        self.page.locator("#pin").fill(pin)
        self.page.locator("#pin").press("Enter")

    def show(self, view: str) -> None:
        self.page.locator(f'#views a[href="#{view}"]').click()
        expect(self.page.locator(f"#view-{view}")).to_be_visible()

    def card(self, kind: str) -> Locator:
        return self.page.locator(f".card.{kind}")

    def fact(self, name: str) -> Locator:
        """The value that stands beside a name."""
        pair = self.page.locator(".facts > div:visible").filter(
            has=self.page.get_by_text(name, exact=True)
        )
        return pair.locator("dd").first


@pytest.fixture
def supervisor(table: Callable[..., WebTable], visits: Visits) -> Callable[..., Supervisor]:
    """Opens the page of a new table, at which anna is enrolled; `played`: what was done there."""

    def at_page(
        *played: str,
        language: str = "it",
        game: str = "caribbean-stud",
        entered: bool = True,
        **settings: Any,
    ) -> Supervisor:
        ours = table(game, language, **settings)
        ours.enrol("anna", Duty.FLOOR_MANAGER, PIN)
        if played:
            ours.play(*played)
        somebody = Supervisor(visits.to(ours, "/supervisor"), ours)
        if entered:
            somebody.enter()
            expect(somebody.card("state")).to_be_visible()
        return somebody

    return at_page


At = Callable[..., Supervisor]


def test_only_name_and_pin_open_it(supervisor: At, visits: Visits) -> None:
    anna = supervisor(entered=False)
    expect(anna.page.locator("#name")).to_be_focused()
    expect(anna.page.locator(".banner")).to_contain_text("SIMULAZIONE")
    visits.expect(REFUSED)
    anna.enter(WRONG)
    refused = anna.page.locator("#login-refused")
    expect(refused).to_have_text("Il nome o il PIN è sbagliato.")
    expect(anna.page.locator("#pin")).to_have_value("")
    anna.page.locator("#language").click()
    expect(refused).to_have_text("The name or the PIN is wrong.")
    expect(anna.card("state")).to_have_count(0)
    anna.enter()
    expect(anna.card("state")).to_be_visible()
    expect(anna.page.locator("#person")).to_have_text("anna (floor manager)")
    anna.page.reload()
    expect(anna.card("state")).to_be_visible()


def test_a_linked_tables_accounts_are_called_its_part(supervisor: At) -> None:
    anna = supervisor(centre=f"127.0.0.1:{free_port()}")
    accounts = anna.card("accounts")
    expect(accounts).to_contain_text("Conti, EUR: parte di questo tavolo")
    expect(accounts).to_contain_text("Jackpot collegato: - - -")
    expect(anna.fact("jackpot, parte di questo tavolo")).to_have_text("0,00")
    anna.page.locator("#language").click()
    expect(accounts).to_contain_text("Accounts, EUR: this table's part")


def test_who_leaves_takes_along_what_was_seen(supervisor: At) -> None:
    anna = supervisor(*ROUND)
    anna.page.locator("#leave").click()
    expect(anna.page.locator("#login")).to_be_visible()
    expect(anna.page.locator("main")).not_to_contain_text("10.004,20")
    expect(anna.page.locator("#views")).to_be_hidden()
    anna.page.reload()
    expect(anna.page.locator("#login")).to_be_visible()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "phase", "amount", "paid"),
    [
        ("it", "In gioco", "10.004,20 EUR", "200,08"),
        ("en", "Playing", "10,004.20 EUR", "200.08"),
    ],
)
def test_the_table_is_followed_live(
    supervisor: At, language: str, phase: str, amount: str, paid: str
) -> None:
    anna = supervisor(language=language)
    anna.table.play(*ROUND)
    expect(anna.page.locator(".phase")).to_have_text(phase)
    expect(anna.page.locator(".card .jackpot")).to_have_text(amount)
    expect(anna.page.locator('.seats li[data-led="ON"] b')).to_have_text(["1", "4", "6"])
    expect(anna.card("records")).to_contain_text("COIN IN")
    anna.table.play(*WIN)
    expect(anna.card("last-wins")).to_contain_text(paid)
    expect(anna.card("meters")).to_contain_text(paid)


def test_a_fault_says_what_it_is_and_what_to_do(supervisor: At) -> None:
    anna = supervisor()
    expect(anna.card("faults")).to_have_text(re.compile("Nessun guasto"))
    anna.table.do("unplug shuffler", "wait 1500ms")
    fault = anna.card("faults.some")
    expect(fault).to_contain_text("SHUFFLER_LOST il mescolatore non risponde")
    expect(anna.page.locator(".devices .is-lost")).to_have_text("mescolatore: non collegato")
    fault.locator("summary").click()
    expect(fault.locator("ol li").first).to_be_visible()
    anna.table.do("token 1")  # something changes: what was opened stays open
    expect(fault.locator("ol li").first).to_be_visible()
    anna.table.do("plug shuffler", "wait 5s")
    expect(anna.card("faults")).to_contain_text("Nessun guasto")


def test_a_round_is_opened_act_by_act(supervisor: At, visits: Visits) -> None:
    anna = supervisor(*ROUND, *WIN, "press GAME_OVER", "press GAME_OVER")
    anna.show("rounds")
    rows = anna.page.locator("#rounds tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("200,08")
    rows.nth(1).locator("a").click()
    expect(anna.page.locator("#round-title")).to_have_text("Mano 1")
    expect(anna.page.locator("#round-status")).to_contain_text("tutti concordano con il registro")
    expect(anna.page.locator("#round tbody")).to_contain_text("pagato FULL x")
    anna.page.locator("#round-after").click()
    expect(anna.page.locator("#round .refusal")).to_contain_text("rifiutato ALREADY_OPEN")
    anna.page.go_back()
    expect(anna.page.locator("#round-title")).to_have_text("Mano 1")
    anna.show("rounds")
    visits.expect("404")
    anna.page.locator("#round-number").fill("99")
    anna.page.locator("#round-form button").click()
    expect(anna.page.locator("#round-status")).to_have_text("Non è nel registro.")


def test_a_night_is_read_as_its_bordereau(supervisor: At) -> None:
    anna = supervisor(*ROUND, *WIN, *CLOSE, *ROUND)
    anna.show("nights")
    nights = anna.page.locator("#nights-night option")
    expect(nights).to_have_count(2)
    warnings = anna.page.locator("#sheet .warning")
    expect(warnings).to_have_text(["SIMULAZIONE: NESSUN DENARO VERO", "NON ANCORA CHIUSO"])
    anna.page.locator("#nights-night").select_option("1")
    sheet = anna.page.locator("#sheet")
    expect(sheet.locator(".warning")).to_have_text(["SIMULAZIONE: NESSUN DENARO VERO"])
    expect(sheet.locator("section").filter(has_text="Vincite, EUR")).to_contain_text("200,08")
    with anna.page.expect_download() as text:
        anna.page.locator("#report-text").click()
    assert text.value.suggested_filename == "bordereau-1.txt"
    assert "BORDEREAU" in text.value.path().read_text()
    with anna.page.expect_download() as pdf:
        anna.page.locator("#report-pdf").click()
    assert pdf.value.path().read_bytes().startswith(b"%PDF-")
    anna.page.locator("#language").click()
    expect(sheet).to_contain_text("Tray counted by hand")
    expect(anna.page.locator("#nights-night")).to_have_value("1")


def test_plots_are_drawn_read_out_and_told_as_tables(supervisor: At) -> None:
    """Under the page's own policy: the library needs no exception from it"""
    anna = supervisor(*ROUND, *WIN, *CLOSE, *ROUND, "press GAME_OVER")
    anna.show("plots")
    expect(anna.page.locator("#plots canvas")).to_have_count(3)
    expect(anna.page.locator("#plots-status")).to_contain_text("Mani 3-4")
    jackpot = anna.page.locator(".plot.jackpot")
    expect(jackpot.locator(".canvas")).to_have_attribute("aria-label", re.compile("^Jackpot, EUR"))
    jackpot.locator(".u-over").hover()
    expect(jackpot.locator(".readout")).to_have_text(re.compile(r"\d\d:\d\d: [\d.]+,\d\d$"))
    stakes = anna.page.locator(".plot.stakes")
    stakes.locator("summary").click()
    expect(stakes.locator("tbody tr").first).to_contain_text(re.compile("Mano 3, .*3$"))
    anna.page.locator("#span").select_option("week")
    expect(anna.page.locator("#plots-status")).to_contain_text("Mani 1-4")
    anna.page.locator("#span").select_option("rounds")
    anna.page.locator("#first").fill("1")
    anna.page.locator("#last").fill("1")
    anna.page.locator("#span-show").click()
    expect(anna.page.locator("#plots-status")).to_contain_text("Mani 1-1")
    for canvas in anna.page.locator("#plots canvas").all():
        assert canvas.evaluate(INKED)


def test_the_forecast_is_a_tile_and_a_plot_beside_what_was_played(supervisor: At) -> None:
    anna = supervisor(*ROUND, *WIN, *CLOSE)
    tile = anna.card("forecast")
    expect(tile.locator("p")).to_have_count(3)
    expect(tile).to_contain_text("Su 100 gettoni (200,00 EUR) il jackpot costa 160,00 EUR.")
    anna.page.locator("#language").click()
    expect(tile).to_contain_text("Of 100 tokens (200.00 EUR) the jackpot costs 160.00 EUR.")
    anna.show("plots")
    plot = anna.page.locator("#forecast-plot svg")
    expect(plot).to_contain_text("The meter forecast, EUR")
    expect(plot.locator(".band, .median, .played")).to_have_count(6)


QUESTIONS = {
    "what does the table do": (".state", "Award pending"),
    "how much came in": (".drop", "8.00"),
    "how much was paid": (".paid-out", "200.08"),
    "what is the jackpot, and how does it grow": (".growth", "from tonight's tokens +5.60"),
    "what went wrong, and when": (".trouble", "SHUFFLER_LOST"),
    "who did what": (".people", "hand 1 void"),
}
"""What a supervisor asks of a table, where the answer stands, and what it is."""

BUSY = (
    *(*ROUND, *WIN, "unplug shuffler", "wait 1200ms", "plug shuffler", "wait 3s"),
    *("press COIN_IN", "declare hand-void 1", "press GAME_OVER", "token 3", "press COIN_IN"),
    *("wait 300ms", "press FLUSH", "key JPL", "press JPOT"),
)


def test_a_supervisors_six_questions_are_answered_without_scrolling(supervisor: At) -> None:
    anna = supervisor(*BUSY, language="en")
    for question, (place, answer) in QUESTIONS.items():
        card = anna.page.locator(f".card{place}")
        expect(card).to_contain_text(answer)
        box = card.get_by_text(answer).first.bounding_box()
        assert box is not None, question
        assert box["y"] + box["height"] <= DESKTOP["height"], question
    expect(anna.card("trouble")).to_contain_text("refused NOT_OPEN")
    expect(anna.page.locator(".lane.faults .mark")).to_have_count(1)
    expect(anna.page.locator(".lane.refusals .mark")).to_have_count(1)
    expect(anna.page.locator(".lane.awards .mark")).to_have_count(1)
    seats = anna.page.locator(".heat-map tbody tr").last.locator("td")
    expect(seats).to_have_text(["1", "-", "1", "1", "-", "1", "-"])


LATE = "rgb(179, 38, 30)"
"""The colour of what is wrong, on a bright page."""

COLOUR_WHEN_LATE = """(card) => {
  card.classList.add("late");
  return getComputedStyle(card.querySelector(".waits")).color;
}"""
"""Asked at once: the page writes the card anew each second."""


def test_a_pending_award_says_how_long_it_waits(supervisor: At) -> None:
    anna = supervisor(*ROUND, language="en")
    alarm = anna.card("alarm")
    expect(alarm).to_contain_text("No award is pending.")
    anna.table.do(*WIN[:3])
    expect(alarm).to_contain_text("FULL HOUSE, winners: 1, each 200.08 EUR")
    expect(alarm.locator(".waits")).to_have_text(re.compile(r"waiting for 0:0\d"))
    expect(alarm.locator(".waits")).to_have_text("waiting for 0:04")
    expect(alarm.locator(".waits")).not_to_have_css("color", LATE)
    assert alarm.evaluate(COLOUR_WHEN_LATE) == LATE
    anna.table.do("key R")
    expect(alarm).to_contain_text("No award is pending.")


SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => window.shifts.push(...list.getEntries().map((one) => one.value));
  new PerformanceObserver(note).observe({ type: "layout-shift" });
}"""


def test_nothing_moves_while_the_table_is_played(supervisor: At) -> None:
    anna = supervisor(*ROUND)
    expect(anna.page.locator(".course canvas")).to_be_visible()
    expect(anna.card("forecast").locator("p")).to_have_count(3)
    anna.page.evaluate("window.scrollTo(0, 0)")
    anna.page.wait_for_timeout(600)
    anna.page.evaluate(SHIFTS)
    anna.table.play(*WIN, "press COIN_IN", "press GAME_OVER", "token 2", "press COIN_IN")
    anna.table.do("unplug shuffler", "wait 1500ms")
    expect(anna.card("faults.some")).to_be_visible()
    anna.table.do("plug shuffler", "wait 5s")
    expect(anna.card("meters")).to_contain_text("200,08")
    expect(anna.card("trouble")).to_contain_text("SHUFFLER_LOST")
    shifts = anna.page.evaluate("window.shifts")
    assert sum(shifts) < 0.001, shifts


def test_before_the_first_round_each_place_says_what_will_stand_there(supervisor: At) -> None:
    anna = supervisor()
    for kind, words in (
        ("drop", "Comincia con la prima mano (GAME OVER)."),
        ("course", "Dalla prima mano: la curva del jackpot"),
        ("trouble", "Dalla prima mano: che cosa, e quando."),
        ("people", "Qui accessi, dichiarazioni, azzeramenti, correzioni."),
        ("heat", "Dal primo gettone"),
        ("last-wins", "qui le ultime otto"),
    ):
        expect(anna.card(kind)).to_contain_text(words)
    anna.show("compare")
    expect(anna.page.locator("#compare-status")).to_have_text(
        "Il confronto si può fare dalla seconda notte."
    )


def test_two_nights_are_compared(supervisor: At) -> None:
    anna = supervisor(*ROUND, *WIN, *CLOSE, *ROUND, language="en")
    anna.show("compare")
    figures = anna.page.locator("#compare-figures tbody tr")
    for name, newer, older in (
        ("drop, EUR", "6.00", "6.00"),
        ("paid out, EUR", "0.00", "200.08"),
        ("hold, EUR", "6.00", "-194.08"),
    ):
        row = figures.filter(has_text=name).locator("td")
        expect(row).to_have_text([name, newer, older])
    assert anna.page.locator("#compare-plot canvas").evaluate(INKED)
    anna.page.locator("#compare-night").select_option("1")
    expect(figures.filter(has_text="hold, EUR").locator("td").nth(1)).to_have_text("-194.08")


def test_faults_are_marked_on_the_plots(supervisor: At) -> None:
    anna = supervisor(*ROUND, "unplug shuffler", "wait 1200ms", "plug shuffler", "wait 3s")
    anna.show("plots")
    expect(anna.page.locator("#plots-marked")).to_have_text("In rosso i guasti: SHUFFLER_LOST.")


def test_a_plot_grows_while_the_table_is_played(supervisor: At) -> None:
    anna = supervisor(*ROUND, "press GAME_OVER")
    anna.show("plots")
    expect(anna.page.locator("#plots-status")).to_contain_text("Mani 1-2")
    anna.table.play("token 2", "press COIN_IN", "press GAME_OVER")
    expect(anna.page.locator("#plots-status")).to_contain_text("Mani 1-3")


def test_a_table_without_a_jackpot_shows_no_money(supervisor: At) -> None:
    anna = supervisor("press GAME_OVER", "press COIN_IN", game="mini-punto-banco")
    expect(anna.card("accounts")).to_have_count(0)
    expect(anna.fact("Restano nel sabot")).to_have_text("0")
    anna.show("rounds")
    expect(anna.page.locator("#rounds thead th")).to_have_count(4)
    anna.show("plots")
    expect(anna.page.locator(".plot.hands")).to_be_visible()
    expect(anna.page.locator(".plot.jackpot")).to_have_count(0)


def test_a_lost_table_is_told_and_the_page_comes_back(supervisor: At, visits: Visits) -> None:
    """The pages end with the service: who looked enters again, as after ten minutes"""
    anna = supervisor(*ROUND)
    visits.expect(f"{GONE}|401")  # it may ask for something before it hears that it has ended
    anna.table.kill()
    notice = anna.page.get_by_role("alert").filter(has_text="Il tavolo non risponde")
    expect(notice).to_be_visible()
    expect(anna.page.locator("#live")).to_have_attribute("data-there", "no")
    anna.table.start()
    expect(anna.page.locator("#login-refused")).to_have_text("Sessione scaduta: accedere di nuovo.")
    expect(notice).to_be_hidden()
    anna.enter()
    expect(anna.page.locator(".card .jackpot")).to_have_text("10.004,20 EUR")


def test_all_of_it_by_keyboard(supervisor: At) -> None:
    anna = supervisor(*ROUND, entered=False)
    keyboard, focused = anna.page.keyboard, anna.page.locator(":focus")
    expect(anna.page.locator("#name")).to_be_focused()
    keyboard.type("anna")
    keyboard.press("Tab")
    keyboard.type(PIN)
    keyboard.press("Enter")
    expect(anna.card("state")).to_be_visible()
    anna.page.locator("#views a").first.focus()
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(anna.page.locator("main")).to_be_focused()
    expect(anna.page.locator("#rounds tbody a")).to_have_count(1)
    for name in ("rounds-night", "round-number"):
        keyboard.press("Tab")
        expect(focused).to_have_attribute("id", name)
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(focused).to_have_text("1")
    keyboard.press("Enter")
    expect(anna.page.locator("#round-title")).to_have_text("Mano 1")
