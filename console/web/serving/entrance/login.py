"""Login to a page: name and PIN of any enrolled person.

Wrong PINs are counted and delayed as on the technician's line, and together with its own. A
refusal does not say whether the name exists. A PIN is accepted over TLS or from this machine only.
`security.py` makes sure that every POST comes from one of our pages.
"""

import asyncio
import ipaddress
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit

import msgspec
from aiohttp import hdrs, web
from msgspec import Struct

from console.line.access.login import PINS_OF_PAGES, EnteredPerson, LoginResult
from console.line.requests import NoCode
from console.rules.codes import Duty
from console.rules.structs import replace
from console.texts import page_texts
from console.texts.language import Words
from console.texts.page_texts import NOT_SAFE, NOT_UNDERSTOOD
from console.web.serving.connections import describe_origin
from console.web.serving.entrance.pins import PagePins

MOST_OF_ONE_PERSON = 16
"""One more ends the person's own that was unused for longest. At most 64 people are enrolled."""

IDLE_S = 10 * 60
LONGEST_S = 8 * 60 * 60
"""The session timeout: from its last use, and at the latest from its beginning."""

TOKEN_BYTES = 32

PINS_A_SECOND = 10
"""The rate limit of logins: PINs that are checked, of all browsers together."""

MOST_OF_ONE_ADDRESS = 8
"""PINs of one address that are checked or wait; one at a time is checked."""

MOST_ADDRESSES = 32
"""Whose PINs are checked or wait. With invented names 4 PINs are checked a second: a turn comes
within 8 s."""


log = logging.getLogger(__name__)

LONGEST_BODY = 1024
"""The most bytes of a login."""

ANSWER_WITHIN_S = 10.0
"""Longer than the PIN check's own deadline; a turn must come within as long."""

MANY = LoginResult("?", refused=NoCode.WAIT, why="too many PINs at a time", wait_s=1)
NO_ANSWER = LoginResult("?", refused=NoCode.CANNOT, why="no answer from the disk")

REFUSALS: Mapping[str, tuple[int, Words]] = {
    NoCode.WRONG_PIN: (
        401,
        page_texts.NAME_OR_PIN_WRONG,
    ),
    NoCode.PIN_TOO_OLD: (
        403,
        page_texts.PIN_TOO_OLD,
    ),
    NoCode.WAIT: (
        429,
        page_texts.NO_PIN_READ_NAME,
    ),
    NoCode.CANNOT: (
        503,
        page_texts.NOBODY_CAN_ENTER_LIST,
    ),
}


class SupervisorSession(Struct, frozen=True):
    """Somebody who has entered. `people`: the stamp of the file of people at that time."""

    name: str
    on_record: str
    """What the log and a record call the person."""
    duties: tuple[Duty, ...]
    began: float
    used: float
    people: str
    pin_ends: str
    """See `EnteredPerson`."""

    @property
    def ends(self) -> float:
        """When it ends, unless it is used meanwhile."""
        return min(self.used + IDLE_S, self.began + LONGEST_S)


class Sessions:
    """All sessions, by their token's hash. All methods run on the event loop."""

    def __init__(self, now: Callable[[], float], people: Callable[[], str]) -> None:
        """`people`: the stamp of the file of people as it is now.

        Whoever is enrolled, removed or given a new PIN ends every session: all enter again.
        """
        self._now = now
        self._people = people
        self._open: dict[bytes, SupervisorSession] = {}

    def begin(self, person: EnteredPerson, people: str) -> tuple[str, SupervisorSession]:
        """A new session, and its token, which only the browser gets.

        `people`: the stamp of the file of people as the person's PIN was read.
        """
        self._forget_ended()
        own = [key for key, one in self._open.items() if one.name == person.name]
        if len(own) >= MOST_OF_ONE_PERSON:
            del self._open[min(own, key=lambda one: self._open[one].used)]
        now = self._now()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        session = SupervisorSession(
            person.name, person.on_record, person.duties, now, now, people, person.pin_ends
        )
        self._open[_hash(token)] = session
        return token, session

    def find(self, token: str, *, using: bool = True) -> SupervisorSession | None:
        """The token's session; None: it has ended, or there was none.

        `using`: False for an automatic refresh, which does not extend the session.
        """
        key = _hash(token)
        session = self._open.get(key)
        if session is None:
            return None
        if not self._goes_on(session):
            del self._open[key]
            return None
        if using:
            self._open[key] = session = replace(session, used=self._now())
        return session

    def end(self, token: str) -> SupervisorSession | None:
        """End a session; whose it was, None: there was none."""
        return self._open.pop(_hash(token), None)

    def __len__(self) -> int:
        """The number of sessions."""
        self._forget_ended()
        return len(self._open)

    def _goes_on(self, session: SupervisorSession) -> bool:
        return self._now() < session.ends and session.people == self._people()

    def _forget_ended(self) -> None:
        self._open = {key: one for key, one in self._open.items() if self._goes_on(one)}


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()


@dataclass
class _Address:
    first: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by its one PIN that has a place among those of the other addresses."""

    pins: int = 0


class Turns:
    """The PINs that wait to be checked. All methods run on one event loop.

    Lock and semaphore are first come, first served, and each address has one place at most.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, _Address] = {}
        self._checking = asyncio.Semaphore(PINS_OF_PAGES)
        self._next_at = 0.0

    def __len__(self) -> int:
        """The number of addresses with a PIN."""
        return len(self._addresses)

    @asynccontextmanager
    async def take(self, address: str) -> AsyncIterator[bool]:
        """Wait for a turn, and hold it. False, at once: too many wait already."""
        if address not in self._addresses and len(self._addresses) >= MOST_ADDRESSES:
            yield False
            return
        own = self._addresses.setdefault(address, _Address())
        if own.pins >= MOST_OF_ONE_ADDRESS:
            yield False
            return
        own.pins += 1
        try:
            async with own.first, self._checking:
                await self._pause()
                yield True
        finally:
            own.pins -= 1
            if not own.pins:
                del self._addresses[address]

    async def _pause(self) -> None:
        now = asyncio.get_running_loop().time()
        at = max(now, self._next_at)
        self._next_at = at + 1 / PINS_A_SECOND
        await asyncio.sleep(at - now)


class _Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    pin: str


class Login:
    """Logs people in and out; created on the event loop it runs on."""

    def __init__(
        self,
        page: str,
        pins: PagePins,
        now: Callable[[], float],
        *,
        log_addresses: bool,
    ) -> None:
        """`page`: what the log calls it. `pins`: who checks them. `now`: seconds of the monotonic
        clock.
        """
        self._log_addresses = log_addresses
        self._page = page
        self._now = now
        self._pins = pins
        self._turns = Turns()
        self._sessions = Sessions(now, lambda: pins.people)
        self._complained = ""

    async def enter(self, request: web.Request) -> web.Response:
        """POST .../login: `{"name": ..., "pin": ...}`; sets a cookie if they are right."""
        if not is_safe(request):
            return refusal_answer("NOT_SAFE", 403, NOT_SAFE)
        credentials = await _read_credentials(request)
        if credentials is None:
            return refusal_answer("NOT_UNDERSTOOD", 400, NOT_UNDERSTOOD)
        result = await self._check(credentials, address_of(request))
        if result.person is None:
            return self._refuse(result, request)
        self.end_session(request)
        person = result.person
        token, session = self._sessions.begin(person, result.people)
        log.info("%s: %s entered%s", self._page, person.on_record, self._origin(request))
        answer = json_answer(self.describe(session))
        self._give_cookie(answer, token, request)
        return answer

    def leave(self, request: web.Request) -> web.Response:
        """POST .../logout."""
        session = self.end_session(request)
        if session is not None:
            log.info("%s: %s left%s", self._page, session.on_record, self._origin(request))
        answer = json_answer({})
        name = cookie_of(request)
        answer.del_cookie(name, path="/", secure=is_over_tls(request), httponly=True)
        return answer

    def end_session(self, request: web.Request) -> SupervisorSession | None:
        """End the session of this browser, if there is one."""
        return self._sessions.end(self._token(request))

    def session_of(self, request: web.Request, *, using: bool = True) -> SupervisorSession | None:
        """The session of the request; None: nobody has entered. `using`: see `Sessions.find`."""
        return self._sessions.find(self._token(request), using=using)

    def describe(self, session: SupervisorSession | None) -> dict[str, object]:
        """A session as the page reads it; `left_s`: seconds until it ends, unless it is used."""
        if session is None:
            return {"name": None}
        return {
            "name": session.name,
            "duties": [duty.value for duty in session.duties],
            "left_s": max(0, round(session.ends - self._now())),
            "pin_ends": session.pin_ends,
        }

    def close(self) -> None:
        """Finish PIN checks under way. Raises TimeoutError if the disk hangs."""
        self._pins.close()

    async def _check(self, credentials: _Credentials, address: str) -> LoginResult:
        refused, now = MANY, asyncio.get_running_loop().time
        try:
            async with (
                asyncio.timeout(ANSWER_WITHIN_S) as deadline,
                self._turns.take(address) as has_turn,
            ):
                if has_turn:
                    refused = NO_ANSWER
                    deadline.reschedule(now() + ANSWER_WITHIN_S)
                    return await self._pins.check(credentials.name, credentials.pin)
        except TimeoutError:
            return refused
        return refused

    def _refuse(self, result: LoginResult, request: web.Request) -> web.Response:
        """Refuse, and log it once for each checked attempt, so that nobody can flood the log."""
        code = result.refused or NoCode.CANNOT
        why = result.why if code == NoCode.CANNOT else f"{result.wrong} wrong"
        if result.recorded or (code == NoCode.CANNOT and why != self._complained):
            self._complained = why if code == NoCode.CANNOT else ""
            log.warning(
                "%s: %s refused%s: %s (%s)",
                *(self._page, result.on_record, self._origin(request), code, why),
            )
        status, words = REFUSALS.get(code, REFUSALS[NoCode.CANNOT])
        return refusal_answer(code, status, words, wait_s=result.wait_s)

    def _give_cookie(self, answer: web.Response, token: str, request: web.Request) -> None:
        answer.set_cookie(
            cookie_of(request),
            token,
            path="/",
            max_age=LONGEST_S,
            secure=is_over_tls(request),
            httponly=True,
            samesite="Strict",
        )

    def _origin(self, request: web.Request) -> str:
        """For the log, where the house wants it."""
        return f" from {request.remote}" if self._log_addresses else ""

    def _token(self, request: web.Request) -> str:
        return request.cookies.get(cookie_of(request), "")


def is_safe(request: web.Request) -> bool:
    """Whether nobody on the network can read along: TLS, or a browser on this machine.

    A proxy on this machine connects from it, too: there, the page's own address tells whether the
    browser speaks TLS to it, or has asked for this machine itself.
    """
    if request.secure:
        return True
    if not _is_this_machine(request.remote or ""):
        return False
    return is_over_tls(request) or _is_this_machine(_host_asked(request))


def is_over_tls(request: web.Request) -> bool:
    """Whether the browser speaks TLS: to us, or to a proxy; who posts says where its page is."""
    return request.secure or request.headers.get(hdrs.ORIGIN, "").startswith("https://")


def address_of(request: web.Request) -> str:
    """The address by which turns are counted; "" for a browser that has gone."""
    transport = request.transport
    return describe_origin(transport.get_extra_info("peername") if transport else None)


def _host_asked(request: web.Request) -> str:
    return urlsplit(f"//{request.host}").hostname or ""


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def cookie_of(request: web.Request) -> str:
    """The cookie's name; it contains the port, since browsers keep cookies by host only."""
    return f"{'__Host-' if request.secure else ''}banco-{request.url.port}"


def json_answer(value: object, status: int = 200) -> web.Response:
    """An answer in JSON that no cache keeps."""
    return web.Response(
        body=msgspec.json.encode(value),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def refusal_answer(code: str, status: int, words: Words, *, wait_s: int = 0) -> web.Response:
    """A refusal: its code, and its text for people."""
    refusal = {"refused": code, "text": {"it": words.it, "en": words.en}, "wait_s": wait_s}
    answer = json_answer(refusal, status)
    if wait_s:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


async def _read_credentials(request: web.Request) -> _Credentials | None:
    length = request.content_length
    if request.content_type != "application/json" or length is None or length > LONGEST_BODY:
        return None
    if hdrs.CONTENT_ENCODING in request.headers:  # no page compresses a login
        return None
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            return msgspec.json.decode(await request.read(), type=_Credentials)
    except (TimeoutError, ConnectionError, ValueError):  # msgspec's own are ValueErrors
        return None
