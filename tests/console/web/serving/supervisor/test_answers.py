"""The answers to the supervisor's page about nights that were played at a table."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from console.bordereau.nights import bordereau_of, newest_night
from console.bordereau.sections import sheet_of
from console.bordereau.sheet import text_of
from console.bordereau.words import Wording
from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.texts.language import Language
from console.texts.layout import plain
from console.web.serving.supervisor.answers import FORECAST, Answers, Span
from console.web.serving.supervisor.questions import Questions
from console.web.serving.supervisor.reading_thread import Limit
from jackpot.failures import Unavailable
from jackpot.money.amounts import format_cents, to_cents
from jackpot.money.prizes import Prize, PrizeTable
from tests.console.bordereau.played_nights import (
    NIGHT,
    SETTINGS,
    TRAY,
    ledger_of,
    play_night,
)
from tests.console.line.access.login_bench import enrol
from tests.console.real_table import type_command
from tests.console.table import Table, table_in
from tests.console.web.supervised import (
    Page,
    opening_of,
    serve_supervisor,
)
from tests.deadlines import DEADLINE_S

PRIZES = Path(__file__).parents[4] / "scenarios" / "prizes"
NEXT = ("press GAME_OVER", "token 1 2 5", "press COIN_IN", "wait 20s", "press GAME_OVER")
"""The night after NIGHT: one round, and the next one open."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """NIGHT, closed, and a round of the next one."""
    with play_night(tmp_path / "table", *NIGHT, TRAY, *NEXT, settings=SETTINGS) as table:
        yield table


HOUSE = "Casa da gioco, Sanremo"

RunAtPage = Callable[[Callable[[Page], Awaitable[None]]], None]


@pytest.fixture
def at_page(table: Table, tmp_path: Path) -> RunAtPage:
    """Runs what somebody does who has logged in."""
    enrol(tmp_path / "people.toml", "anna")

    def run(story: Callable[[Page], Awaitable[None]]) -> None:
        async def within() -> None:
            async with (
                asyncio.timeout(DEADLINE_S),
                serve_supervisor(opening_of(ledger_of(table), house=HOUSE), tmp_path) as page,
            ):
                assert (await page.enter()).status == 200
                await story(page)

        asyncio.run(within())

    return run


def test_the_meters_begin_where_the_tray_was_counted(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        answer = await page.read("meters")
        assert (answer["night"]["first"], answer["night"]["closed"]) == (5, False)
        assert (answer["rounds"], answer["staked"], answer["taken"]) == (2, 1, 3)
        assert answer["contributions"] == {"jackpot": "4.20", "reserve": "0.60", "house": "1.20"}
        assert (answer["awards"], answer["paid"], answer["more"]) == (0, "0.00", False)

    at_page(story)


def test_the_meters_of_a_life_are_of_every_night(at_page: RunAtPage, table: Table) -> None:
    async def story(page: Page) -> None:
        answer = await page.read("life")
        assert answer["first"] == 1
        assert answer["paid"] == format_cents(to_cents(table.state.balances.paid))
        assert sum(one["hits"] for one in answer["prizes"]) == len(answer["wins"])
        assert (await page.read("meters"))["taken"] < answer["tokens"]

    at_page(story)


def test_the_meters_grow_while_the_table_is_played(at_page: RunAtPage, table: Table) -> None:
    async def story(page: Page) -> None:
        before = await page.read("meters")
        await asyncio.to_thread(
            table.play,
            *("token 7", "press COIN_IN", "press FLUSH", "key JPL", "press JPOT", "key R"),
        )
        after = await page.read("meters")
        assert after["taken"] == before["taken"] + 1
        assert after["awards"] == 1
        paid = table.state.balances.paid - paid_before
        assert after["paid"] == format_cents(to_cents(paid))

    paid_before = table.state.balances.paid
    at_page(story)


def test_every_night_is_listed_the_newest_first(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        nights = (await page.read("nights"))["nights"]
        assert [(one["first"], one["last"], one["closed"]) for one in nights] == [
            (5, 6, False),
            (1, 4, True),
        ]

    at_page(story)


def test_a_nights_rounds_are_listed_the_newest_first(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        newest = await page.read("rounds")
        assert [one["round"] for one in newest["rounds"]] == [6, 5]
        closed = await page.read("rounds?night=1")
        assert [one["tokens"] for one in closed["rounds"]] == [0, 1, 1, 2]
        assert (closed["earlier"], closed["more"]) == (False, False)
        part = await page.read("rounds?night=1&before=3")
        assert [one["round"] for one in part["rounds"]] == [2, 1]

    at_page(story)


def test_a_round_is_told_act_by_act_and_played_again(at_page: RunAtPage, table: Table) -> None:
    async def story(page: Page) -> None:
        answer = await page.read("round?number=2")
        records = [one for one in table.records if one.round == 2 and one.kind != "snapshot"]
        assert [act["seq"] for act in answer["acts"]] == [record.seq for record in records]
        assert (answer["problems"], answer["cut"]) == (0, 0)
        first, again = answer["acts"][:2]
        assert first["text"] == {"it": "GAME OVER", "en": "GAME OVER"}
        assert first["after"]["it"].startswith("puntate aperte")
        assert (again["outcome"], again["refusal"]) == ("refused", "ALREADY_OPEN")
        assert {"jackpot": "1.40", "reserve": "0.20"}.items() <= answer["acts"][4]["moved"].items()

    at_page(story)


def test_a_report_is_the_paper_that_banco_report_prints(at_page: RunAtPage, table: Table) -> None:
    async def story(page: Page) -> None:
        folder = ledger_of(table)
        for language in ("it", "en"):
            answer = await page.read(f"report?night=1&lang={language}")
            text = (await page.ask(f"report.txt?night=1&lang={language}")).body["text"]
            say = Wording(Language(language))
            report = bordereau_of(folder, newest_night(folder, closed=True))
            paper = sheet_of(report, say, HOUSE)
            assert text == text_of(paper)
            assert answer["sheet"]["title"] == paper.title
            titles = [section["title"] for section in answer["sheet"]["sections"]]
            assert titles == [section.title for section in paper.sections]
            assert "narrow" not in str(answer)

    at_page(story)


def test_a_report_is_a_file_in_the_language_of_the_table(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        text = await page.ask("report.txt?night=1")
        assert 'filename="bordereau-1.txt"' in text.headers["Content-Disposition"]
        assert "VASCHETTA" in text.body["text"]
        assert text.body["text"].split("\n")[0].strip() == HOUSE
        async with page.client.get("/supervisor/report.pdf?night=1") as pdf:
            assert pdf.content_type == "application/pdf"
            assert (await pdf.read()).startswith(b"%PDF-")

    at_page(story)


def test_without_its_library_a_link_to_the_pdf_leads_on(
    at_page: RunAtPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(page: Page) -> None:
        address = "/supervisor/report.pdf?night=1&lang=en"
        async with page.client.get(address, headers={"Accept": "text/html,*/*"}) as answer:
            assert (answer.status, answer.content_type) == (501, "text/html")
            text = await answer.text()
        assert "needs the library fpdf2" in text
        assert 'href="/supervisor/report.txt?night=1&amp;lang=en"' in text
        assert 'href="/supervisor"' in text
        assert (await page.ask("report.pdf?night=1")).body["refused"] == "NO_PDF"

    monkeypatch.setitem(sys.modules, "console.bordereau.pdf", None)
    at_page(story)


def test_plots_are_of_tonight_of_a_week_of_rounds_or_of_times(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        tonight, week = await page.read("plots"), await page.read("plots?span=week")
        assert (tonight["rounds"], week["rounds"]) == ([5, 6], [1, 6])
        assert tonight["stakes"]["round"] == week["stakes"]["round"][-1:] == [5]
        assert tonight["stakes"]["value"] == [3.0]
        assert tonight["jackpot"]["at"] == week["jackpot"]["at"][-len(tonight["jackpot"]["at"]) :]
        rounds = await page.read("plots?first=2&last=3")
        assert (rounds["rounds"], rounds["stakes"]["value"]) == ([2, 3], [1.0, 1.0])
        since = (await page.read("rounds?night=1"))["rounds"][1]["opened"]
        times = await page.read(f"plots?since={since.removesuffix('+00:00')}")
        assert times["rounds"] == [3, 6]
        until = await page.read("plots?until=1999")
        assert (until["rounds"], until["jackpot"]["at"]) == (None, [])

    at_page(story)


@pytest.mark.sampled
@pytest.mark.parametrize("language", Language)
def test_the_forecast_says_what_the_command_says(at_page: RunAtPage, language: Language) -> None:
    """PRIZES 3.13"""
    command = type_command(
        *("forecast", "--sim", "--runs", "100", "--seed", "1", "--lang", language.value)
    )
    printed = command.out.splitlines()[:3]

    async def story(page: Page) -> None:
        answer = await page.read(f"forecast?lang={language.value}")
        assert [plain(line) for line in answer["lines"]] == printed
        assert 'class="band"' in answer["plot"]
        (curve,) = re.findall(r'class="played" points="([^"]+)"', answer["plot"])
        assert len(curve.split()) > 3
        assert not answer["more"]

    at_page(story)


def test_a_forecast_beside_many_nights_is_read_to_its_end(tmp_path: Path) -> None:
    """More nights than are remembered, and fewer records an answer than they have."""
    nights = [*NEXT, "press COIN_IN", TRAY] * 14
    with play_night(tmp_path / "table", *nights, settings=SETTINGS) as table:
        answers, settings = Answers(""), TablePlan().settings()
        for simulated in (FORECAST.runs, *[0] * 20):
            limit = Limit(simulated + 10)
            answer = answers.forecast(ledger_of(table), limit, settings, Wording(Language.IT))
            if not answer["more"]:
                return
    pytest.fail("the reading begins again and again")


def test_a_prize_without_a_chance_is_not_forecast(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")
    prize = Prize("WHEEL", 10_000, high=True, it="RUOTA", en="WHEEL")
    settings = TablePlan(prizes=PrizeTable((prize,))).settings()

    async def story() -> None:
        opening = opening_of(tmp_path / "ledger", settings=settings)
        async with asyncio.timeout(DEADLINE_S), serve_supervisor(opening, tmp_path) as page:
            await page.enter()
            answer = await page.read("forecast")
            assert answer["plot"] == ""
            assert "WHEEL" in answer["lines"][0]

    asyncio.run(story())


def test_an_answer_names_the_currency_of_its_own_records(tmp_path: Path) -> None:
    """The table has had another one since."""
    answers, limit = Answers(""), Limit(10_000)
    hand = ("press GAME_OVER", "token 1", "press COIN_IN", "press GAME_OVER", "press COIN_IN")
    ledgers = []
    for named in ((f"prizes {PRIZES / 'new-names.toml'}",), ()):
        with table_in(tmp_path, *named) as table:
            table.play(*hand, "declare tray 1")
            ledgers.append(ledger_of(table))
    ledger = ledgers[-1]
    *_, oldest = answers.nights(ledger, limit)["nights"]
    assert answers.rounds(ledger, limit, oldest["first"], None)["currency"] == "CHF"
    assert answers.round(ledger, limit, 1)["currency"] == "CHF"
    assert answers.meters(ledger, limit)["currency"] == "EUR"
    assert answers.plots(ledger, limit, Span(nights=7))["currency"] == "CHF / EUR"


def test_no_night_is_read_for_somebody_who_has_gone(table: Table) -> None:
    """Each question would hold up all that are asked after it."""
    limit, answers = Limit(), Answers(HOUSE)
    say, folder = Wording(Language.IT), ledger_of(table)
    assert answers.report(folder, limit, 1, say)["sheet"]
    limit.give_up()
    for read in (answers.report, answers.pdf):
        with pytest.raises(Unavailable):
            read(folder, limit, 1, say)
    with pytest.raises(Unavailable):
        Answers(HOUSE).nights(folder, limit)


def test_what_is_not_on_record_is_told_as_such(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        for question in (
            *("round?number=99", "rounds?night=2", "report?night=99", "report.txt?night=99"),
            *("plots?first=90&last=99", "plots?since=2999"),
        ):
            answer = await page.ask(question)
            assert (answer.status, answer.body["refused"]) == (404, "NO_SUCH"), question

    at_page(story)


@pytest.mark.parametrize(
    "question",
    [
        *("round", "round?number=-1", "round?number=1e3", "round?number=9999999999"),
        *("rounds?night=%F0%9F%82%A1", "rounds?before=x", "report?lang=fr", "report?night="),
        *("plots?span=ever", "plots?first=3", "plots?first=3&last=2", "plots?since=yesterday"),
        *("plots?until=2026-11-20T21:30'--", "round?number=%D9%A3"),
    ],
)
def test_what_is_no_question_is_refused(at_page: RunAtPage, question: str) -> None:
    async def story(page: Page) -> None:
        answer = await page.ask(question)
        assert (answer.status, answer.body["refused"]) == (400, "NOT_UNDERSTOOD")

    at_page(story)


def test_every_fault_says_what_to_do_in_both_languages(at_page: RunAtPage) -> None:
    async def story(page: Page) -> None:
        answer = await page.read("faults")
        assert set(answer) == {fault.value for fault in Fault}
        for text in answer.values():
            assert text["it"]["check"]
            assert text["en"]["means"]

    at_page(story)


def test_a_ledger_that_cannot_be_read_is_told_and_nothing_of_it(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def story() -> None:
        async with serve_supervisor(opening_of(tmp_path / "nowhere"), tmp_path) as page:
            await page.enter()
            for question in ("meters", "rounds", "nights", "plots", "report.txt"):
                answer = await page.ask(question)
                assert (answer.status, answer.body["refused"]) == (503, "NOT_READ")
                assert str(tmp_path) not in str(answer.body)

    asyncio.run(story())


def test_a_ledger_without_a_round_has_no_night(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def story(ledger: Path) -> None:
        async with serve_supervisor(opening_of(ledger), tmp_path) as page:
            await page.enter()
            assert await page.read("meters") == {"night": None}
            assert await page.read("course") == {"night": None}
            assert await page.read("compare") == {"nights": []}
            assert (await page.read("nights"))["nights"] == []
            assert (await page.read("plots"))["rounds"] is None
            assert (await page.ask("rounds")).status == 404

    with play_night(tmp_path / "table", "wait 1s") as table:
        asyncio.run(story(ledger_of(table)))


def test_every_question_is_answered_to_who_has_entered_only() -> None:
    """A new address is guarded without being thought of: it can only be added here"""
    questions = Questions(opening_of(Path("ledger")))
    assert set(questions.answers) == {
        *("compare", "course", "faults", "forecast", "life", "meters", "nights", "plots"),
        *("report", "report.pdf", "report.txt", "round", "rounds", "rake"),
    }
    questions.close()
