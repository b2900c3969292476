"""What the supervisor's page may ask: addresses, their parameters, why there is no answer."""

import html
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import hdrs, web

from console.bordereau.sheet import text_of
from console.bordereau.words import Wording
from console.office.ledger.labels import LABEL
from console.office.rake import (
    HOUSES,
    RakeMistake,
    RakePart,
    RakeQuestion,
    answer_rake,
)
from console.texts import page_texts
from console.texts.catalogue.entries import CatalogueEntry, CodeKind, catalogue
from console.texts.language import Language, Words
from console.texts.page_texts import AS_TEXT, BACK, BUSY, NO_SUCH, NOT_ASKED, NOT_READ
from console.web.messages import PagesOpening
from console.web.serving.entrance.login import json_answer, refusal_answer
from console.web.serving.entrance.pins import OpenPins
from console.web.serving.entrance.routes import EnteredPage, Entrance
from console.web.serving.sockets import Handler
from console.web.serving.supervisor.answers import Answers, NotAnswered, Span
from console.web.serving.supervisor.reading_thread import Limit, ReadingThread
from console.web.serving.viewers import Audience, Viewers
from jackpot.failures import Damaged, Refused, Unavailable
from jackpot.money.rake import FEWEST_PLAYERS, MOST_PLAYERS

MISTAKES: Mapping[RakePart, Words] = {
    RakePart.HOUSE: page_texts.HOUSES_CASH_GAME.fill(", ".join(HOUSES)),
    RakePart.POTS: page_texts.POTS_AMOUNTS_SUCH_AS,
    RakePart.RATE: page_texts.RATE_FROM_SUCH_AS,
    RakePart.FIXED: page_texts.FIXED_PART_AMOUNT_SUCH,
    RakePart.CAP: page_texts.CAP_WHOLE_EURO_SUCH,
    RakePart.PLAYERS: page_texts.PLAYERS_FROM_NEEDED_WHERE.fill(FEWEST_PLAYERS, MOST_PLAYERS),
    RakePart.TERMS: page_texts.HOUSE_DOES_NOT,
}
"""What would be right, by what is wrong."""


log = logging.getLogger(__name__)

NIGHTS = {"tonight": 1, "week": 7}
ASK_AGAIN_S = 2

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


def answer_query(query: Mapping[str, str]) -> dict[str, Any]:
    """The answer of `banco rake --json`, and its line. Raises RakeMistake.

    `pots` are separated by blanks; `half`, `shared` and `no_flop` count where they are there.
    """
    question = RakeQuestion(
        query.get("house", ""),
        tuple(query.get("pots", "").split()),
        rate=query.get("rate"),
        fixed=query.get("fixed"),
        cap=query.get("cap"),
        players=query.get("players"),
        half="half" in query,
        shared="shared" in query,
        no_flop="no_flop" in query,
    )
    answer = answer_rake(question)
    return {"line": answer.line, **msgspec.to_builtins(answer)}


@cache
def fault_texts() -> dict[str, Any]:
    """Every fault by its code, in both languages."""
    return {entry.code: _in_both_languages(entry) for entry in catalogue().of(CodeKind.FAULT)}


def _in_both_languages(entry: CatalogueEntry) -> dict[str, Any]:
    return {language.value: _in(entry, language) for language in Language}


def _in(entry: CatalogueEntry, language: Language) -> dict[str, Any]:
    text = entry.in_(language)
    return {
        "means": text.means,
        "check": text.check,
        "meanwhile": text.meanwhile,
        "do": text.do,
        "clears": text.clears,
    }


class Questions:
    """Each by its address behind /supervisor/; asked by people who have entered."""

    def __init__(self, opening: PagesOpening) -> None:
        self._language = opening.language
        self._settings = opening.settings
        self._reading = ReadingThread(Path(opening.ledger))
        self._answers = Answers(opening.house)
        self.answers: Mapping[str, Handler] = {
            path: _explain_refusals(answer)
            for path, answer in (
                ("faults", self._faults),
                ("nights", self._nights),
                ("meters", self._meters),
                ("life", self._life),
                ("course", self._course),
                ("compare", self._compare),
                ("rounds", self._rounds),
                ("round", self._round),
                ("plots", self._plots),
                ("forecast", self._forecast),
                ("report", self._report),
                ("report.txt", self._report_text),
                ("report.pdf", self._report_pdf),
                ("rake", self._rake),
            )
        }

    def close(self) -> None:
        """Read no more."""
        self._reading.close()

    async def _faults(self, _: web.Request) -> web.StreamResponse:
        return json_answer(fault_texts())

    async def _nights(self, _: web.Request) -> web.StreamResponse:
        return await self._answer(self._answers.nights)

    async def _meters(self, _: web.Request) -> web.StreamResponse:
        return await self._answer(self._answers.meters)

    async def _life(self, _: web.Request) -> web.StreamResponse:
        return await self._answer(self._answers.life)

    async def _course(self, _: web.Request) -> web.StreamResponse:
        return await self._answer(self._answers.course)

    async def _compare(self, request: web.Request) -> web.StreamResponse:
        first, other = number_in(request, "night"), number_in(request, "other")
        return await self._answer(partial(self._answers.compare, first=first, other=other))

    async def _rounds(self, request: web.Request) -> web.StreamResponse:
        first, before = number_in(request, "night"), number_in(request, "before")
        return await self._answer(partial(self._answers.rounds, first=first, before=before))

    async def _round(self, request: web.Request) -> web.StreamResponse:
        number = number_in(request, "number")
        if number is None:
            raise _not_understood()
        return await self._answer(partial(self._answers.round, number=number))

    async def _plots(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(partial(self._answers.plots, span=span_in(request)))

    async def _forecast(self, request: web.Request) -> web.StreamResponse:
        if self._settings is None:
            raise _not_understood()
        _, say = self._night_and_language(request)
        work = partial(self._answers.forecast, settings=self._settings, say=say)
        return await self._answer(work)

    async def _report(self, request: web.Request) -> web.StreamResponse:
        first, say = self._night_and_language(request)
        return await self._answer(partial(self._answers.report, first=first, say=say))

    async def _report_text(self, request: web.Request) -> web.StreamResponse:
        first, say = self._night_and_language(request)
        sheet = await self._reading.ask(partial(self._answers.sheet, first=first, say=say))
        return web.Response(text=text_of(sheet), headers=_as_file(first, "txt"))

    async def _report_pdf(self, request: web.Request) -> web.StreamResponse:
        first, say = self._night_and_language(request)
        made = await self._reading.ask(partial(self._answers.pdf, first=first, say=say))
        if isinstance(made, Words):
            if "text/html" in request.headers.get(hdrs.ACCEPT, ""):
                return _page_without_pdf(request, say, made)
            return refusal_answer("NO_PDF", 501, made)
        headers = _as_file(first, "pdf")
        return web.Response(body=made, content_type="application/pdf", headers=headers)

    async def _rake(self, request: web.Request) -> web.StreamResponse:
        return json_answer(answer_query(request.query))

    async def _answer(self, work: Callable[[Path, Limit], object]) -> web.StreamResponse:
        return json_answer(await self._reading.ask(work))

    def _night_and_language(self, request: web.Request) -> tuple[int | None, Wording]:
        asked = request.query.get("lang", self._language)
        try:
            language = Language(asked)
        except ValueError as error:
            raise _not_understood() from error
        return number_in(request, "night"), Wording(language)


def _explain_refusals(answer: Handler) -> Handler:
    """The handler, or a refusal that says why there is no answer."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await answer(request)
        except NotAnswered as error:
            return refusal_answer(error.code, error.status, error.words)
        except RakeMistake as error:
            return refusal_answer(f"RAKE_{error.part.name}", 400, MISTAKES[error.part])
        except Refused:
            return refusal_answer("NO_SUCH", 404, NO_SUCH)
        except TimeoutError:
            return refusal_answer("BUSY", 503, BUSY, wait_s=ASK_AGAIN_S)
        except (Unavailable, Damaged, OSError) as error:
            log.error("supervisor's page: the ledger cannot be read: %s", error)
            return refusal_answer("NOT_READ", 503, NOT_READ, wait_s=ASK_AGAIN_S)

    return handle


def _not_understood() -> NotAnswered:
    return NotAnswered("NOT_UNDERSTOOD", 400, NOT_ASKED)


def number_in(request: web.Request, name: str) -> int | None:
    """A whole number in an address; None: it is not there. Raises NotAnswered."""
    text = request.query.get(name)
    if text is None:
        return None
    if not _NUMBER.fullmatch(text):
        raise _not_understood()
    return int(text)


def span_in(request: web.Request) -> Span:
    """`span=tonight` or `week`; `first=3&last=17`; `since=` and `until=`, beginnings of labels.

    Raises NotAnswered.
    """
    first, last = number_in(request, "first"), number_in(request, "last")
    since, until = _label_in(request, "since"), _label_in(request, "until")
    if first is not None or last is not None:
        if first is None or last is None or first > last:
            raise _not_understood()
        return Span(rounds=(first, last))
    if since or until:
        return Span(since=since, until=until)
    nights = NIGHTS.get(request.query.get("span", "tonight"))
    if nights is None:
        raise _not_understood()
    return Span(nights)


def _label_in(request: web.Request, name: str) -> str:
    label = request.query.get(name, "")
    if label and not LABEL.fullmatch(label):
        raise _not_understood()
    return label


def _page_without_pdf(request: web.Request, say: Wording, why: Words) -> web.Response:
    """For somebody who has followed a link: why there is no PDF, and two ways on."""
    ways = (
        (str(request.rel_url.with_path(f"{SUPERVISOR}/report.txt", keep_query=True)), say(AS_TEXT)),
        (SUPERVISOR, say(BACK)),
    )
    links = "".join(f'<p><a href="{html.escape(to)}">{name}</a></p>' for to, name in ways)
    text = (
        f'<!doctype html><html lang="{say.language.value}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>banco</title><link rel="stylesheet" href="/pages/common/page.css">'
        f"<main><h1>PDF</h1><p>{html.escape(say(why))}</p>{links}</main></html>"
    )
    return web.Response(status=501, text=text, content_type="text/html")


def _as_file(first: int | None, kind: str) -> dict[str, str]:
    name = f"bordereau-{first}.{kind}" if first is not None else f"bordereau.{kind}"
    return {hdrs.CONTENT_DISPOSITION: f'attachment; filename="{name}"'}


SUPERVISOR = "/supervisor"


def add_supervisor(
    app: web.Application,
    opening: PagesOpening,
    viewers: Viewers,
    open_pins: OpenPins,
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Add the page's routes; their resources begin and end with the application.

    `now`: seconds of the monotonic clock, by which sessions end.
    """
    entrance = Entrance(app, _page_of(opening, open_pins), viewers, now)
    questions = Questions(opening)

    async def close_questions(_: web.Application) -> AsyncIterator[None]:
        yield
        questions.close()

    app.cleanup_ctx.append(close_questions)
    for path, answer in questions.answers.items():
        app.router.add_get(f"{SUPERVISOR}/{path}", entrance.require_login(answer))


def _page_of(opening: PagesOpening, open_pins: OpenPins) -> EnteredPage:
    return EnteredPage(
        name="supervisor's page",
        path=SUPERVISOR,
        audience=Audience.SUPERVISOR,
        open_pins=open_pins,
        log_addresses=opening.listening.log_addresses,
        place={
            "table": opening.table,
            "language": opening.language,
            "simulated": opening.simulated,
            "enrol": opening.enrol,
        },
    )
