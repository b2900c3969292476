"""Exports of a ledger, and what somebody does to their lines."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from jackpot.ledger.export_lines import ExportSignature, line_of
from jackpot.trust.export import ExportRange, ExportResult, export
from jackpot.trust.export_check import CheckedExport, check_export
from jackpot.trust.signing import PrivateKey

WHOLE = ExportRange()

Lines = list[bytes]


def make_export(
    ledger: Path, out: Path, key: PrivateKey, stretch: ExportRange = WHOLE
) -> ExportResult:
    written = "2026-11-21T06:00:00.000+00:00"
    return export(ledger, out, key, table="caribbean-1", written=written, stretch=stretch)


def check(out: Path, key: PrivateKey) -> CheckedExport:
    return check_export(out, key.public)


def lines_of(out: Path) -> Lines:
    return out.read_bytes().splitlines(keepends=True)


def sign_anew(lines: Lines, key: PrivateKey) -> bytes:
    """The lines but the last one, signed as the house would."""
    content = b"".join(lines[:-1])
    digest = sha256(content)
    signature = key.sign(digest.digest()).hex()
    return content + line_of(ExportSignature(signature, key.fingerprint, digest.hexdigest()))


def rechain(lines: Lines) -> Lines:
    """The same records with hashes that fit, as somebody who knows the format makes them."""
    previous = bytes.fromhex(json.loads(lines[0])["previous"])
    made = lines[:1]
    for line in lines[1:-2]:
        text = line.partition(b'"hashed":')[2][:-2]
        previous = sha256(previous + text).digest()
        made.append(b'{"hash":"%s","hashed":%s}\n' % (previous.hex().encode(), text))
    end = {**json.loads(lines[-2]), "hash": previous.hex()}
    return [*made, json.dumps(end).replace(" ", "").encode() + b"\n", lines[-1]]


def edit_line(number: int, old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    """Something in one line, counted from 1, is something else."""

    def edit(lines: Lines) -> Lines:
        assert old in lines[number - 1]
        return [*lines[: number - 1], lines[number - 1].replace(old, new, 1), *lines[number:]]

    return edit
