"""The bill of materials of a package, as CycloneDX 1.6: what is in it, and of which version.

It is beside the package, of the same name: banco_0.1.0+deb12_arm64.cdx.json.
"""

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from pathlib import Path

from systemd.debian.target import PackageTarget

SUFFIX = ".cdx.json"
NAMESPACE = uuid.UUID("7a4d2a0e-6a1f-5f0b-9b8e-2d0f6f7d1c11")
"""Of the serial numbers: the same package has the same one."""


def bill_of(package: Path) -> Path:
    """Where a package's bill is."""
    return package.with_name(package.name.removesuffix(".deb") + SUFFIX)


def write_bill(
    package: Path, program: Path, depends: list[str], target: PackageTarget, date: int
) -> str:
    """The bill of the libraries in `program`, and of the Debian packages it depends on."""
    file = package.name.removesuffix(".deb")
    name, version, _ = file.split("_")
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, file)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(date, UTC).isoformat(),
            "component": {
                "type": "application",
                "name": name,
                "version": version,
                "purl": f"pkg:deb/{name}@{version.replace('+', '%2B')}?arch={target.arch}",
            },
        },
        "components": [*_list_libraries(program), *_list_depends(depends, target)],
    }
    return json.dumps(bill, indent=1) + "\n"


def _list_libraries(program: Path) -> Iterator[dict[str, str]]:
    """As each one's own description names it."""
    for file in sorted(program.glob("*.dist-info/METADATA")):
        described = HeaderParser().parsestr(file.read_text("utf-8"))
        if described["Name"] != "banco":
            name = normalize_name(described["Name"])
            yield {
                "type": "library",
                "name": name,
                "version": described["Version"],
                "purl": f"pkg:pypi/{name}@{described['Version']}",
            }


def _list_depends(depends: list[str], target: PackageTarget) -> Iterator[dict[str, str]]:
    """Those of the machine's own Debian have its version, which only the machine knows.

    The package `banco` has a bill of its own.
    """
    for name in sorted({one.split()[0] for one in depends} - {"banco"}):
        purl = f"pkg:deb/debian/{name}?arch={target.arch}&distro={target.suite.name}"
        yield {"type": "library", "name": name, "purl": purl}


def normalize_name(name: str) -> str:
    """A Python package's name, so that two spellings are one (PyPA, names and normalization)."""
    return re.sub(r"[-_.]+", "-", name).lower()
