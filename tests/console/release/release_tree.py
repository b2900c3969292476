"""A small release as the package lays it out, listed and signed as `make deb` does."""

import subprocess
import sys
from pathlib import Path

from console.release import banco_check
from firmware_bridge.flashing.images import KINDS, image_name, make_image, name_kind
from systemd.debian.control import REPORT
from systemd.debian.release_list import (
    PROGRAM,
    SYSTEM,
    link_system_file,
    place_images,
    write_release_list,
)
from systemd.debian.release_signing import ReleaseSigner

UNIT = "usr/lib/systemd/system/banco.service"
COMMAND = "usr/bin/banco"
FILES = {
    "the program": f"{PROGRAM}/console/run.py",
    "a library": f"{PROGRAM}/cobs/cobs/_cobs_ext.so",
    "the prizes": f"{PROGRAM}/jackpot/prizes/caribbean_stud.toml",
    "a unit": f"{PROGRAM}/{SYSTEM}/banco.service",
    "a unit's place": UNIT,
    "a board's image": f"{PROGRAM}/{SYSTEM}/banco-slot-rail.uf2",
    "what starts it": f"{PROGRAM}/{SYSTEM}/banco",
}
"""One file of each kind."""


class ReleaseTree:
    """A release below a folder that stands for the machine's root."""

    def __init__(self, root: Path, keys: Path, version: str = "1.2.3") -> None:
        self.root = root
        self.program = root / PROGRAM
        self.signer = ReleaseSigner.make(keys)
        for number, name in enumerate(FILES.values()):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            if not name.endswith(".uf2"):
                (root / name).write_bytes(f"{version} {number} {name}\n".encode())
        self.key = keys / "on-the-stick.pem"
        self.signer.export(self.key)
        images = {name_kind(kind): keys / image_name(kind) for kind in KINDS}
        for kind in KINDS:
            (keys / image_name(kind)).write_bytes(make_image(f"firmware {version}".encode(), kind))
        link_system_file(root, COMMAND, "banco")
        place_images(root, images)
        write_release_list(root, version, self.signer)
        current = root / "usr/lib/banco/current"
        current.unlink(missing_ok=True)
        current.symlink_to(f"/{PROGRAM}")

    def add_libraries(self, signer: ReleaseSigner | None = None) -> Path:
        """The folder of another package, whose list is signed, too; `signer`: not the release's."""
        package = self.root.with_name("report")
        module = package / REPORT.program / "fpdf/__init__.py"
        module.parent.mkdir(parents=True)
        module.write_text("FPDF = None\n", "utf-8")
        write_release_list(package, "1.2.3", signer or self.signer, REPORT.program)
        return (package / REPORT.program).rename(self.root / REPORT.program)

    def check(self, *words: str | Path) -> tuple[int, str]:
        """Run the checker as from its stick: its status, and all that it prints."""
        command = [sys.executable, "-I", banco_check.__file__, f"--root={self.root}"]
        done = subprocess.run(
            [*command, f"--key={self.key}", *words], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def change_byte(self, name: str) -> None:
        """Change one byte in the middle of a file."""
        file = self.root / name
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
