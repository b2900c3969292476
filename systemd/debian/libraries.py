"""The libraries: wheels by their hashes, unpacked for another Python and another machine."""

import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from systemd.debian.programs import CannotBuild, run_program
from systemd.debian.target import PackageTarget

PIN_FILES = tuple(
    f"requirements-{extra}.txt" for extra in ("pi", "metrics", "report", "audit", "link", "web")
)
"""A house has no pip at its tables: the package has whatever a configuration may ask for."""

LEFT_OUT = frozenset({"setuptools", "prompt-toolkit", "wcwidth"})
"""What builds, and the picture of the simulation: no table needs them."""

COMPILED = ("cobs", "lgpio")
"""Those without a wheel for every target: compiled here (extensions.py), the same way for all."""

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def read_pins(root: Path) -> dict[str, str]:
    """Each library a table may need, with its line of version and hashes. Raises CannotBuild."""
    found: dict[str, str] = {}
    for file in PIN_FILES:
        text = re.sub(r"#.*", "", (root / file).read_text("utf-8")).replace("\\\n", " ")
        for line in filter(None, map(str.strip, text.splitlines())):
            name = line.partition("==")[0]
            if found.setdefault(name, line) != line:
                raise CannotBuild(f"{file}: {name} is pinned otherwise than in another file")
    return {name: line for name, line in found.items() if name not in LEFT_OUT}


def unpack_libraries(
    pins: Mapping[str, str], target: PackageTarget, work: Path, folder: Path
) -> None:
    """Fetch the wheels for the target and unpack them into the folder. Raises CannotBuild."""
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
    """Unpack the modules; programs and pages beside them are left out. Raises CannotBuild."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            data = re.match(r"[^/]+\.data/(\w+)/", name)
            if data is None:
                archive.extract(name, folder)
            elif data[1] not in {"scripts", "data", "headers"}:
                raise CannotBuild(f"{wheel.name}: {name} is not where modules are")
