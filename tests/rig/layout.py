"""Where the rig keeps what it builds, and what differs between the machines it can build."""

from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
INSIDE = Path(__file__).resolve().parent / "inside"
"""What goes into the guest."""

RIG_IN_GUEST = Path("usr/local/lib/banco-rig")

UEFI = Path("/usr/share/OVMF/OVMF_CODE_4M.fd")
"""Without a store for variables: a start needs none."""

UUID = "5f3c1f0e-2f2c-4d0e-9a53-6c0a4b1d7e21"
LIGHT_START = [
    "systemd.default_device_timeout_sec=900",
    "systemd.default_timeout_start_sec=900",
    *(
        f"rd.systemd.mask={unit}"
        for unit in (
            *("dev-hugepages.mount", "dev-mqueue.mount", "lvm2-monitor.service"),
            *("modprobe@efi_pstore.service", "modprobe@fuse.service", "run-lock.mount"),
            *("sys-kernel-debug.mount", "sys-kernel-tracing.mount", "systemd-sysctl.service"),
        )
    ),
]
"""A busy machine finds a disk later than systemd waits for it; much of an initrd is for others."""

MEMORY_MB = 768
"""The guest's."""

SUITES = ("bookworm", "trixie")

PROVED = ("rail", "shuffler")
"""They have boards, which get a key when they are enrolled."""


class Architecture(Struct, frozen=True):
    """What Debian, the kernel and QEMU call one architecture."""

    debian: str
    kernel: str
    cross: str
    """The cross compiler's prefix."""
    usb_path: str
    """What udev's ID_PATH calls the controller behind which our hub is."""
    has_device_tree: bool
    """A PC has none."""
    host_packages: tuple[str, ...] = ()


ARCHITECTURES = {
    "amd64": Architecture("amd64", "x86", "", "pci-0000:00:05.0", False, ("qemu-system-x86",)),
    "arm64": Architecture(
        "arm64",
        "arm64",
        "aarch64-linux-gnu-",
        "platform-4010000000.pcie-pci-0000:00:05.0",
        True,
        (
            "qemu-system-arm",
            "qemu-user-static",
            "binfmt-support",
            "gcc-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "arch-test",
            "device-tree-compiler",
        ),
    ),
}


class System(Struct, frozen=True):
    """What a machine is started from, and the media that hang at it; the first is the system's."""

    disks: tuple[Path, ...]
    sticks: tuple[Path, ...]
    kernel: Path | None = None
    initrd: Path | None = None
    """Without a kernel the machine's firmware finds one on the first disk."""

    def start(self, words: str) -> list[str]:
        """QEMU's words for the start, with more words for the kernel."""
        if self.kernel is not None:
            words = f"root=/dev/vda rw {words}"
            return ["-kernel", str(self.kernel), "-initrd", str(self.initrd), "-append", words]
        words = " ".join([words, *LIGHT_START]).replace(",", ",,")  # QEMU's own commas
        extra = f"type=11,value=io.systemd.stub.kernel-cmdline-extra={words}"
        return [
            "-drive",
            f"if=pflash,format=raw,readonly=on,file={UEFI}",
            "-smbios",
            extra,
            "-uuid",
            UUID,
        ]


class Layout(Struct, frozen=True):
    """The files of one architecture and suite, below `folder`."""

    folder: Path
    architecture: Architecture
    suite: str

    @property
    def linux(self) -> Path:
        """The kernel's folder: Debian 12's kernel serves every suite."""
        return self.folder.parent / f"{self.architecture.debian}-kernel"

    @property
    def system(self) -> Path:
        """Debian alone, as a folder."""
        return self.folder / "system"

    @property
    def disk(self) -> Path:
        """The disk with banco installed."""
        return self.folder / "disk.img"

    @property
    def bare_disk(self) -> Path:
        """The disk of a machine that has never heard of banco."""
        return self.folder / "bare.img"

    @property
    def packages(self) -> Path:
        """The folder of banco's packages, of two versions."""
        return self.folder / "packages"

    def package(self, version: str) -> Path:
        """banco's package of this version."""
        (found,) = self.packages.glob(f"banco_{version}+*.deb")
        return found

    @property
    def stick(self) -> Path:
        """A USB stick's file system, with `source` on it."""
        return self.folder / "stick.img"

    @property
    def source(self) -> Path:
        """A signed source for apt, with both packages."""
        return self.folder / "stick"

    @property
    def keys(self) -> Path:
        """gpg's folder of the key that has signed it."""
        return self.folder / "keys"

    @property
    def kernel(self) -> Path:
        """What QEMU boots."""
        return self.folder / "vmlinuz"

    @property
    def initrd(self) -> Path:
        """The initial RAM disk."""
        return self.folder / "initrd.img"

    @property
    def golden(self) -> Path:
        """The folder of the machine's image, its updates, its media and its sticks."""
        return self.folder.parent / f"{self.architecture.debian}-image"

    @property
    def device_tree(self) -> Path:
        """QEMU's device tree, with a Raspberry Pi's revision (arm64 only)."""
        return self.folder / "virt.dtb"


def layout_of(architecture: str, suite: str) -> Layout:
    """Where the rig of this architecture and suite is built."""
    return Layout(
        ROOT / "build" / "rig" / f"{architecture}-{suite}", ARCHITECTURES[architecture], suite
    )


def system_with_banco(layout: Layout) -> System:
    """Debian with banco's package installed."""
    return System((layout.disk,), (layout.stick,), layout.kernel, layout.initrd)


def system_without_banco(layout: Layout) -> System:
    """Debian that has never heard of banco."""
    return System((layout.bare_disk,), (layout.stick,), layout.kernel, layout.initrd)


MEDIA = ("ledger", "copy")
TABLES = {"name": "caribbean-1", "second": "caribbean-2"}
"""The sticks that name a table, and the table."""

NAMING_STICKS = ("wrong", "nobody", *TABLES)
STICKS = (*NAMING_STICKS, "forged", "foreign", "altered", "update", "broken")
"""Of the machine's image; those that name no table have another image."""


def system_of_image(layout: Layout, stick: str = "name") -> System:
    """The machine's image, with ledger and copy of this stick's table on media of their own."""
    system = layout.golden / "build/image/banco_0.1.0.raw"
    media = (layout.golden / f"{stick}-{name}.img" for name in MEDIA)
    return System((system, *media), tuple(layout.golden / f"{name}.img" for name in STICKS))
