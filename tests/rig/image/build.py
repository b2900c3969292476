"""Everything that QEMU boots, stage by stage."""

from collections.abc import Callable

from tests.rig.image import banco, debian, disk, kernel, system
from tests.rig.image.stages import Log, Stages, digest_of
from tests.rig.layout import INSIDE, MEMORY_MB, ROOT, Layout

IMAGE = ROOT / "tests/rig/image"
RECIPE = ROOT / "systemd/image"
"""Of the machine's image, which is made from the package."""

PI_4_B = "c03114"
"""Its revision, as a Raspberry Pi's device tree has it."""


def build(layout: Layout, say: Callable[[str], None]) -> None:
    """Make what is missing or old. Raises StageFailed."""
    stages = Stages(layout.folder, say)
    linux = build_linux(layout, say)
    if "qemu-user-static" in layout.architecture.host_packages:
        debian.run_foreign_programs(Log(layout.folder / "foreign.log"))
    system_code = digest_of([IMAGE / "system.py", IMAGE / "debian.py"])
    made = stages.make("system", system_code, lambda log: system.build_system(layout, log))
    code = digest_of([IMAGE / "disk.py", IMAGE / "banco.py", IMAGE / "build.py", INSIDE])
    made = stages.make("bare", f"{linux} {made} {code}", lambda log: build_bare_disk(layout, log))
    packages = stages.make(
        "packages", digest_product(), lambda log: banco.build_packages(layout, log)
    )
    stages.make("stick", f"{packages} {code}", lambda log: banco.make_stick(layout, log))
    if layout.architecture.has_device_tree:
        stages.make("tree", linux, lambda log: make_device_tree(layout, log))
    stages.make("disk", f"{made} {packages}", lambda log: build_disk(layout, log))


def digest_product() -> str:
    """Of what the package is made from."""
    names = ("console", "devices", "firmware_bridge", "jackpot", "docs/tables")
    recipes = [path for path in sorted((ROOT / "systemd").iterdir()) if path != RECIPE]
    files = ("requirements-pi.txt", "tests/systemd/debian/renumbered_package.py")
    return digest_of([*(ROOT / name for name in (*names, *files)), *recipes])


def build_linux(layout: Layout, say: Callable[[str], None]) -> str:
    """The kernel and our modules, of which every suite has the same."""
    packages = (*debian.HOST_PACKAGES, *layout.architecture.host_packages)
    stages = Stages(layout.linux, say)
    made = stages.make(
        "packages", " ".join(packages), lambda log: debian.install_host_packages(log, packages)
    )
    made = stages.make("kernel", made, lambda log: kernel.fetch_kernel(layout, log))
    modules = digest_of([INSIDE / "modules", IMAGE / "kernel.py"])
    return stages.make(
        "modules", f"{made} {modules}", lambda log: kernel.build_modules(layout, log)
    )


def build_bare_disk(layout: Layout, log: Log) -> None:
    """A machine that has never heard of banco: the newcomer's; and what every machine boots."""
    root = layout.folder / "root"
    log.run("rm", "-rf", root)
    log.run("cp", "-a", layout.system, root)
    disk.furnish(layout, root, log)
    disk.make_initrd(layout, root, log)
    image = next((layout.linux / "image/boot").glob("vmlinuz-*"))
    layout.kernel.write_bytes(kernel.unpack_kernel(image.read_bytes()))
    disk.make_disk(root, layout.bare_disk, log)


def make_device_tree(layout: Layout, log: Log) -> None:
    """QEMU's own, with the word by which gpiozero knows a Pi, and without QEMU's GPIO chip."""
    tree = layout.device_tree
    machine = ("-M", f"virt,dumpdtb={tree}", "-cpu", "cortex-a72", "-m", str(MEMORY_MB))
    log.run("qemu-system-aarch64", *machine, "-nographic")
    log.run("fdtput", "-r", tree, "/gpio-keys", "/pl061@9030000")
    log.run("fdtput", "-c", tree, "/system")
    log.run("fdtput", "-t", "x", tree, "/system", "linux,revision", PI_4_B)


def build_disk(layout: Layout, log: Log) -> None:
    """The same with banco installed, enabled, and fitted to this cabinet."""
    root = layout.folder / "root-with-banco"
    log.run("rm", "-rf", root)
    log.run("cp", "-a", layout.folder / "root", root)
    banco.install_banco(layout, root, log)
    disk.make_disk(root, layout.disk, log)
