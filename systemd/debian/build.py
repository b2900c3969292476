"""Builds the Debian packages: `make deb`, or `make deb SUITE=bookworm ARCH=arm64` for one target.

The modules are in it as bytecode, by the suite's own Python: no table compiles while it plays.
"""

import argparse
import base64
import gzip
import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from jackpot.failures import Failure, Refused
from systemd.debian.bill_of_materials import bill_of, write_bill
from systemd.debian.changelog import write_changelog
from systemd.debian.command_help import list_commands, write_completion, write_manual_page
from systemd.debian.control import (
    BANCO,
    REPORT,
    DebianPackage,
    describe_licences,
    write_control,
)
from systemd.debian.libraries import (
    PIP,
    compile_libraries,
    packages_for,
    read_pins,
    unpack_libraries,
    unpack_wheel,
)
from systemd.debian.programs import install_packages, run_program
from systemd.debian.release_list import (
    SYSTEM,
    find_images,
    link_system_file,
    place_images,
    write_release_list,
)
from systemd.debian.release_signing import ReleaseSigner
from systemd.debian.source import describe_version, list_files, name_build, read_date
from systemd.debian.suite_packages import unpack_packages
from systemd.debian.target import MACHINES, TARGETS, PackageTarget

INTERPRETER = ("python{0}-minimal", "libpython{0}-minimal", "libpython{0}-stdlib")
ITS_LIBRARIES = ("libc6", "libexpat1", "zlib1g")

ROOT = Path(__file__).resolve().parents[2]
RECIPE = Path(__file__).parent
PACKAGES = ("console", "devices", "firmware_bridge", "jackpot")
UNITS = (
    "banco.service",
    "banco-line.service",
    "banco-web.service",
    "banco-web.socket",
    "banco-room.service",
)
UNIT_FOLDER = "usr/lib/systemd/system"
LINKS = {
    "banco": "usr/bin/banco",
    "banco.sysusers": "usr/lib/sysusers.d/banco.conf",
    "banco.tmpfiles": "usr/lib/tmpfiles.d/banco.conf",
    **{unit: f"{UNIT_FOLDER}/{unit}.d/00-banco.conf" for unit in UNITS},
}
"""Which file of the program in force is found where, so that all are switched at once. The other
files in systemd/ are examples: a person copies and edits them. A later release takes no place away:
a table in play has it in its list."""

UNIT_STUB = (
    "# All that it does: 00-banco.conf in the folder beside it, of the version in force.\n[Unit]\n"
)
"""The same in every version. A link instead `systemctl enable` would follow, and keep its end."""

COMPRESSION = ("-Zxz", "-z1", "--threads-max=1")
"""A tenth larger than with -z6, in a fifth of the time; threads change the bytes."""

Fill = Callable[[Path, PackageTarget, str, Path], None]
"""Puts a package's own into its tree, for a target and version, with a folder to work in."""

OTHER_WAY, THIS_WAY = "/opt/banco/bin/banco", "/usr/bin/banco"
"""The units' program: where pip puts it, and where the package does."""


def compile_modules(package: DebianPackage, tree: Path, target: PackageTarget, work: Path) -> None:
    """Compile every module of a package, and list that of banco's own in its RECORD.

    The bytecode is not compared with its source when it is loaded (PEP 552, unchecked): neither
    dates nor clocks matter, and `verify` holds its hash. Raises Failure.
    """
    program = tree / package.program
    how = ("--invalidation-mode=unchecked-hash", "-s", program, "-p", f"/{package.program}")
    command = (*find_python(target, work), "-S", "-m", "compileall", "-q", *how, program)
    run_program(command, environment={"PYTHONHASHSEED": "0"})
    for record in program.glob("banco-*.dist-info/RECORD"):
        _list_bytecode(record, program)


def find_python(target: PackageTarget, work: Path) -> Sequence[str | Path]:
    """The words that run the suite's Python here: bytecode is the same on every architecture."""
    arch = run_program(["dpkg", "--print-architecture"]).strip()
    if arch not in MACHINES:
        raise Refused(f"a package is built on {' or '.join(MACHINES)}, not on {arch}")
    names = [name.format(target.python) for name in INTERPRETER]
    root = unpack_packages(target.suite, arch, [*names, *ITS_LIBRARIES], work / "interpreter")
    triplet = f"{MACHINES[arch]}-linux-gnu"
    (loader,) = (path for path in root.rglob("ld-linux-*.so.*") if not path.is_symlink())
    search = ":".join(str(root / folder / triplet) for folder in ("lib", "usr/lib"))
    home = f"PYTHONHOME={root / 'usr'}"
    program = root / f"usr/bin/python{target.python}"
    return ("env", home, loader, "--library-path", search, program)


def _list_bytecode(record: Path, program: Path) -> None:
    lines = []
    for room in PACKAGES:
        for file in sorted((program / room).rglob("*.pyc")):
            content = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            lines.append(f"{file.relative_to(program)},sha256={digest},{len(content)}\n")
    with record.open("a", encoding="utf-8") as listing:
        listing.writelines(lines)


def main() -> int:
    """Build for each target asked for, and print the packages' names."""
    parser = argparse.ArgumentParser(prog="make deb", description=__doc__)
    parser.add_argument("--suite", choices=sorted({target.suite.name for target in TARGETS}))
    parser.add_argument("--arch", choices=sorted({target.arch for target in TARGETS}))
    parser.add_argument("--version", help="instead of the one that git tells")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/deb")
    parser.add_argument(
        "--keys", type=Path, help="where the release's key is; default: a key of this checkout"
    )
    options = parser.parse_args()
    try:
        signer = ReleaseSigner(options.keys) if options.keys else ReleaseSigner.of_checkout(ROOT)
        for target in TARGETS:
            if options.suite in {None, target.suite.name} and options.arch in {None, target.arch}:
                version = options.version or describe_version(ROOT)
                print(*build_packages(target, version, options.folder, signer), sep="\n")
        signer.publish(options.folder)
    except Failure as error:
        print(f"make deb: {error}", file=sys.stderr)
        return 1
    return 0


def build_packages(
    target: PackageTarget, version: str, folder: Path, signer: ReleaseSigner
) -> list[Path]:
    """Build the packages of this version, as far as they are not there; their places."""
    version = f"{version}+deb{target.suite.release}"
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _build_package(package, fill, target, version, folder, signer) for package, fill in CONTENTS
    ]


def _build_package(
    package: DebianPackage,
    fill: Fill,
    target: PackageTarget,
    version: str,
    folder: Path,
    signer: ReleaseSigner,
) -> Path:
    file = folder / f"{package.name}_{version}_{target.arch}.deb"
    if file.exists() and bill_of(file).exists() and ".changed" not in version:
        return file
    install_packages([*packages_for(target), "xz-utils", "git"])
    with tempfile.TemporaryDirectory(prefix="banco-deb-") as work:
        tree = Path(work) / "tree"
        program, control = tree / package.program, tree / "DEBIAN"
        for made in (program, control):
            made.mkdir(parents=True)
        fill(tree, target, version, Path(work))
        compile_modules(package, tree, target, Path(work))
        _write_documents(package, tree, target, version)
        write_release_list(tree, version, signer, package.program)
        depends = write_control(package, tree, target, version)
        for script in package.scripts:
            shutil.copy(RECIPE / script, control)
        _pack(tree, file)
        _write(bill_of(file), write_bill(file, program, depends, target, read_date(ROOT)))
    return file


def _fill_report(tree: Path, target: PackageTarget, _: str, work: Path) -> None:
    pins = read_pins(ROOT, REPORT.extras, BANCO.extras)
    unpack_libraries(pins, target, work, tree / REPORT.program)


def _fill_banco(tree: Path, target: PackageTarget, version: str, work: Path) -> None:
    program = tree / BANCO.program
    pins = read_pins(ROOT, BANCO.extras)
    unpack_libraries(pins, target, work, program)
    headers = [f"libpython{target.python}-dev"]
    root = unpack_packages(target.suite, target.arch, headers, work / "headers")
    compile_libraries(pins, target, root / "usr/include", work, program)
    _unpack_banco(version, work, program)
    place_images(tree, find_images(ROOT))
    _place(RECIPE / "banco.sh", program / SYSTEM / "banco")
    for file in filter(Path.is_file, (ROOT / "systemd").iterdir()):
        text = file.read_text("utf-8").replace(OTHER_WAY, THIS_WAY)
        text = write_drop_in(text) if file.name in UNITS else text
        own = program / SYSTEM if file.name in LINKS else tree / "usr/share/banco"
        _write(own / file.name, text)
    for name, place in LINKS.items():
        link_system_file(tree, place, name)
    for unit in UNITS:
        _write(tree / UNIT_FOLDER / unit, UNIT_STUB)
    for name in list_files(ROOT, "docs/tables"):
        _place(ROOT / name, tree / "usr/share/banco" / Path(name).relative_to("docs"))
    for name in list_files(ROOT, "systemd/monitoring", "systemd/patroni"):
        _place(ROOT / name, tree / "usr/share/banco" / Path(name).relative_to("systemd"))
    _write_manual(tree, version)


CONTENTS: tuple[tuple[DebianPackage, Fill], ...] = ((BANCO, _fill_banco), (REPORT, _fill_report))


def write_drop_in(unit: str) -> str:
    """The unit as an addition to its stub, or to the whole unit that pip's way has left in /etc."""
    for key in ("ExecStart", "ExecStartPre", "ListenStream"):
        unit = re.sub(f"^({key})=", r"\1=\n\1=", unit, count=1, flags=re.MULTILINE)
    return unit


def _write_documents(
    package: DebianPackage, tree: Path, target: PackageTarget, version: str
) -> None:
    """What Debian asks of every package."""
    share = tree / "usr/share"
    documents = share / "doc" / package.name
    head = _read_recipe(package, "copyright.head")
    _write(documents / "copyright", describe_licences(package, tree, head))
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    changelog = write_changelog(package.name, changes, target.suite, version, read_date(ROOT))
    _compress(documents / "changelog.gz", changelog)
    overrides = _read_recipe(package, "lintian-overrides")
    _write(share / "lintian/overrides" / package.name, overrides)


def _read_recipe(package: DebianPackage, name: str) -> str:
    text = (RECIPE / name).read_text("utf-8")
    return text.replace("PACKAGE", package.name).replace("FOLDER", package.program)


def _write_manual(tree: Path, version: str) -> None:
    share = tree / "usr/share"
    for name in list_files(ROOT, "docs", "README.md"):
        if not name.startswith("docs/tables/"):
            _place(ROOT / name, share / "doc/banco" / name)
    commands = list_commands()
    statuses = (ROOT / "docs/reference/exit-status.md").read_text("utf-8")
    page = write_manual_page(commands, statuses, version, read_date(ROOT))
    _compress(share / "man/man1/banco.1.gz", page)
    _write(share / "bash-completion/completions/banco", write_completion(commands))


def _unpack_banco(version: str, work: Path, program: Path) -> None:
    """Of a clean copy: what an earlier build left in the checkout does not get in."""
    copy = work / "banco"
    for name in list_files(ROOT, *PACKAGES, "pyproject.toml", "LICENSE"):
        _place(ROOT / name, copy / name)
    name_build(copy, version)
    options = ["--no-deps", "--no-build-isolation", f"--wheel-dir={work / 'banco-wheel'}"]
    run_program([*PIP, "wheel", *options, copy])
    (wheel,) = (work / "banco-wheel").glob("banco-*.whl")
    unpack_wheel(wheel, program)


def _place(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def _compress(place: Path, text: str) -> None:
    """As gzip, with no name and no time in it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(gzip.compress(text.encode(), mtime=0))


def _pack(tree: Path, package: Path) -> None:
    """The same bytes from the same tree: rights, owners and one thread are set.

    dpkg-deb gives what is newer than the commit its date.
    """
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or _runs(path) else 0o644)
    made = package.with_suffix(".part")
    run_program(
        ["dpkg-deb", "--root-owner-group", *COMPRESSION, "--build", tree, made],
        environment={"SOURCE_DATE_EPOCH": str(read_date(ROOT))},
    )
    made.replace(package)


def _runs(file: Path) -> bool:
    """A script that is no module: nothing else in a package is started by its name."""
    return file.suffix == "" and file.read_bytes().startswith(b"#!")


if __name__ == "__main__":
    sys.exit(main())
