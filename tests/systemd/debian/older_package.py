"""A package of an older version, made of a newer one: another number, and nothing else."""

import hashlib
import re
from pathlib import Path

from systemd.debian.programs import run_program
from systemd.debian.release_list import write_release_list
from systemd.debian.release_signing import ReleaseSigner

VERSION = "0.0.1"
MODULE = "usr/lib/banco/program/console/configuration/version.py"


def make_older(package: Path, work: Path, signer: ReleaseSigner) -> Path:
    """Unpack it, write the older number into program, list and control file, and pack it again."""
    tree = work / "older"
    run_program(["dpkg-deb", "--raw-extract", package, tree])
    module, control, sums = tree / MODULE, tree / "DEBIAN/control", tree / "DEBIAN/md5sums"
    text = re.sub(
        '^VERSION = ".*"$', f'VERSION = "{VERSION}"', module.read_text("utf-8"), flags=re.M
    )
    module.write_text(re.sub('^BUILD = ".*"$', 'BUILD = ""', text, flags=re.M), "utf-8")
    (compiled,) = (module.parent / "__pycache__").glob("version.*.pyc")
    compiled.unlink()
    write_release_list(tree, VERSION, signer, {})
    names = [line.split("  ", 1)[1] for line in sums.read_text("utf-8").splitlines()]
    there = [name for name in names if (tree / name).exists()]
    lines = [f"{hashlib.md5((tree / name).read_bytes()).hexdigest()}  {name}\n" for name in there]
    sums.write_text("".join(lines), "utf-8")
    lines = control.read_text("utf-8").splitlines()
    lines = [f"Version: {VERSION}" if line.startswith("Version:") else line for line in lines]
    control.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    older = work / f"banco_{VERSION}.deb"
    run_program(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, older])
    return older
