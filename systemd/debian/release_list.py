"""Writes a package's signed list of files (docs/reference/release-list.md)."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from console.release.banco_check import (
    BOARD,
    FIRST_LINE,
    KEY,
    LINK,
    LIST,
    SIGNATURE,
    VERSION,
    digest_file,
)
from firmware_bridge.flashing.images import KINDS, image_digest, image_name, name_kind
from jackpot.failures import Refused
from systemd.debian.release_signing import ReleaseSigner

PROGRAM = "usr/lib/banco/program"
SYSTEM = "system"
"""In the program's folder: what starts it, and what the boards run."""

CURRENT = "usr/lib/banco/current"
IMAGES = "usr/share/banco/firmware"
OTHERS = ("usr/bin", "usr/lib/systemd", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d", IMAGES)
"""Where the system finds that, by links. Examples and documents are not in the list: a person
copies and edits those."""


def find_images(root: Path) -> Mapping[str, Path]:
    """The boards' images that `make firmware` has built, by the kind's name; all or none."""
    images = {name_kind(kind): root / "build/firmware" / image_name(kind) for kind in KINDS}
    found = {kind: image for kind, image in images.items() if image.is_file()}
    if found and len(found) != len(images):
        raise Refused("some of the boards' images are missing: make firmware")
    return found


def place_images(tree: Path, images: Mapping[str, Path]) -> None:
    """Put the boards' images into the tree."""
    for image in images.values():
        link_system_file(tree, f"{IMAGES}/{image.name}", image.name)
        shutil.copyfile(image, tree / PROGRAM / SYSTEM / image.name)


def write_release_list(
    tree: Path, version: str, signer: ReleaseSigner, folder: str = PROGRAM
) -> None:
    """List what is in a package's tree, and sign the list in this folder. Raises Failure."""
    program = tree / folder
    for name in (LIST, SIGNATURE, KEY):
        (program / name).unlink(missing_ok=True)
    images = {kind: program / SYSTEM / image_name(kind) for kind in KINDS}
    boards = [
        f"{BOARD}{name_kind(kind)} {image_digest(image.read_bytes())}"
        for kind, image in images.items()
        if image.is_file()
    ]
    inside = [f"{digest_file(file)}  {file.relative_to(program)}" for file in _files(program)]
    outside = [_list_outside(tree, file) for folder in OTHERS for file in _files(tree / folder)]
    lines = [FIRST_LINE, f"{VERSION}{version}", *boards, *inside, *outside]
    (program / LIST).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    signer.sign(program / LIST, program / SIGNATURE)
    signer.export(program / KEY)


def link_system_file(tree: Path, place: str, name: str) -> None:
    """Let a place of the system lead to a file of the program in force, whichever that is."""
    link = tree / place
    link.parent.mkdir(parents=True, exist_ok=True)
    (tree / PROGRAM / SYSTEM).mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(os.path.relpath(f"{CURRENT}/{SYSTEM}/{name}", Path(place).parent))


def _list_outside(tree: Path, file: Path) -> str:
    place = f"/{file.relative_to(tree)}"
    if file.is_symlink():
        return f"{LINK}{place} {file.readlink()}"
    return f"{digest_file(file)}  {place}"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
