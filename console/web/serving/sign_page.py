"""The sign's page as it is sent: the amount stands in it already, so the first paint shows it."""

from collections.abc import Mapping
from html import escape
from string import Template

from aiohttp import hdrs, web

from console.rules.games import ShoeKind
from console.texts.display import TEXTS
from console.texts.language import Language
from console.texts.page_words import Page, page_word
from console.texts.table_texts import GAME_NAMES
from console.web.messages import PagesOpening, TableSnapshot
from console.web.serving.files import StaticFile, join_sheets
from console.web.serving.table_receiver import TableReceiver
from jackpot.amounts import parse_cents

WALL, SMALL = "wall", "small"
READING = ShoeKind.READING.value


class SignPage:
    """Answers with the sign. `sheets`: its style, by its size."""

    def __init__(self, receiver: TableReceiver, files: Mapping[str, StaticFile]) -> None:
        """`files`: all of the pages'."""
        self._template = Template(files["sign.html"].plain.decode())
        self._receiver = receiver
        shoe = [files["sign/shoe.css"]] if receiver.opening.shoe == READING else []
        both = [files["common/page.css"], files["sign/sign.css"], *shoe]
        self.sheets = {
            size: join_sheets([*both, files[f"sign/{size}.css"]]) for size in (WALL, SMALL)
        }

    async def answer(self, request: web.Request) -> web.Response:
        """`?lang=it|en` and `?size=small`; any other query is ignored."""
        text = self.text(request.query)
        return web.Response(
            text=text, content_type="text/html", headers={hdrs.CACHE_CONTROL: "no-store"}
        )

    def text(self, asked: Mapping[str, str]) -> str:
        """The page for an address's query, with the newest snapshot."""
        opening = self._receiver.opening
        language = _language(opening, asked)
        small = asked.get("size") == SMALL
        words = _words(opening, language, small) | _amount(
            self._receiver.snapshot, opening, language
        )
        plain = {name: escape(word) for name, word in words.items()}
        banner = _banner(language) if opening.simulated else ""
        return self._template.substitute(plain, banner=banner)


def _words(opening: PagesOpening, language: Language, small: bool) -> dict[str, str]:
    title = GAME_NAMES[opening.game].in_(language).upper()
    classes = {SMALL: small, "simulated": opening.simulated}
    return {
        "language": language.value,
        "classes": " ".join(name for name, true in classes.items() if true),
        "game": opening.game,
        "view": _view(opening),
        "sheet": SMALL if small else WALL,
        "table": opening.table,
        "title": title,
        "gone": page_word(Page.SIGN, "gone").in_(language),
        "heading": TEXTS[language].jackpot if opening.combinations else title,
    }


def _amount(
    snapshot: TableSnapshot | None, opening: PagesOpening, language: Language
) -> dict[str, str]:
    """The amount; empty where there is none, or no snapshot yet."""
    amount = ""
    if snapshot is not None and snapshot.jackpot is not None and opening.combinations:
        amount = amount_written(snapshot.jackpot, language)
    return {
        "amount": amount,
        "digits": str(sum(map(str.isdigit, amount))),
        "spoken": f"{amount} EUR" if amount else "",
    }


def _view(opening: PagesOpening) -> str:
    """What the page shows at first: the jackpot, the shoe's road, or the name of the game."""
    if opening.combinations:
        return "jackpot"
    return "road" if opening.shoe == READING else "game"


def _language(opening: PagesOpening, asked: Mapping[str, str]) -> Language:
    known = {language.value: language for language in Language}
    return known.get(asked.get("lang", ""), known[opening.language])


def amount_written(amount: str, language: Language) -> str:
    """`-12345.67` as the language writes it: `-12.345,67`."""
    sign = "-" if amount.startswith("-") else ""
    written = TEXTS[language].amount(parse_cents(amount.removeprefix("-")))
    return sign + written.removesuffix("EUR").strip()


def _banner(language: Language) -> str:
    """As `showBanner` in pages/common/frame.js lays it: the page's language first."""
    banner = page_word(Page.COMMON, "banner")
    in_both = sorted(Language, key=lambda one: one is not language)
    spans = "".join(f'<span lang="{one.value}">{banner.in_(one)}</span>' for one in in_both)
    return f'<aside class="banner">{spans}</aside>'
