"""What somebody gets who asks for a page that is not there: that it is so, and a way back."""

from html import escape

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from console.texts.language import Language
from console.texts.page_texts import NO_PAGE, TO_START

START = "/"


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
