"""A package of another version, made of one that is there: its number, and nothing else."""

import re
from pathlib import Path

from systemd.debian.control import write_sums
from systemd.debian.programs import run_program
from systemd.debian.release_list import PROGRAM, SYSTEM, write_release_list
from systemd.debian.release_signing import ReleaseSigner

MODULE = f"{PROGRAM}/console/configuration/version.py"
UNIT = f"{PROGRAM}/{SYSTEM}/banco.service"


def renumber_package(
    package: Path, version: str, work: Path, made: Path, signer: ReleaseSigner
) -> None:
    """Write the number into program, unit, list and control file, and pack it again.

    `version`: of the program; the package's keeps what follows the first `+`.
    """
    tree = work / "renumbered"
    run_program(["dpkg-deb", "--raw-extract", package, tree])
    module, control, unit = tree / MODULE, tree / "DEBIAN/control", tree / UNIT
    number_file(module, '^VERSION = ".*"$', f'VERSION = "{version}"')
    number_file(module, '^BUILD = ".*"$', 'BUILD = ""')
    number_file(unit, "^(Description=.*)$", rf"\1, version {version}")
    number_file(control, r"^Version: [^+\n]*", f"Version: {version}")
    (compiled,) = (module.parent / "__pycache__").glob("version.*.pyc")
    compiled.unlink()
    write_release_list(tree, version, signer)
    write_sums(tree)
    run_program(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, made])


def number_file(file: Path, line: str, numbered: str) -> None:
    """Replace the one line of a file that has the number."""
    text, places = re.subn(line, numbered, file.read_text("utf-8"), flags=re.MULTILINE)
    assert places == 1, file
    file.write_text(text, "utf-8")
