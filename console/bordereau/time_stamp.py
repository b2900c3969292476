"""A time stamp (RFC 3161) over a bordereau's last hash, from a server that the house trusts.

`openssl ts` asks, checks and reads it: `openssl ts -verify` checks it at any later time.
"""

import re
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from socket import SHUT_RDWR
from tempfile import TemporaryDirectory
from threading import Thread, Timer
from typing import Final
from urllib.parse import urlsplit

from console.bordereau.figures import NotStamped, TimeStamp
from console.configuration.sections import TimeStampSection
from jackpot.failures import Unavailable

WITHIN_S: Final = 5.0
"""How long the server may take in all."""

LONGEST_REPLY: Final = 64 * 1024
"""Bytes; a reply with its certificates has about 5 KB."""


def stamp_hash(section: TimeStampSection, digest: str) -> TimeStamp | NotStamped:
    """Ask for a time stamp over a SHA-256 in hexadecimal. Never raises what the server does."""
    try:
        return _stamp(section, digest)
    except Unavailable as error:
        return NotStamped(str(error))


def _stamp(section: TimeStampSection, digest: str) -> TimeStamp:
    with TemporaryDirectory(prefix="banco-stamp-") as name:
        query, reply = Path(name, "query.tsq"), Path(name, "reply.tsr")
        _run_openssl("-query", "-digest", digest, "-sha256", "-cert", "-out", str(query))
        reply.write_bytes(_send(section.server, query.read_bytes()))
        asked = ("-queryfile", str(query), "-in", str(reply))
        _run_openssl("-verify", *asked, "-CAfile", section.root)
        text = _run_openssl("-reply", "-in", str(reply), "-text")
        return TimeStamp(_find_time(text), _find_serial(text), section.server, reply.read_bytes())


def _run_openssl(*words: str) -> str:
    try:
        done = subprocess.run(
            ["openssl", "ts", *words],
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
        )
    except FileNotFoundError as error:
        raise Unavailable("the program openssl is not installed (package openssl)") from error
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"openssl ts {words[0]} takes longer than {WITHIN_S:g} s") from error
    except subprocess.CalledProcessError as error:
        why = " ".join(error.stderr.split()[-12:])
        raise Unavailable(f"openssl ts {words[0]} refuses it: {why}") from error
    return done.stdout


def _send(server: str, query: bytes) -> bytes:
    at = urlsplit(server)
    kind = HTTPSConnection if at.scheme == "https" else HTTPConnection
    connection = kind(at.hostname or "", at.port, timeout=WITHIN_S)
    until = time.monotonic() + WITHIN_S
    try:
        _connect(connection, until)
        with _cut_at(connection, until):
            connection.request(
                "POST", at.path or "/", query, {"Content-Type": "application/timestamp-query"}
            )
            answer = connection.getresponse()
            content = answer.read(LONGEST_REPLY + 1)
    except (HTTPException, OSError) as error:
        why = str(error) or type(error).__name__
        late = time.monotonic() >= until
        raise Unavailable(
            f"no answer from {server} within {WITHIN_S:g} s" if late else f"{server}: {why}"
        ) from error
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK or len(content) > LONGEST_REPLY:
        raise Unavailable(f"{server} answers with status {answer.status}, {len(content)} bytes")
    return content


def _connect(connection: HTTPConnection, until: float) -> None:
    """Look the name up, connect, agree on TLS; TimeoutError at this time. Raises OSError.

    The lookup of a name cannot be cut. It is left to a thread that no process waits for.
    """
    connected: Future[None] = Future()

    def connect() -> None:
        try:
            connection.connect()
            if time.monotonic() >= until:  # nobody uses it any more
                connection.close()
                raise TimeoutError
        except (HTTPException, OSError, ValueError) as error:
            connected.set_exception(error)
        else:
            connected.set_result(None)

    Thread(target=connect, name="time stamp", daemon=True).start()
    connected.result(max(0.0, until - time.monotonic()))


@contextmanager
def _cut_at(connection: HTTPConnection, until: float) -> Iterator[None]:
    """End what waits for the server, however slowly it sends."""
    own = connection.sock

    def cut() -> None:
        with suppress(OSError):  # the server has ended it already
            own.shutdown(SHUT_RDWR)

    timer = Timer(max(0.0, until - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _find_time(text: str) -> str:
    """The stamp's time in UTC, ISO 8601."""
    found = re.search(r"^Time stamp: (\w+ +\d+ [\d:]+)(?:\.\d+)? (\d+) GMT$", text, re.MULTILINE)
    if found is None:
        raise Unavailable("the time in the stamp cannot be read")
    at = datetime.strptime(f"{found[1]} {found[2]}", "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    return at.isoformat()


def _find_serial(text: str) -> str:
    found = re.search(r"^Serial number: 0x([0-9A-Fa-f]+)$", text, re.MULTILINE)
    return found[1] if found is not None else "?"
