"""Whatever is done to an export is named with its line; what is none is told."""

import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jackpot.failures import Refused
from jackpot.ledger.export_lines import ExportSignature, line_of, read_line
from jackpot.money.amounts import Units
from jackpot.money.movements import award_pending, opening
from jackpot.trust.signing import PrivateKey, load_private, make_pair
from tests.jackpot.exports import Lines, check, edit_line, lines_of, make_export, rechain, sign_anew
from tests.jackpot.money import SETTINGS, entry, open_ledger

# What is done to the file


def in_capitals(line: bytes) -> bytes:
    """The same signature in capitals."""
    signature = read_line(line, ExportSignature)
    return line_of(ExportSignature(signature.signature.upper(), signature.key, signature.sha256))


def move_line(lines: Lines, *order: int) -> Lines:
    return [lines[number - 1] for number in order]


SIGNED = "what is before the signature is not what was signed"


@pytest.mark.parametrize(
    ("done", "message"),
    [
        (edit_line(5, rb"\"seat\":3", rb"\"seat\":4"), "line 5: record 4 was changed"),
        (edit_line(5, b"token 3", b"token 9"), "line 5: record 4 was changed"),
        (edit_line(5, b"1400000", b"1400001"), "line 5: record 4: token 3: the postings sum to 1"),
        (edit_line(5, b'"hash":"', b'"hash":"0'), "line 5: it is not a hash"),
        (edit_line(5, b'"stake"', b'"steak"'), "line 5: record 4: 'steak' is not a valid Reason"),
        (edit_line(7, b'"snapshot"', b'"act"'), "line 7: record 6 was changed"),
        (lambda lines: move_line(lines, 1, 2, 3, 5, *range(6, 14)), r"line 4: record 3 is missing"),
        (lambda lines: move_line(lines, 1, 2, 4, 3, *range(5, 14)), r"line 3: record 2 is missing"),
        (lambda lines: move_line(lines, 1, 2, 3, 3, *range(4, 14)), r"line 4: record 3 is missing"),
        (lambda lines: move_line(lines, *range(1, 11), 12, 13), "line 11: the last record is 9"),
        (edit_line(1, b"caribbean-1", b"caribbean-2"), SIGNED),
        (edit_line(1, b'"first":1', b'"first":2'), "line 2: record 2 is missing"),
        (edit_line(1, b'"last":10', b'"last":11'), "line 12: the last record is 10, not 11"),
        (edit_line(1, b'"jackpot":0', b'"jackpot":7'), "line 1: before record 1 there is no"),
        (edit_line(1, b'"previous":"00', b'"previous":"01'), "line 2: record 1 was changed"),
        (edit_line(1, b'"previous":"00', b'"previous":"xy'), "line 1: non-hexadecimal"),
        (edit_line(12, b'"paid":0', b'"paid":5'), "line 12: it says"),
        (edit_line(12, b'"records":10', b'"records":11'), "line 12: number and hash"),
        (lambda lines: lines[:12], "has no signature"),
        (lambda lines: lines[:11], "no line that ends the records"),
        (lambda lines: [*lines[:8], lines[8][:50]], "line 9: it is not a hash"),
        (lambda lines: [*lines, b"\n"], "line 14: the file goes on after its signature"),
        (lambda lines: [*lines, *lines[1:]], "line 14: the file goes on after its signature"),
        (lambda lines: [*lines[:12], *lines[10:]], "line 13: a record after the line that ends"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[5:]], "line 6: it is no line of an export"),
        (edit_line(13, b'"signature":"', b'"signature":"0'), "line 13: the signature cannot be"),
        (edit_line(13, b"}\n", b"} \n"), "line 13: the signature is not written"),
        (
            lambda lines: [*lines[:12], in_capitals(lines[12])],
            "line 13: the signature is not written",
        ),
    ],
)
def test_what_was_changed_is_named_with_its_line(
    ledger: Path, out: Path, key: PrivateKey, done: Callable[[Lines], Lines], message: str
) -> None:
    make_export(ledger, out, key)
    out.write_bytes(b"".join(done(lines_of(out))))
    problems = "\n".join(check(out, key).problems)
    assert message in problems


def test_a_changed_record_is_named_alone(ledger: Path, out: Path, key: PrivateKey) -> None:
    make_export(ledger, out, key)
    out.write_bytes(b"".join(edit_line(5, rb"\"seat\":3", rb"\"seat\":4")(lines_of(out))))
    assert check(out, key).problems == (
        "line 5: record 4 was changed, or the one before it: its hash does not fit",
        f"line 13: {SIGNED}",
        "line 13: the signature is not that of this key over this file",
    )


def test_no_bit_of_it_can_be_flipped(ledger: Path, out: Path, key: PrivateKey) -> None:
    make_export(ledger, out, key)
    right = out.read_bytes()
    chance = random.Random(5)
    for _ in range(400):
        place, bit = chance.randrange(len(right)), 1 << chance.randrange(8)
        out.write_bytes(right[:place] + bytes([right[place] ^ bit]) + right[place + 1 :])
        assert is_found_out(out, key), f"bit {bit} of byte {place}"


def test_it_can_be_cut_off_nowhere(ledger: Path, out: Path, key: PrivateKey) -> None:
    make_export(ledger, out, key)
    right = out.read_bytes()
    ends = [place + 1 for place, byte in enumerate(right[:-1]) if byte == ord("\n")]
    for length in (0, *range(1, len(right), 17), *ends, len(right) - 1):
        out.write_bytes(right[:length])
        assert is_found_out(out, key), f"the first {length} bytes"


def is_found_out(out: Path, key: PrivateKey) -> bool:
    try:
        return not check(out, key).sound
    except Refused:
        return True


# Who signed it


def test_somebody_else_s_signature_is_named(
    ledger: Path, out: Path, key: PrivateKey, tmp_path: Path
) -> None:
    make_pair(tmp_path / "other.key")
    other = load_private(tmp_path / "other.key")
    make_export(ledger, out, other)
    assert check(out, other).sound
    assert check(out, key).problems == (
        f"line 13: signed with the key {other.fingerprint}, not {key.fingerprint}",
        "line 13: the signature is not that of this key over this file",
    )
    out.write_bytes(out.read_bytes().replace(*name_key(other, key)))
    assert check(out, key).problems == (
        "line 13: the signature is not that of this key over this file",
    )


def name_key(other: PrivateKey, key: PrivateKey) -> tuple[bytes, bytes]:
    return other.fingerprint.encode(), key.fingerprint.encode()


def with_balances(line: bytes, **changed: int) -> bytes:
    plain: dict[str, Any] = json.loads(line)
    plain["balances"] |= changed
    return json.dumps(plain).replace(" ", "").encode() + b"\n"


@pytest.mark.parametrize(
    ("done", "message"),
    [
        (edit_line(5, b"1400000", b"1400001"), "line 5: record 4: token 3: the postings sum to 1"),
        (edit_line(5, b"token 3", b"token 2"), "line 5: token 2 moves money a second time"),
        (edit_line(7, rb"\"paid\":0", rb"\"paid\":1"), "line 7: the snapshot's balances"),
        (
            lambda lines: [*lines[:11], with_balances(lines[11], paid=1), lines[12]],
            "line 12: it says",
        ),
    ],
    ids=["postings", "identity", "snapshot", "balances"],
)
def test_what_the_house_signs_must_add_up_all_the_same(
    ledger: Path, out: Path, key: PrivateKey, done: Callable[[Lines], Lines], message: str
) -> None:
    make_export(ledger, out, key)
    lines = lines_of(out)
    out.write_bytes(sign_anew(rechain(lines), key))
    assert check(out, key).sound
    out.write_bytes(sign_anew(rechain(done(lines)), key))
    problems = check(out, key).problems
    assert any(message in problem for problem in problems)
    assert not any("hash" in problem or "sign" in problem for problem in problems)


def test_a_jackpot_lowered_without_a_right_to_it_is_named(
    tmp_path: Path, out: Path, key: PrivateKey
) -> None:
    with closing(open_ledger(tmp_path / "ledger")) as ledger:
        ledger.commit([entry(opening(SETTINGS))])
        ledger.commit([entry(award_pending("award", Units(10_000)))])
    make_export(tmp_path / "ledger", out, key)
    lines = edit_line(3, b'"award_pending"', b'"reseed"')(lines_of(out))
    out.write_bytes(sign_anew(rechain(lines), key))
    assert check(out, key).problems[0] == (
        "line 3: record 2: award: reseed may not lower the jackpot"
    )


# What is no export


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 is not the first of an export"),
        (b"\x89PNG\r\n", "line 1 is not the first of an export"),
        (b"[" * 900_000, "line 1 is not the first of an export"),
        (b'{"format":"banco-ledger-export"}\n', "line 1 is not the first of an export"),
    ],
    ids=["empty", "binary", "nested", "short"],
)
def test_what_is_no_export(out: Path, key: PrivateKey, content: bytes, message: str) -> None:
    out.write_bytes(content)
    with pytest.raises(Refused, match=message):
        check(out, key)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"version":1', b'"version":2', "it is of version 2; this program reads 1"),
        (b"banco-ledger-export", b"another", "it is of the format another"),
    ],
)
def test_another_format_and_another_version(
    ledger: Path, out: Path, key: PrivateKey, old: bytes, new: bytes, message: str
) -> None:
    make_export(ledger, out, key)
    out.write_bytes(out.read_bytes().replace(old, new, 1))
    with pytest.raises(Refused, match=message):
        check(out, key)


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 2_500_000 + b"\n",
        b'{"hash":"%s","hashed":%s}\n' % (b"0" * 64, b"[" * 500_000),
        b'{"hash":"%s","hashed":[[11,1,"a",1,1,"",1,"%s"],[]]}\n' % (b"0" * 64, b"[" * 500_000),
        b'{"records":%s}\n' % (b"[" * 500_000),
        b'{"signature":%s}\n' % (b"[" * 500_000),
    ],
    ids=["endless", "nested", "nested-body", "nested-end", "nested-signature"],
)
def test_a_hostile_file_is_told_not_believed(
    ledger: Path, out: Path, key: PrivateKey, line: bytes
) -> None:
    make_export(ledger, out, key)
    lines = lines_of(out)
    out.write_bytes(b"".join([*lines[:11], line, *lines[11:]]))
    assert any(problem.startswith("line 12: ") for problem in check(out, key).problems)
