"""Debian's packages: those that this machine needs, and those that the guest is made of."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.rig.image.stages import Log, StageFailed
from tests.rig.layout import Layout

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

HOST_PACKAGES = (
    "cpio",
    "e2fsprogs",
    "gcc",
    "kmod",
    "libc6-dev",
    "libelf1",
    "linux-kbuild-6.1",
    "linux-source-6.1",
    "make",
    "mmdebstrap",
    "postgresql",
    "qemu-utils",
)

GUEST_PACKAGES = (
    "adduser",
    "dbus",
    "iproute2",
    "kmod",
    "procps",
    "psmisc",
    "openssl",
    "python3",
    "sudo",
    "systemd",
    "systemd-sysv",
    "udev",
)


def install_host_packages(log: Log, packages: Sequence[str]) -> None:
    """Install what is missing. Raises StageFailed where that is not possible, naming what is."""
    missing = [name for name in packages if not is_installed(name)]
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise StageFailed(f"the rig needs root on Debian 12, and: apt install {' '.join(missing)}")
    wait = "DPkg::Lock::Timeout=600"
    log.run("apt-get", "update", "-q")
    log.run("apt-get", "-o", wait, "install", "-y", "-q", "--no-install-recommends", *missing)


def run_foreign_programs(log: Log) -> None:
    """Let this kernel run another architecture's programs, by qemu-user."""
    formats = Path("/proc/sys/fs/binfmt_misc")
    if not (formats / "status").exists():
        log.run("mount", "-t", "binfmt_misc", "binfmt_misc", formats)
    log.run("update-binfmts", "--enable", "qemu-aarch64")


def is_installed(package: str) -> bool:
    """Whether dpkg has the package in good order."""
    query = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}", package],
        check=False,
        text=True,
        capture_output=True,
    )
    return query.stdout == "installed"


def sources_of(suite: str, log: Log) -> list[str]:
    """Lines of apt sources for a suite, at the mirrors that this machine uses itself.

    They are there before the machine has fetched its lists, too.
    """
    targets = log.read(
        "apt-get",
        "indextargets",
        "--no-release-info",
        "--format",
        "$(REPO_URI) $(RELEASE) $(COMPONENT)",
        "Created-By: Packages",
    )
    mirrors: dict[bool, str] = {}
    for line in targets.splitlines():
        uri, release, component = line.split()
        if component == "main" and "debian" in uri:
            mirrors.setdefault(release.endswith("-security"), uri)
    if mirrors.keys() != {False, True}:
        raise StageFailed("this machine's apt sources name no Debian mirror with its security")
    return [
        f"deb [signed-by={KEYRING}] {mirrors[security]} {name} main"
        for security, name in ((False, suite), (True, f"{suite}-security"))
    ]


class GuestApt:
    """An apt for another suite and architecture, beside this machine's own."""

    def __init__(self, layout: Layout, suite: str, folder: Path, log: Log) -> None:
        self._log = log
        (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (folder / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        sources = folder / "sources.list"
        sources.write_text("\n".join([*sources_of(suite, log), ""]), "utf-8")
        options = {
            "Dir::Etc::sourcelist": sources,
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::State::lists": folder / "lists",
            "Dir::Cache": folder / "cache",
            "Dir::State::status": "/dev/null",
            "APT::Architecture": layout.architecture.debian,
            "APT::Architectures": layout.architecture.debian,
            "APT::Sandbox::User": "root",
        }
        self._options = [
            word for key, value in options.items() for word in ("-o", f"{key}={value}")
        ]
        log.run("apt-get", *self._options, "update", "-q")

    def depends(self, package: str) -> list[str]:
        """What a package depends on."""
        lines = self._log.read("apt-cache", *self._options, "depends", package).splitlines()
        return [line.split()[-1] for line in lines if line.strip().startswith("Depends:")]

    def unpack(self, folder: Path, *packages: str) -> None:
        """Download packages, and unpack them into `folder`."""
        archives = folder.parent / f"{folder.name}.archives"
        shutil.rmtree(archives, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
        archives.mkdir(parents=True)
        self._log.run("apt-get", *self._options, "download", "-q", *packages, cwd=archives)
        for archive in sorted(archives.glob("*.deb")):
            self._log.run("dpkg-deb", "-x", archive, folder)
        shutil.rmtree(archives)
