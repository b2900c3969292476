"""The sign's page as it is sent: the amount stands in it already, so the first paint shows it."""

from collections.abc import Callable, Mapping
from html import escape
from string import Template

from aiohttp import hdrs, web
from msgspec import Struct, field

from console.configuration.sign_section import SignSection
from console.rules.games import ShoeKind
from console.texts import page_texts
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.page_words import Page, page_word
from console.texts.table_texts import GAME_NAMES, TOURNAMENT, names_from
from console.web.messages import PagesOpening, TableSnapshot
from console.web.serving.files import StaticFile, join_sheets
from jackpot.money.amounts import Cents, parse_cents
from jackpot.money.prizes import EURO

SMALL = "small"
SIGN_SHEET = "/sign.css"
LOGO = "/logo"
JACKPOT, ROAD, CLOCK = "jackpot", "road", "clock"
SHEETS = ("common/page.css", "sign/sign.css", "sign/shapes.css", "sign/award.css")
VIEW_SHEETS = {ROAD: "sign/shoe.css", CLOCK: "sign/clock.css"}
"""The style that a view has for itself."""
CENTS_DIGITS = 2
READING = ShoeKind.READING.value


class SignFace(Struct, frozen=True):
    """What a sign shows before its script runs.

    `name`: the table's, or the jackpot's. `game`: "" while it is not known. `view`: the jackpot,
    the shoe's road, the tournament's clock, or the name of the game. `live`: the socket's path.
    `amount`: of the jackpot, written `12345.67`; None: it comes with the first message, and
    `unknown` stands there till then. `gone`: the word for a lost sign. `sheet`: the address of its
    style. `known_as`: what people call the game, where that is not `game`. `currency`: what stands
    behind the amount. `limit`: of the jackpot; None: there is none. `look`:
    what the house has on its sign.
    """

    name: str
    game: str
    language: str
    simulated: bool
    view: str
    live: str
    amount: str | None
    unknown: str = ""
    gone: str = "gone"
    sheet: str = SIGN_SHEET
    known_as: str = ""
    currency: str = EURO
    limit: Cents | None = None
    look: SignSection = field(default_factory=SignSection)


class SignPage:
    """Answers with the sign. `sheet`: its style."""

    def __init__(
        self, files: Mapping[str, StaticFile], look: Callable[[], SignFace], view: str
    ) -> None:
        """`files`: all of the pages'. `look`: what is to be shown now, always this view."""
        self._template = Template(files["sign.html"].plain.decode())
        self._look = look
        names = (*SHEETS, VIEW_SHEETS[view]) if view in VIEW_SHEETS else SHEETS
        self.sheet = join_sheets([files[name] for name in names], _colours(look().look))

    async def answer(self, request: web.Request) -> web.Response:
        """`?lang=it|en` and `?size=small`; any other query is ignored."""
        text = self.text(request.query)
        return web.Response(
            text=text, content_type="text/html", headers={hdrs.CACHE_CONTROL: "no-store"}
        )

    def text(self, asked: Mapping[str, str]) -> str:
        """The page for an address's query, as things are now."""
        face = self._look()
        language = _language(face, asked)
        small = asked.get("size") == SMALL
        words = _words(face, language, small) | _amount(face, language)
        plain = {name: escape(word) for name, word in words.items()}
        plain["amount"] = _amount_in_parts(words["amount"], face)
        plain["house"] = _house(face.look)
        banner = _banner(language) if face.simulated else ""
        return self._template.substitute(plain, banner=banner)


def face_of_table(opening: PagesOpening, snapshot: TableSnapshot | None) -> SignFace:
    """The sign of a table; `snapshot`: the newest.

    What a pending award leaves is no amount to begin with.
    """
    shows = snapshot is not None and bool(opening.combinations) and snapshot.seen["award"] is None
    names = names_from(opening.game, opening.prizes)
    return SignFace(
        name=opening.table,
        game=opening.game,
        known_as=opening.known_as,
        language=opening.language,
        simulated=opening.simulated,
        view=view_of(opening),
        live="/live/sign",
        amount=snapshot.jackpot if snapshot is not None and shows else None,
        currency=opening.sign.currency or names.currency,
        limit=names.limit,
        look=opening.sign,
    )


def _colours(look: SignSection) -> str:
    """The house's colours; no page may have a style in its markup (decision 0009)."""
    colours = {"ground": look.ground, "ink": look.ink, "accent": look.accent}
    return ":root {" + "".join(f" --{name}: {value};" for name, value in colours.items()) + " }\n"


def _words(face: SignFace, language: Language, small: bool) -> dict[str, str]:
    title = (face.look.game or _title(face).in_(language)).upper()
    classes = {SMALL: small, "simulated": face.simulated}
    return {
        "language": language.value,
        "classes": " ".join(name for name, true in classes.items() if true),
        "game": face.game,
        "view": face.view,
        "live": face.live,
        "sheet": face.sheet,
        "currency": face.currency,
        "table": face.name,
        "title": title,
        "gone_word": face.gone,
        "gone": page_word(Page.SIGN, face.gone).in_(language),
        "heading": TEXTS[language].jackpot if face.view == JACKPOT else title,
    }


def _house(look: SignSection) -> str:
    """Its logo, named by the house for who does not see it; without one the name."""
    name = escape(look.house)
    return f'<img class="logo" src="{LOGO}" alt="{name}">' if look.logo else name


def _title(face: SignFace) -> Words:
    if face.game:
        return GAME_NAMES[face.known_as or face.game]
    return TOURNAMENT if face.view == CLOCK else page_texts.NO_TITLE


def _amount(face: SignFace, language: Language) -> dict[str, str]:
    amount = amount_written(face.amount, language) if face.amount is not None else ""
    at_limit = reaches_limit(face.amount, face.limit)
    return {
        "amount": amount or face.unknown,
        "digits": str(sum(map(str.isdigit, amount))),
        "max_hidden": "" if at_limit else " hidden",
        "spoken": f"{amount} {face.currency}{' MAX' if at_limit else ''}" if amount else "",
    }


def _amount_in_parts(amount: str, face: SignFace) -> str:
    """As pages/sign/odometer.js lays it: the cents are smaller."""
    if face.amount is None:
        return escape(amount)
    at = len(amount) - CENTS_DIGITS - 1
    return f'<span class="euros">{amount[:at]}</span><span class="cents">{amount[at:]}</span>'


def view_of(opening: PagesOpening) -> str:
    """What the sign of this table shows."""
    if opening.combinations:
        return JACKPOT
    if opening.poker is not None and opening.poker.steps:
        return CLOCK
    return ROAD if opening.shoe == READING else "game"


def _language(face: SignFace, asked: Mapping[str, str]) -> Language:
    known = {language.value: language for language in Language}
    return known.get(asked.get("lang", ""), known[face.language])


def amount_written(amount: str, language: Language) -> str:
    """`-12345.67` as the language writes it: `-12.345,67`."""
    sign = "-" if amount.startswith("-") else ""
    return sign + TEXTS[language].number(parse_cents(amount.removeprefix("-")))


def reaches_limit(amount: str | None, limit: Cents | None) -> bool:
    """Whether a jackpot, written `12345.67`, has reached its limit."""
    if amount is None or limit is None or amount.startswith("-"):
        return False
    return parse_cents(amount) >= limit


def _banner(language: Language) -> str:
    """As `showBanner` in pages/common/frame.js lays it: the page's language first."""
    banner = page_word(Page.COMMON, "banner")
    in_both = sorted(Language, key=lambda one: one is not language)
    spans = "".join(f'<span lang="{one.value}">{banner.in_(one)}</span>' for one in in_both)
    return f'<aside class="banner">{spans}</aside>'
