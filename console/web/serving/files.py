"""The files of the pages, read once at start; nothing else can be requested."""

import gzip
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from aiohttp import hdrs, web
from msgspec import Struct

from console.texts.page_words import Page, words_module

TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain",
}
"""The types of the pages' files; other files are not served."""

TEXTS = (".html", ".css", ".js", ".svg", ".json", ".txt")


class StaticFile(Struct, frozen=True):
    """A file as it is sent; `packed`: by gzip, None if that is not smaller."""

    type: str
    plain: bytes
    packed: bytes | None
    tag: str

    async def answer(self, request: web.Request) -> web.Response:
        """The file, or 304 if the browser has it already."""
        headers = {
            hdrs.ETAG: self.tag,
            hdrs.CACHE_CONTROL: "no-cache",
            hdrs.VARY: "Accept-Encoding",
        }
        if self.tag in request.headers.get(hdrs.IF_NONE_MATCH, ""):
            return web.Response(status=304, headers=headers)
        body = self.plain
        if self.packed is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            headers[hdrs.CONTENT_ENCODING] = "gzip"
            body = self.packed
        return web.Response(body=body, headers={**headers, hdrs.CONTENT_TYPE: self.type})


def page_files() -> Mapping[str, StaticFile]:
    """Every file of the pages, by its path in their folder: `sign/sign.js`, `words/sign.js`."""
    modules = {f"words/{page.value}.js": words_module(page) for page in Page}
    made = {path: _file(text.encode(), ".js") for path, text in modules.items()}
    return {**dict(_under(files("console.web") / "pages", "")), **made}


def file_of(kind: str, content: bytes) -> StaticFile:
    """A file that is not of the pages, such as a house's logo; `kind`: its type."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return StaticFile(kind, content, None, tag)


def join_sheets(sheets: Iterable[StaticFile], last: str) -> StaticFile:
    """Several style sheets as one file, so that the page is painted sooner; `last`: their end."""
    return _file(b"\n".join([*(sheet.plain for sheet in sheets), last.encode()]), ".css")


def _under(folder: Traversable, path: str) -> Iterator[tuple[str, StaticFile]]:
    for entry in folder.iterdir():
        name = path + entry.name
        suffix = name[name.rfind(".") :]
        if entry.is_dir():
            yield from _under(entry, name + "/")
        elif suffix in TYPES:
            yield name, _file(entry.read_bytes(), suffix)


def _file(plain: bytes, suffix: str) -> StaticFile:
    is_text = suffix in TEXTS
    packed = gzip.compress(plain, mtime=0) if is_text else plain
    charset = "; charset=utf-8" if is_text else ""
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    small = packed if len(packed) < len(plain) else None
    return StaticFile(TYPES[suffix] + charset, plain, small, tag)
