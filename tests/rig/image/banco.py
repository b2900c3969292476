"""banco in the guest, installed as docs/install.md says."""

import shutil
import sys
from pathlib import Path

from tests.rig.image.stages import Log
from tests.rig.layout import ROOT, Layout

PI_4_USB = "platform-fd500000.pcie-pci-0000:01:00.0"
"""The controller that systemd/99-banco.rules names."""

SLOW = """[Service]
# An emulated processor is some 25 times slower: this is the rig's own, and says so in its report.
TimeoutStartSec=90
"""

LAUNCHER = """#!/bin/sh
PYTHONPATH=/opt/banco/lib exec /usr/bin/python3 -c 'import sys
from console.command_line import main
sys.argv[0] = "banco"
sys.exit(main())' "$@"
"""


def install_banco(layout: Layout, root: Path, log: Log) -> None:
    """The program, its unit and its rules, with a table's configuration."""
    library = root / "opt/banco/lib"
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--target", library)
    log.run(*pip, "--require-hashes", "-r", ROOT / "requirements-pi.txt")
    log.run(*pip, "--no-deps", "--no-build-isolation", ROOT)
    launcher = root / "opt/banco/bin/banco"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(LAUNCHER, "utf-8")
    launcher.chmod(0o755)
    for source, target in {
        "banco.sysusers": "usr/lib/sysusers.d/banco.conf",
        "banco.tmpfiles": "usr/lib/tmpfiles.d/banco.conf",
        "99-banco.rules": "etc/udev/rules.d/99-banco.rules",
        "banco.service": "etc/systemd/system/banco.service",
        "banco-line.service": "etc/systemd/system/banco-line.service",
    }.items():
        shutil.copy(ROOT / "systemd" / source, root / target)
    log.run_inside(root, "systemd-sysusers")
    log.run_inside(root, "systemd-tmpfiles", "--create", "/usr/lib/tmpfiles.d/banco.conf")
    shutil.copy(ROOT / "docs/tables/caribbean-stud.toml", root / "etc/banco/table.toml")
    log.run_inside(root, "/opt/banco/bin/banco", "check", "/etc/banco/table.toml")
    log.run_inside(root, "systemctl", "enable", "banco.service")
    fit(layout, root)


def fit(layout: Layout, root: Path) -> None:
    """What the integrator of this cabinet adapts: the sockets, and a slow processor's patience."""
    rules = root / "etc/udev/rules.d/99-banco.rules"
    text = rules.read_text("utf-8").replace(PI_4_USB, layout.architecture.usb_path)
    if layout.architecture.kernel == "x86":  # no UART of a Pi: the diagnostics line is an adapter
        socket = f'ENV{{ID_PATH}}=="{layout.architecture.usb_path}-usb-0:1.6:1.0"'
        text = text.replace('KERNEL=="ttyAMA0"', socket)
    rules.write_text(text, "utf-8")
    for unit in ("banco", "banco-line"):
        folder = root / f"etc/systemd/system/{unit}.service.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "rig-slow.conf").write_text(SLOW, "utf-8")
