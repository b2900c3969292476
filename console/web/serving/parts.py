"""What every application of ours has: the guard, the pages' files, a sign, the page for a 404."""

from collections.abc import Mapping
from html import escape

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from console.configuration.addresses import Listening
from console.configuration.sign_section import SignSection, read_logo
from console.texts.language import Language
from console.texts.page_texts import NO_PAGE, TO_START
from console.web.serving.files import StaticFile, file_of
from console.web.serving.security import add_headers, guard_requests
from console.web.serving.sign_page import LOGO, SIGN_SHEET, SignPage

LONGEST_BODY = 16 * 1024
"""Bytes of what is posted."""

LOCAL_NAMES = ("localhost",)

START = "/"


def make_application(listening: Listening) -> web.Application:
    """An application without routes that answers only who asks for one of these names."""
    names = frozenset(name.lower() for name in (*LOCAL_NAMES, *listening.names))
    app = web.Application(
        middlewares=[guard_requests(names), answer_missing], client_max_size=LONGEST_BODY
    )
    app.on_response_prepare.append(add_headers)
    return app


def add_files(
    app: web.Application, files: Mapping[str, StaticFile], pages: Mapping[str, str]
) -> None:
    """Add the files behind /pages/, and `pages`: the file of each route."""

    async def send_file(request: web.Request) -> web.Response:
        file = files.get(request.match_info["path"])
        if file is None:
            raise web.HTTPNotFound(text="there is no such file\n")
        return await file.answer(request)

    for route, path in pages.items():
        app.router.add_get(route, files[path].answer)
    app.router.add_get("/pages/{path:.+}", send_file)


def add_logo(app: web.Application, look: SignSection) -> None:
    """Add the logo of the house's signs, if it has one. Raises ValueError, OSError."""
    if look.logo:
        logo = read_logo(look.logo)
        app.router.add_get(LOGO, file_of(logo.type, logo.content).answer)


def add_sign(app: web.Application, sign: SignPage, route: str, sheet: str = SIGN_SHEET) -> None:
    """Add a sign's page, and at `sheet` its style."""
    app.router.add_get(route, sign.answer)
    app.router.add_get(sheet, sign.sheet.answer)


@web.middleware
async def answer_missing(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a person's browser with a page; whatever else asks gets the bare 404."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        if "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
            raise
        return web.Response(status=404, text=missing_page(), content_type="text/html")


def missing_page() -> str:
    """The page, in both languages: nobody has chosen one."""
    parts = "".join(
        f'<li lang="{language.value}"><p>{escape(NO_PAGE.in_(language))}</p>'
        f'<a href="{START}?lang={language.value}">{escape(TO_START.in_(language))}</a></li>'
        for language in Language
    )
    return (
        f'<!doctype html><html lang="{Language.EN.value}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<title>banco: 404</title>"
        '<link rel="icon" href="/pages/common/icon.svg">'
        '<link rel="stylesheet" href="/pages/common/page.css">'
        '<link rel="stylesheet" href="/pages/index.css">'
        f"<main><h1>404</h1><ul>{parts}</ul></main></html>"
    )
