"""What dpkg is told of the package: its control file, the hashes of its files, its licences."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

from console.release.banco_check import PDF_LIBRARIES
from jackpot.failures import Refused
from systemd.debian.programs import run_program
from systemd.debian.release_list import PROGRAM
from systemd.debian.target import PackageTarget

MAINTAINER = "The maintainers of banco <maintainers@banco.invalid>"
"""Answers come by the private report of the repository (SECURITY.md): no address is published."""

PROVIDED_BY = {
    "ld-linux-aarch64.so.1": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "libc.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
    "libm.so.6": "libc6",
    "libpthread.so.0": "libc6",
    "libresolv.so.2": "libc6",
    "librt.so.1": "libc6",
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
}
"""The Debian package of each library of the system that a compiled module asks for."""

CONTROLLER = """\
controller of a casino table
 The progressive-jackpot console of a stud poker table: dealer panel, coin rail,
 shuffler, counting shoe and display, with a ledger that outlives a power cut.
 It has the table's service, the technician's line, the pages and the sign, the
 bordereau, and the courier of a linked jackpot.
 .
 Nothing is started by the installation, and nothing is restarted by an upgrade.
"""

PDF_DRAWER = """\
libraries with which banco draws a bordereau as PDF
 A table plays without them, and prints its bordereau as text. They have a
 signed list of their own, which banco compares before it draws.
"""


@dataclass(frozen=True)
class DebianPackage:
    """One of the packages that are made of a checkout."""

    name: str
    program: str
    """The folder of its modules and its signed list, in the tree."""

    extras: tuple[str, ...]
    """Whose pinned libraries it has."""

    description: str
    others: Mapping[str, str]
    """How it stands to other packages, beside what its modules need."""

    needs: tuple[str, ...]
    """Packages that it depends on, whatever its modules need."""

    scripts: tuple[str, ...] = ()


BANCO = DebianPackage(
    name="banco",
    program=PROGRAM,
    extras=("pi", "metrics", "audit", "link", "web"),  # a house has no pip at its tables
    description=CONTROLLER,
    others={"Recommends": "banco-report", "Suggests": "picocom, tpm2-tools"},
    needs=("openssl", "systemd", "udev"),
    scripts=("preinst", "postinst", "prerm", "postrm"),
)
REPORT = DebianPackage(
    name="banco-report",
    program=str(PDF_LIBRARIES.relative_to("/")),
    extras=("report",),
    description=PDF_DRAWER,
    others={},
    needs=("banco",),
)


def write_control(
    package: DebianPackage, tree: Path, target: PackageTarget, version: str
) -> list[str]:
    """Write `control` and `md5sums` for what is in the tree, and return what it depends on.

    Raises Failure.
    """
    depends = find_depends(package, tree, target)
    files = write_sums(tree)
    fields = {
        "Package": package.name,
        "Version": version,
        "Architecture": target.arch,
        "Maintainer": MAINTAINER,
        "Installed-Size": str(sum(-(-path.stat().st_size // 1024) for path in files)),
        "Depends": ", ".join(depends),
        **package.others,
        "Section": "misc",
        "Priority": "optional",
        "Description": package.description,
    }
    text = "".join(f"{name}: {value.rstrip()}\n" for name, value in fields.items())
    (tree / "DEBIAN/control").write_text(text, "utf-8")
    return depends


def write_sums(tree: Path) -> list[Path]:
    """Write `md5sums` beside `control`, and return the files that it names."""
    control = tree / "DEBIAN"
    found = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    files = [path for path in found if not path.is_relative_to(control)]
    sums = run_program(["md5sum", *(path.relative_to(tree) for path in files)], cwd=tree)
    (control / "md5sums").write_text(sums, "utf-8")
    return files


def find_depends(package: DebianPackage, tree: Path, target: PackageTarget) -> list[str]:
    """What it needs: the suite's Python, the libraries its modules ask for, and its row's."""
    modules = [path for path in tree.rglob("*") if re.search(r"\.so(\.\d+)*$", path.name)]
    output = run_program([f"{target.triplet}-readelf", "--dynamic", *sorted(modules)])
    asked = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output)) - {path.name for path in modules}
    if unknown := asked - PROVIDED_BY.keys():
        raise Refused(f"which Debian package has {', '.join(sorted(unknown))}?")
    needed = {PROVIDED_BY[name] for name in asked}
    libraries = [name for name in sorted(needed) if name != "libc6"]
    major, minor = target.suite.python
    return [
        f"libc6 (>= 2.{target.suite.glibc_minor})",
        *libraries,
        f"python3 (>= {major}.{minor})",
        f"python3 (<< {major}.{minor + 1})",
        *package.needs,
    ]


def describe_licences(package: DebianPackage, tree: Path, head: str) -> str:
    """The file `copyright`: its head, and the licence that each library names."""
    stanzas = []
    for file in sorted((tree / package.program).glob("*.dist-info/METADATA")):
        metadata = HeaderParser().parsestr(file.read_text("utf-8"))
        if metadata["Name"] == "banco":
            continue
        folder = f"{package.program}/{file.parent.name}"
        stanzas.append(
            f"\nFiles: {folder}/*\n"
            f"Copyright: {metadata['Author'] or metadata['Author-email'] or 'its authors'}\n"
            f"License: {_name_licence(metadata)}\n"
            f" {metadata['Name']} {metadata['Version']}; the text is in /{folder}.\n"
        )
    return head + "".join(stanzas)


def _name_licence(metadata: Message) -> str:
    named = metadata["License-Expression"] or metadata["License"] or "see-its-folder"
    return str(named).splitlines()[0].replace(" ", "-")
