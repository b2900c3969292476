"""The modules as bytecode, by the suite's own Python: no table compiles while it plays."""

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from systemd.debian.programs import CannotBuild, run_program
from systemd.debian.suite_packages import unpack_packages
from systemd.debian.target import MACHINES, PackageTarget

PROGRAM = "/usr/lib/banco/program"
"""Where the files are on a table: what their bytecode names."""

INTERPRETER = ("python{0}-minimal", "libpython{0}-minimal", "libpython{0}-stdlib")
ITS_LIBRARIES = ("libc6", "libexpat1", "zlib1g")


def compile_modules(
    target: PackageTarget, program: Path, rooms: tuple[str, ...], work: Path
) -> None:
    """Compile every module below `program`, and list the rooms' bytecode in banco's RECORD.

    The bytecode is not compared with its source when it is loaded (PEP 552, unchecked): neither
    dates nor clocks matter, and `verify` holds its hash. Raises CannotBuild.
    """
    how = ("--invalidation-mode=unchecked-hash", "-s", program, "-p", PROGRAM)
    command = (*find_python(target, work), "-S", "-m", "compileall", "-q", *how, program)
    run_program(command, environment={"PYTHONHASHSEED": "0"})
    _list_bytecode(program, rooms)


def find_python(target: PackageTarget, work: Path) -> Sequence[str | Path]:
    """The words that run the suite's Python here: bytecode is the same on every architecture."""
    arch = run_program(["dpkg", "--print-architecture"]).strip()
    if arch not in MACHINES:
        raise CannotBuild(f"a package is built on {' or '.join(MACHINES)}, not on {arch}")
    names = [name.format(target.python) for name in INTERPRETER]
    root = unpack_packages(target.suite, arch, [*names, *ITS_LIBRARIES], work / "interpreter")
    triplet = f"{MACHINES[arch]}-linux-gnu"
    (loader,) = (path for path in root.rglob("ld-linux-*.so.*") if not path.is_symlink())
    search = ":".join(str(root / folder / triplet) for folder in ("lib", "usr/lib"))
    home = f"PYTHONHOME={root / 'usr'}"
    program = root / f"usr/bin/python{target.python}"
    return ("env", home, loader, "--library-path", search, program)


def _list_bytecode(program: Path, rooms: tuple[str, ...]) -> None:
    (record,) = program.glob("banco-*.dist-info/RECORD")
    lines = []
    for room in rooms:
        for file in sorted((program / room).rglob("*.pyc")):
            content = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            lines.append(f"{file.relative_to(program)},sha256={digest},{len(content)}\n")
    with record.open("a", encoding="utf-8") as listing:
        listing.writelines(lines)
