"""Whether the files of a release are as its signed list says: on a stick it is `banco-check`.

One file, which needs Python's standard library and openssl alone. The service runs it at its start
from what it checks; whoever does not trust that runs the copy on a stick, with the key that came on
paper (docs/how-to/check-program.md). The list is docs/reference/release-list.md.
"""

import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

LIST, SIGNATURE, KEY = "release.list", "release.sig", "release.pem"
"""In the program's folder; nothing else in it may be missing from the list."""

FIRST_LINE = "banco release 1"
VERSION = "version: "
BOARD = "board: "
"""A line for each kind of board: its name, and the digest of what its flash must hold."""

LINK = "link: "
"""A line for each link from the system into the program: its path, and what it says."""

PROGRAM = Path("/usr/lib/banco/current")
PDF_LIBRARIES = Path("/usr/lib/banco-report")
"""Of a package of their own, with a list of their own; a table plays without."""

OPENSSL = "/usr/bin/openssl"
SIGNED_WITHIN_S = 10
LONGEST_LIST = 4_000_000
CHUNK = 1 << 20
MOST_NAMED = 20

DIGEST_LENGTH = 64
AS_IT_IS, DIFFERS, UNUSABLE = 0, 1, 2


class ListUnusable(Exception):
    """There is no list, it is malformed, or it is not signed by this key; the text says which."""


class ReleaseList(NamedTuple):
    """A release's list, whose signature was checked.

    `digest`: SHA-256 of the list, which names the release. `key`: SHA-256 of the public key as DER.
    `files`: the SHA-256 of each file, by its path: below the program's folder, or from the root.
    `boards`: the digest of each kind's image, by the kind's name. `links`: what each link says.
    """

    version: str
    digest: str
    key: str
    files: Mapping[str, str]
    boards: Mapping[str, str]
    links: Mapping[str, str]


def parse_list(text: str) -> tuple[str, dict[str, str], dict[str, str], dict[str, str]]:
    """The version, the files, the boards and the links of a list. Raises ListUnusable."""
    first, _, rest = text.partition("\n")
    version, _, rest = rest.partition("\n")
    if first != FIRST_LINE or not version.startswith(VERSION) or not rest.endswith("\n"):
        raise ListUnusable(f"{LIST} does not begin and end as a list does")
    boards: dict[str, str] = {}
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    for number, line in enumerate(rest[:-1].split("\n"), 3):
        if line.startswith(LINK):
            place, _, value = line.removeprefix(LINK).partition(" ")
            into = links
        elif line.startswith(BOARD):
            place, _, value = line.removeprefix(BOARD).partition(" ")
            into = boards
        else:
            value, _, place = line.partition("  ")
            into = files
        is_whole = bool(value) if into is links else len(value) == DIGEST_LENGTH
        if not is_whole or not place or place in into or not _is_plain(place):
            raise ListUnusable(f"{LIST}, line {number}: no digest and name, or a name twice")
        into[place] = value
    return version.removeprefix(VERSION), files, boards, links


def _is_plain(place: str) -> bool:
    return os.path.normpath(place) == place and not place.startswith("..")


def read_list(folder: Path, key: Path | None = None, openssl: str = OPENSSL) -> ReleaseList:
    """The list in a program's folder; `key`: the public key in PEM, if not the one beside it.

    Raises ListUnusable.
    """
    pem = key or folder / KEY
    try:
        content = _read_plain(folder / LIST)
        _read_plain(folder / SIGNATURE), _read_plain(pem)
    except OSError as error:
        raise ListUnusable(f"{error.filename}: {error.strerror}") from error
    check_signature(folder / LIST, folder / SIGNATURE, pem, openssl)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ListUnusable(f"{LIST} is not UTF-8") from error
    if content != _read_plain(folder / LIST):
        raise ListUnusable(f"{LIST} changes while it is read")
    version, files, boards, links = parse_list(text)
    return ReleaseList(
        version, hashlib.sha256(content).hexdigest(), key_of(pem, openssl), files, boards, links
    )


def _read_plain(path: Path) -> bytes:
    """The content of a short regular file, and of nothing that is reached by a link."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "it is no regular file", str(path))
        return file.read(LONGEST_LIST)


def check_signature(signed: Path, signature: Path, key: Path, openssl: str = OPENSSL) -> None:
    """Raises ListUnusable: this key has not signed this file so, or there is no openssl."""
    words = ("pkeyutl", "-verify", "-pubin", "-rawin")
    files = ("-inkey", key, "-in", signed, "-sigfile", signature)
    if _run(openssl, (*words, *files)).returncode != 0:
        raise ListUnusable(f"{signature}: this is not the signature of {key} over {signed}")


def key_of(key: Path, openssl: str = OPENSSL) -> str:
    """The fingerprint of a public key in PEM: SHA-256 of it as DER. Raises ListUnusable."""
    done = _run(openssl, ["pkey", "-pubin", "-in", key, "-outform", "DER"])
    if done.returncode != 0 or not done.stdout:
        raise ListUnusable(f"{key} is no public key in PEM")
    return hashlib.sha256(done.stdout).hexdigest()


def _run(openssl: str, words: Iterable[str | Path]) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            [openssl, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SIGNED_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ListUnusable(f"{openssl} cannot be run: {error}") from error


def find_differences(
    listed: ReleaseList,
    folder: Path,
    root: Path = Path("/"),
    each: Callable[[], None] = lambda: None,
) -> list[str]:
    """What is changed, missing, or not in the list, each with its path; none: it is as signed.

    A link is never followed: it is a file only where the list says so, and must say the same.
    Outside the program's folder only what is listed is looked at. `each` is called before each
    file.
    """
    places = set(_walk(str(folder), "")) - {LIST, SIGNATURE, KEY}
    inside = {place: digest for place, digest in listed.files.items() if place[0] != "/"}
    outside = {place: digest for place, digest in listed.files.items() if place[0] == "/"}
    differences = [f"added: {place}" for place in sorted(places - inside.keys())]
    differences += _compare_all(str(folder) + "/", inside, each)
    start = str(root).rstrip("/")
    differences += _compare_all(start, outside, each)
    compared = (
        _compare_link(start + place, place, target) for place, target in listed.links.items()
    )
    return differences + list(filter(None, compared))


def _compare_all(start: str, files: Mapping[str, str], each: Callable[[], None]) -> list[str]:
    problems = []
    for place, digest in files.items():
        each()
        if problem := _compare(start + place, place, digest):
            problems.append(problem)
    return problems


def _walk(folder: str, below: str) -> Iterator[str]:
    """Everything below the folder but folders themselves, links and their like included."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{below}{entry.name}/")
            else:
                yield below + entry.name


def _compare(path: str, place: str, digest: str) -> str:
    """What is wrong with a listed file; "" if nothing is."""
    try:
        found = digest_file(path)
    except FileNotFoundError:
        return f"missing: {place}"
    except OSError as error:
        return f"unreadable: {place}: {error.strerror}"
    return "" if found == digest else f"changed: {place}"


def _compare_link(path: str, place: str, target: str) -> str:
    """What is wrong with a listed link; "" if nothing is."""
    try:
        found = os.readlink(path)
    except FileNotFoundError:
        return f"missing: {place}"
    except OSError:
        return f"no link: {place}"
    return "" if found == target else f"changed: {place}"


def digest_file(path: str | Path) -> str:
    """The SHA-256 of a regular file, in hexadecimal. Raises OSError, for a link as well."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(0, "it is no regular file")
        digest = hashlib.sha256()
        while part := os.read(file, CHUNK):
            digest.update(part)
        return digest.hexdigest()
    finally:
        os.close(file)


def main(words: list[str] | None = None) -> int:
    """The command `banco-check`; its exit status."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="banco-check",
        description="Compare an installed release with its signed list of files.",
        epilog="exit status: 0 as it was signed; 1 something differs; 2 no list to compare with",
    )
    parser.add_argument(
        "--key", type=Path, required=True, help="the release's public key, of the stick"
    )
    parser.add_argument(
        "--root", type=Path, default=Path("/"), help="where the table's medium is mounted"
    )
    parser.add_argument("--program", type=Path, help=f"its folder; default: what {PROGRAM} names")
    parser.add_argument("--digest", help="of the release that must be there, in hexadecimal")
    asked = parser.parse_args(words)
    libraries = asked.root / PDF_LIBRARIES.relative_to("/")
    try:
        program = asked.program or find_program(asked.root)
        status = _check(program, asked.root, asked.key, asked.digest)
        if os.path.lexists(libraries):
            status = max(status, _check(libraries, asked.root, asked.key))
        return status
    except (ListUnusable, OSError) as error:
        print(f"banco-check: {error}", file=sys.stderr)
        return UNUSABLE


def _check(folder: Path, root: Path, key: Path, digest: str | None = None) -> int:
    """Print what a signed folder is, and what differs; the exit status."""
    listed = read_list(folder, key)
    differences = find_differences(listed, folder, root)
    if digest not in {None, listed.digest}:
        differences.append(f"another release: {listed.version}, {listed.digest}")
    print(f"folder   {folder}\nrelease  {listed.version}\ndigest   {listed.digest}")
    print(f"key      {listed.key}")
    for kind, image in sorted(listed.boards.items()):
        print(f"board    {kind} {image}")
    for difference in differences[:MOST_NAMED]:
        print(difference)
    print(f"{len(listed.files)} files, {len(differences)} differ", flush=True)
    return DIFFERS if differences else AS_IT_IS


def find_program(root: Path) -> Path:
    """The folder of the program in force on the medium that is mounted at `root`."""
    named = os.readlink(root / PROGRAM.relative_to("/"))
    return root / named.removeprefix("/")


if __name__ == "__main__":
    sys.exit(main())
