"""The libraries: wheels by their hashes, unpacked for another Python and another machine.

Those in C without a wheel for every target are compiled from their hashed sources.
"""

import re
import shutil
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from jackpot.failures import Refused
from systemd.debian.programs import run_program
from systemd.debian.target import PackageTarget

LEFT_OUT = frozenset({"setuptools", "prompt-toolkit", "wcwidth"})
"""What builds, and the picture of the simulation: no table needs them."""

COMPILED = ("cobs", "lgpio")
"""Those without a wheel for every target: compiled here, the same way for all."""

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")

FLAGS = ("-shared", "-fPIC", "-O2", "-g0", "-s", "-pthread", "-DNDEBUG", "-D_FORTIFY_SOURCE=2")
FLAGS_OF_LINKER = ("-Wl,-z,relro", "-Wl,-z,now", "-Wl,--build-id=none", "-Wl,--no-as-needed", "-lc")
"""A module that calls nothing of the C library names it all the same: lintian asks for that."""


def read_pins(root: Path, extras: Sequence[str], there: Sequence[str] = ()) -> dict[str, str]:
    """Each library of these extras, with its line of version and hashes. Raises Failure.

    `there`: extras whose libraries are there already.
    """
    found: dict[str, str] = {}
    left_out = set(LEFT_OUT)
    for extra in (*there, *extras):
        file = f"requirements-{extra}.txt"
        text = re.sub(r"#.*", "", (root / file).read_text("utf-8")).replace("\\\n", " ")
        for line in filter(None, map(str.strip, text.splitlines())):
            name = line.partition("==")[0]
            if found.setdefault(name, line) != line:
                raise Refused(f"{file}: {name} is pinned otherwise than in another file")
            if extra in there:
                left_out.add(name)
    return {name: line for name, line in found.items() if name not in left_out}


def unpack_libraries(
    pins: Mapping[str, str], target: PackageTarget, work: Path, folder: Path
) -> None:
    """Fetch the wheels for the target and unpack them into the folder. Raises Failure."""
    wheels = work / "wheels"
    options = ["--only-binary=:all:", f"--python-version={target.python}", "--implementation=cp"]
    options += [f"--abi={abi}" for abi in (target.python_tag, "abi3", "none")]
    options += [f"--platform={platform}" for platform in target.platforms]
    fetch([line for name, line in pins.items() if name not in COMPILED], wheels, options)
    for wheel in sorted(wheels.glob("*.whl")):
        unpack_wheel(wheel, folder)


def fetch(lines: Sequence[str], folder: Path, options: Sequence[str]) -> None:
    """Fetch what these lines pin from pip's own index; each has one of its hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "pins.txt"
    listing.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    into = [f"--dest={folder}", f"--requirement={listing}"]
    run_program([*PIP, "download", "--no-deps", "--require-hashes", *options, *into])


def unpack_wheel(wheel: Path, folder: Path) -> None:
    """Unpack the modules; programs and pages beside them are left out. Raises Failure."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            data = re.match(r"[^/]+\.data/(\w+)/", name)
            if data is None:
                archive.extract(name, folder)
            elif data[1] not in {"scripts", "data", "headers"}:
                raise Refused(f"{wheel.name}: {name} is not where modules are")


def packages_for(target: PackageTarget) -> list[str]:
    """What compiles for the target; gcc by itself comes without the C library's headers.

    trixie's `gcc-x86-64-linux-gnu` comes without the assembler, which `gcc` brings.
    """
    if target.arch == run_program(["dpkg", "--print-architecture"]).strip():
        return ["swig", "gcc", "libc6-dev"]
    compiler = target.triplet.replace("_", "-")
    return ["swig", f"gcc-{compiler}", f"libc6-dev-{target.arch}-cross"]


def compile_libraries(
    pins: Mapping[str, str], target: PackageTarget, headers: Path, work: Path, folder: Path
) -> None:
    """Compile them with the target's headers of Python into the folder. Raises Failure."""
    sources = work / "sources"
    fetch([pins[name] for name in COMPILED], sources, ["--no-binary=:all:", "--no-build-isolation"])
    for archive in sorted(sources.glob("*.tar.gz")):
        options = ["--no-same-owner", f"--file={archive}", f"--directory={sources}"]
        run_program(["tar", "--extract", *options])
    (cobs,) = (path for path in sources.glob("cobs-*") if path.is_dir())
    (lgpio,) = (path for path in sources.glob("lgpio-*") if path.is_dir())
    _compile_cobs(cobs, target, headers, folder)
    _compile_lgpio(lgpio, target, headers, folder)


def _compile_cobs(source: Path, target: PackageTarget, headers: Path, folder: Path) -> None:
    shutil.copytree(source / "src/cobs", folder / "cobs")
    for module in ("cobs", "cobsr"):
        built = folder / "cobs" / module / f"_{module}_ext{target.extension_suffix}"
        _compile(target, headers, source, built, [f"src/ext/_{module}_ext.c"])
    _keep_description(source, folder)


def _compile_lgpio(source: Path, target: PackageTarget, headers: Path, folder: Path) -> None:
    """With the C library of lgpio in it, as its author makes the wheels."""
    run_program(["swig", "-python", "-o", "lgpio_wrap.c", "lgpio.i"], cwd=source)
    shutil.copy(source / "lgpio.py", folder / "lgpio.py")
    files = sorted(path.relative_to(source).as_posix() for path in source.glob("src/lg*.c"))
    built = folder / f"_lgpio{target.extension_suffix}"
    _compile(target, headers, source, built, [*files, "src/rgpiod.c", "lgpio_wrap.c"])
    _keep_description(source, folder)


def _compile(
    target: PackageTarget, headers: Path, source: Path, built: Path, files: list[str]
) -> None:
    no_path = f"-ffile-prefix-map={headers}=/usr/include"
    includes = [no_path, f"-I{headers}", f"-I{headers}/python{target.python}", "-Isrc"]
    command = [f"{target.triplet}-gcc", *FLAGS, *FLAGS_OF_LINKER, *includes, f"-o{built}", *files]
    run_program(command, cwd=source)


def _keep_description(source: Path, folder: Path) -> None:
    """Which version it is and under which licence, where Python looks for it."""
    kept = folder / f"{source.name}.dist-info"
    kept.mkdir()
    shutil.copy(source / "PKG-INFO", kept / "METADATA")
    for licence in source.glob("LICENSE*"):
        shutil.copy(licence, kept)
