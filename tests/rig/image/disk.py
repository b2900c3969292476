"""The disk and the initial RAM disk of the guest."""

import gzip
import lzma
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.rig.image.kernel import modules_of, version_of
from tests.rig.image.stages import Log
from tests.rig.layout import INSIDE, RIG_IN_GUEST, Layout

SIZE = "1500M"

KEPT_MODULES = (
    "drivers/usb/class",
    "drivers/usb/common",
    "drivers/usb/core",
    "drivers/usb/host",
    "drivers/usb/serial",
    "drivers/virtio",
    "drivers/block/virtio_blk.ko",
    "drivers/char/virtio_console.ko",
    "drivers/watchdog",
    "drivers/gpio",
    "drivers/net/net_failover.ko",
    "drivers/net/virtio_net.ko",
    "fs/autofs",
    "fs/configfs",
    "fs/ext4",
    "fs/jbd2",
    "fs/mbcache.ko",
    "fs/overlayfs",
    "lib",
    "block",
    "crypto/crc32c_generic.ko",
    "crypto/crc64_rocksoft.ko",
    "crypto/crc64_rocksoft_generic.ko",
    "crypto/crct10dif_common.ko",
    "crypto/crct10dif_generic.ko",
    "drivers/scsi/scsi_common.ko",
    "drivers/scsi/scsi_mod.ko",
    "drivers/scsi/sd_mod.ko",
    "drivers/usb/storage",
    "net/core",
)
"""What the guest's devices need; udev takes longer, the more there is to look through."""

FIRST_MODULES = ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4", "configfs")
OWN_MODULES = ("gpio-sim", "pi-revision")
"""pi-revision where there is no device tree only."""

MASKED = (
    "apt-daily-upgrade.timer",
    "apt-daily.timer",
    "dev-hugepages.mount",
    "dev-mqueue.mount",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service",
    "fstrim.timer",
    "getty@tty1.service",
    "kmod-static-nodes.service",
    "modprobe@configfs.service",
    "modprobe@dm_mod.service",
    "modprobe@drm.service",
    "modprobe@efi_pstore.service",
    "modprobe@fuse.service",
    "modprobe@loop.service",
    "proc-sys-fs-binfmt_misc.automount",
    "serial-getty@hvc0.service",
    "serial-getty@ttyAMA0.service",
    "serial-getty@ttyS0.service",
    "sys-fs-fuse-connections.mount",
    "sys-kernel-config.mount",
    "sys-kernel-debug.mount",
    "sys-kernel-tracing.mount",
    "systemd-ask-password-console.path",
    "systemd-ask-password-wall.path",
    "systemd-binfmt.service",
    "systemd-firstboot.service",
    "systemd-logind.service",
    "systemd-modules-load.service",
    "systemd-networkd-wait-online.service",
    "systemd-random-seed.service",
    "systemd-remount-fs.service",
    "systemd-sysctl.service",
    "systemd-sysusers.service",
    "systemd-update-utmp-runlevel.service",
    "systemd-update-utmp.service",
    "systemd-user-sessions.service",
)
"""Of no use to a machine without screen and network; each costs an emulated processor a second."""

GENERATORS = "usr/lib/systemd/system-generators"
"""They look for what this machine has not: other disks, logins on consoles, System V."""

DROP_INS = {
    "systemd-udev-trigger.service.d/rig.conf": """[Service]
# Only the devices that the table has. There are some 200 others, and every rule looks at each.
ExecStart=
ExecStart=udevadm trigger --action=add --subsystem-match=pci --subsystem-match=block \\
  --subsystem-match=gpio --subsystem-match=virtio --subsystem-match=usb
ExecStart=udevadm trigger --action=add --sysname-match=ttyAMA0 --sysname-match=ttyUSB*
""",
    "../journald.conf.d/rig.conf": """[Journal]
# The kernel's own lines are on the console.
ReadKMsg=no
""",
}


def furnish(layout: Layout, root: Path, log: Log) -> None:
    """The kernel's modules and the rig's hand, into a root folder."""
    shutil.rmtree(root / "lib/modules", ignore_errors=True)
    copy_modules(layout, root, log, KEPT_MODULES)
    hand = root / RIG_IN_GUEST
    hand.mkdir(parents=True, exist_ok=True)
    shutil.copy(INSIDE / "agent.py", hand)
    shutil.copy(INSIDE / "banco-rig-agent.service", root / "etc/systemd/system")
    log.run("chroot", root, "systemctl", "enable", "banco-rig-agent.service")
    _lighten(root, log)


def _lighten(root: Path, log: Log) -> None:
    """Leave out what makes a boot long and that no table needs."""
    log.run("chroot", root, "systemctl", "set-default", "multi-user.target")
    (root / "usr/lib/systemd/system/multi-user.target.wants/dbus.service").unlink()
    mask_units(root)
    mask_generators(root, [generator.name for generator in (root / GENERATORS).iterdir()])


def mask_units(root: Path) -> None:
    """Leave out units, and most of udev's work."""
    units = root / "etc/systemd/system"
    units.mkdir(parents=True, exist_ok=True)
    for unit in MASKED:
        (units / unit).symlink_to("/dev/null")
    for name, text in DROP_INS.items():
        drop_in = units / name
        drop_in.parent.mkdir(parents=True, exist_ok=True)
        drop_in.write_text(text, "utf-8")


def mask_generators(root: Path, names: Sequence[str]) -> None:
    """Leave out these makers of units."""
    folder = root / "etc/systemd/system-generators"
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to("/dev/null")


def copy_modules(layout: Layout, root: Path, log: Log, names: Sequence[str]) -> None:
    """These of Debian's modules, into `lib/modules` of a root folder."""
    source, version = modules_of(layout), version_of(layout)
    target = root / "lib/modules" / version
    target.mkdir(parents=True)
    for index in source.glob("modules.*"):
        if index.name.startswith(("modules.builtin", "modules.order")):
            shutil.copy(index, target)
    for name in names:
        found, kept = source / "kernel" / name, target / "kernel" / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        if found.is_dir():
            shutil.copytree(found, kept, dirs_exist_ok=True)
        elif found.exists():
            shutil.copy(found, kept)
    log.run("depmod", "-b", root, version)


def make_disk(root: Path, disk: Path, log: Log, size: str = SIZE, label: str = "root") -> None:
    """An ext4 file system with what the folder holds."""
    disk.unlink(missing_ok=True)
    log.run("mke2fs", "-q", "-t", "ext4", "-L", label, "-d", root, disk, size)


def make_initrd(layout: Layout, root: Path, log: Log) -> None:
    """busybox, the modules of the root disk and of the panel's lines, `inside/init` and `panel`."""
    work = layout.folder / "initrd"
    shutil.rmtree(work, ignore_errors=True)
    (work / "bin").mkdir(parents=True)
    (work / "modules").mkdir()
    shutil.copy(next((layout.linux / "busybox").rglob("bin/busybox")), work / "bin/busybox")
    for name in ("init", "panel"):
        shutil.copy(INSIDE / name, work / name)
    (work / "init").chmod(0o755)
    own = OWN_MODULES[:1] if layout.architecture.has_device_tree else OWN_MODULES
    names = [_unpack(path, work / "modules") for path in _list_needed(layout, root, log)]
    for name in own:
        shutil.copy(layout.linux / "modules" / f"{name}.ko", work / "modules")
        names.append(f"{name}.ko")
    (work / "modules/order").write_text("\n".join([*names, ""]), "ascii")
    files = "\n".join(str(path.relative_to(work)) for path in sorted(work.rglob("*")))
    archive = subprocess.run(
        ["cpio", "--quiet", "-o", "-H", "newc"],
        input=files.encode(),
        cwd=work,
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    layout.initrd.write_bytes(gzip.compress(archive, 1))


def _list_needed(layout: Layout, root: Path, log: Log) -> Sequence[Path]:
    """The files of the first modules, each after those that it needs."""
    found: dict[Path, None] = {}
    for name in FIRST_MODULES:
        command = ("modprobe", "-d", root, "-S", version_of(layout), "--show-depends", name)
        for line in log.read(*command).splitlines():
            if line.startswith("insmod "):
                found[Path(line.split()[1])] = None
    return list(found)


def _unpack(module: Path, folder: Path) -> str:
    """A module as the kernel takes it from busybox: not compressed."""
    if module.suffix == ".xz":
        (folder / module.stem).write_bytes(lzma.decompress(module.read_bytes()))
        return module.stem
    shutil.copy(module, folder)
    return module.name
