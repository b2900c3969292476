"""Writes a package's signed list of files (docs/reference/release-list.md)."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from console.release.banco_check import (
    BOARD,
    FIRST_LINE,
    KEY,
    LIST,
    SIGNATURE,
    VERSION,
    digest_file,
)
from firmware_bridge.flashing.images import KINDS, image_digest, image_name, name_kind
from systemd.debian.programs import CannotBuild
from systemd.debian.release_signing import ReleaseSigner

PROGRAM = "usr/lib/banco/program"
IMAGES = "usr/share/banco/firmware"
OTHERS = ("usr/bin", "usr/lib/systemd", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d", IMAGES)
"""Besides the program: what starts it, and what the boards run. Examples and documents are not in
it: a person copies and edits those."""


def find_images(root: Path) -> Mapping[str, Path]:
    """The boards' images that `make firmware` has built, by the kind's name; all or none."""
    images = {name_kind(kind): root / "build/firmware" / image_name(kind) for kind in KINDS}
    found = {kind: image for kind, image in images.items() if image.is_file()}
    if found and len(found) != len(images):
        raise CannotBuild("some of the boards' images are missing: make firmware")
    return found


def write_release_list(
    tree: Path, version: str, signer: ReleaseSigner, images: Mapping[str, Path]
) -> None:
    """Put the images into the tree, list what is in it, and sign the list. Raises CannotBuild."""
    program = tree / PROGRAM
    boards = []
    for kind, image in images.items():
        (tree / IMAGES).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(image, tree / IMAGES / image.name)
        boards.append(f"{BOARD}{kind} {image_digest(image.read_bytes())}")
    for name in (LIST, SIGNATURE, KEY):
        (program / name).unlink(missing_ok=True)
    inside = [f"{digest_file(file)}  {file.relative_to(program)}" for file in _files(program)]
    outside = [
        f"{digest_file(file)}  /{file.relative_to(tree)}"
        for folder in OTHERS
        for file in _files(tree / folder)
    ]
    lines = [FIRST_LINE, f"{VERSION}{version}", *boards, *inside, *outside]
    (program / LIST).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    signer.sign(program / LIST, program / SIGNATURE)
    signer.export(program / KEY)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if not path.is_dir())
