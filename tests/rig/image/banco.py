"""banco in the guest, installed as docs/how-to/install.md says."""

import shutil
import sys
import tempfile
from pathlib import Path

from systemd.debian.release_signing import ReleaseSigner
from tests.rig.image import disk
from tests.rig.image.stages import Log
from tests.rig.layout import ROOT, Layout
from tests.systemd.debian.renumbered_package import renumber_package

PI_4_USB = "platform-fd500000.pcie-pci-0000:01:00.0"
"""The controller that systemd/99-banco.rules names."""

SLOW = """[Service]
# An emulated processor is some 25 times slower: this is the rig's own, and says so in its report.
TimeoutStartSec=300
"""

VERSION, NEXT_VERSION = "0.1.0", "0.1.1"
"""The version that is installed, and the one that comes on a stick."""

PEOPLE = {"anna": "technician", "rossi": "floor-manager"}
PIN = "314159"
HOUSE_FILES = ("table.toml", "people.toml", "people-names.toml")
"""Of `/etc/banco`."""

STICK_SIZE = "256M"
STICK_LABEL = "banco"


def build_packages(layout: Layout, log: Log) -> None:
    """The package as `make deb` builds it, and the same tree with another number."""
    shutil.rmtree(layout.packages, ignore_errors=True)
    target = ("--suite", layout.suite, "--arch", layout.architecture.debian)
    folder = ("--version", VERSION, "--folder", layout.packages)
    log.run(sys.executable, "-m", "systemd.debian.build", *target, *folder, cwd=ROOT)
    package = layout.package(VERSION)
    next_package = layout.packages / package.name.replace(VERSION, NEXT_VERSION)
    signer = ReleaseSigner.of_checkout(ROOT)
    with tempfile.TemporaryDirectory(prefix="banco-rig-") as work:
        renumber_package(package, NEXT_VERSION, Path(work), next_package, signer)


def make_stick(layout: Layout, log: Log) -> None:
    """A source for apt with both packages, signed with a key of this run, as a house makes it."""
    for old in (layout.source, layout.keys):
        shutil.rmtree(old, ignore_errors=True)
    layout.keys.mkdir(mode=0o700)
    make = (sys.executable, "-m")
    keys = ("--keys", layout.keys)
    log.run(*make, "systemd.debian.signing", *keys, "--no-passphrase", cwd=ROOT)
    source = ("--packages", layout.packages, "--folder", layout.source)
    log.run(*make, "systemd.debian.apt_source", *source, *keys, cwd=ROOT)
    disk.make_disk(layout.source, layout.stick, log, size=STICK_SIZE, label=STICK_LABEL)


def install_banco(layout: Layout, root: Path, log: Log) -> None:
    """The package, the rules, and a table's configuration."""
    package = layout.package(VERSION)
    shutil.copy(package, root / "var/cache")
    log.run_inside(root, "dpkg", "--install", f"/var/cache/{package.name}")
    (root / "var/cache" / package.name).unlink()
    shared = root / "usr/share/banco"
    shutil.copy(shared / "99-banco.rules", root / "etc/udev/rules.d/99-banco.rules")
    text = (shared / "tables/caribbean-stud.toml").read_text("utf-8")
    lines = text.splitlines(keepends=True)  # its second copy comes on a stick, in a part of its own
    witnesses = ("mirror =", "seal =", "[key]", "store =")
    lines = [line for line in lines if not line.startswith(witnesses)]
    (root / "etc/banco/table.toml").write_text("".join(lines), "utf-8")
    log.run_inside(root, "banco", "check", "/etc/banco/table.toml")
    begin_ledger(root, log)
    log.run("chroot", root, "systemctl", "enable", "banco.service")
    fit(layout, root)


def begin_ledger(root: Path, log: Log) -> None:
    """Two people are enrolled, and begin the table's ledger."""
    typed = f"printf '{PIN}\\n{PIN}\\n' |"
    for name, duty in PEOPLE.items():
        log.run_inside(root, "sh", "-c", f"{typed} banco enrol {name} --duty {duty}")
    names = " --and ".join(PEOPLE)
    log.run_inside(root, "sh", "-c", f"{typed} banco ledger begin --as {names}")


def fit(layout: Layout, root: Path) -> None:
    """What the integrator of this cabinet adapts: the sockets, and a slow processor's patience."""
    rules = root / "etc/udev/rules.d/99-banco.rules"
    fit_rules(layout, rules, rules)
    fit_patience(root / "etc/systemd/system")


def fit_rules(layout: Layout, shipped: Path, fitted: Path) -> None:
    """The device names, with this cabinet's sockets."""
    text = shipped.read_text("utf-8").replace(PI_4_USB, layout.architecture.usb_path)
    if (
        not layout.architecture.has_device_tree
    ):  # no UART of a Pi: the diagnostics line is an adapter
        socket = f'ENV{{ID_PATH}}=="{layout.architecture.usb_path}-usb-0:1.6:1.0"'
        text = text.replace('KERNEL=="ttyAMA0"', socket)
    fitted.write_text(text, "utf-8")


def fit_patience(units: Path) -> None:
    """Each unit may take longer to start."""
    for unit in ("banco", "banco-line", "banco-web"):
        folder = units / f"{unit}.service.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "rig-slow.conf").write_text(SLOW, "utf-8")
