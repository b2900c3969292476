"""The guest's Debian: a folder made by mmdebstrap, before anything of ours is in it."""

import shutil

from tests.rig.image.debian import GUEST_PACKAGES, sources_of
from tests.rig.image.stages import Log
from tests.rig.layout import Layout

LEFT_OUT = ("/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/man/*")

HOST_NAME = "table-rig"


def build_system(layout: Layout, log: Log) -> None:
    """Debian as an installer leaves it, small: what banco's package needs is here already."""
    shutil.rmtree(layout.system, ignore_errors=True)
    log.run(
        "mmdebstrap",
        f"--arch={layout.architecture.debian}",
        "--variant=minbase",
        "--mode=root",
        "--format=directory",
        f"--include={','.join(GUEST_PACKAGES)}",
        '--aptopt=APT::Install-Recommends "false"',
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT),
        layout.suite,
        layout.system,
        *sources_of(layout.suite, log),
    )
    root = layout.system
    log.run("chroot", root, "passwd", "-d", "root")
    (root / "etc/hostname").write_text(f"{HOST_NAME}\n", "utf-8")
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {HOST_NAME}\n", "utf-8")
    (root / "etc/fstab").write_text("", "utf-8")
    (root / "etc/machine-id").write_text("0123456789abcdef" * 2 + "\n", "utf-8")
    (root / "var/log/journal").mkdir(parents=True, exist_ok=True)
