"""The guest's kernel: Debian's own, and two modules that it lacks."""

import lzma
import shutil
from pathlib import Path

from tests.rig.image.debian import GuestApt
from tests.rig.image.stages import Log
from tests.rig.layout import INSIDE, Layout

SUITE = "bookworm"
SERIES = "6.1"
XZ = b"\xfd7zXZ\0"
X86_HEADER = slice(0x202, 0x206), b"HdrS"
"""Where x86's boot protocol has its word."""

SOURCES = (
    "drivers/gpio/gpio-sim.c",
    "drivers/gpio/gpiolib.h",
    "kernel/irq/irq_sim.c",
)


def version_of(layout: Layout) -> str:
    """The kernel's version, as its modules' folder is called."""
    return (layout.linux / "version").read_text("utf-8")


def modules_of(layout: Layout) -> Path:
    """Debian's modules."""
    found = sorted((layout.linux / "image").glob(f"**/lib/modules/{version_of(layout)}"))
    return found[0]


def fetch_kernel(layout: Layout, log: Log) -> None:
    """The newest kernel of Debian 12, and the headers that modules of our own need."""
    apt = GuestApt(layout, SUITE, layout.linux / "apt", log)
    name = layout.architecture.debian
    image = apt.depends(f"linux-image-{name}")[0]
    version = image.removeprefix("linux-image-")
    common = f"linux-headers-{version.removesuffix(f'-{name}')}-common"
    apt.unpack(layout.linux / "image", image)
    apt.unpack(layout.linux / "headers", f"linux-headers-{version}", common)
    apt.unpack(layout.linux / "busybox", "busybox-static")
    (layout.linux / "version").write_text(version, "utf-8")


def unpack_kernel(image: bytes) -> bytes:
    """The kernel itself, out of an image that unpacks itself: that costs an emulated x86 5 s."""
    place, word = X86_HEADER
    if image[place] != word:
        return image  # arm64's is the kernel itself
    return lzma.LZMADecompressor().decompress(image[image.index(XZ) :])


def build_modules(layout: Layout, log: Log) -> None:
    """gpio-sim, which Debian's kernel lacks, and the word by which gpiozero knows a Pi."""
    work = layout.linux / "modules"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(INSIDE / "modules", work)
    archive = f"/usr/src/linux-source-{SERIES}.tar.xz"
    inside = [f"linux-source-{SERIES}/{file}" for file in SOURCES]
    source = layout.linux / "source"
    source.mkdir(exist_ok=True)
    log.run("tar", "-xJf", archive, "-C", source, "--strip-components=1", *inside)
    headers = _prepare_headers(layout)
    architecture = layout.architecture
    log.run(
        "make",
        "-C",
        work,
        "modules",
        f"KERNEL={headers}",
        f"SOURCE={source}",
        f"ARCH={architecture.kernel}",
        f"CROSS_COMPILE={architecture.cross}",
    )


def _prepare_headers(layout: Layout) -> Path:
    """The headers' folder. They name each other by their places in a Debian system."""
    kernels = layout.linux / "headers" / "usr" / "src"
    for folder in kernels.iterdir():
        for file in (folder / "Makefile", folder / ".kernelvariables"):
            if file.is_file() and not file.is_symlink():
                text = file.read_text("utf-8")
                file.write_text(
                    text.replace(" /usr/src/linux-headers", f" {kernels}/linux-headers")
                )
        # The tools are this machine's: the guest's may be of another architecture.
        for tools in ("scripts", "tools"):
            link = folder / tools
            if link.is_symlink():
                target = Path("/usr/lib") / f"linux-kbuild-{SERIES}" / tools
                link.unlink()
                link.symlink_to(target)
    return kernels / f"linux-headers-{version_of(layout)}"
