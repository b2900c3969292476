"""The machine's image as docs/how-to/image.md makes it, with the rig's hand and panel in it.

The office's machine is a Debian 13 of its own: mkosi runs there, and people begin the ledger there.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.rig.image import banco, debian, disk, kernel
from tests.rig.image.build import RECIPE, build_linux, digest_product
from tests.rig.image.stages import Log, StageFailed, Stages, digest_of
from tests.rig.install_page import read_blocks
from tests.rig.layout import (
    INSIDE,
    MEDIA,
    NAMING_STICKS,
    RIG_IN_GUEST,
    ROOT,
    STICKS,
    TABLES,
    Layout,
    layout_of,
)

SUITE = "trixie"
HOST_PACKAGES = ("bubblewrap", "dosfstools", "mtools", "ovmf")
PAGE = ROOT / "docs/how-to/image.md"
GOLDEN, UPDATE, BROKEN = "0.1.0", "0.1.1", "0.1.2"
MEDIUM_SIZE = "200M"

MODULES = (
    *disk.KEPT_MODULES,
    *("crypto", "drivers/md/dm-bufio.ko", "drivers/md/dm-mod.ko", "drivers/md/dm-verity.ko"),
    *("drivers/block/loop.ko", "drivers/firmware", "fs/efivarfs", "fs/erofs", "fs/fat", "fs/nls"),
)
NOT_NEEDED = [
    f"systemd-{name}-generator"
    for name in ("cryptsetup", "getty", "hibernate-resume", "run", "ssh", "sysv", "tpm2", "import")
]
OWN_WORDS = f"--environment OWN_KERNEL=rig --incremental yes --cache-directory {ROOT}/build/cache"
DOES_NOT_START = """[Service]
ExecStart=
ExecStart=/bin/false
"""


def build_golden(layout: Layout, say: Callable[[str], None]) -> None:
    """Make what is missing or old. Raises StageFailed."""
    if layout.architecture.debian != "amd64":
        raise StageFailed("the machine's image is made for amd64 here: make rig PARTS=image")
    newest = layout_of(layout.architecture.debian, SUITE)
    linux = build_linux(layout, say)
    stages = Stages(newest.folder, say)
    packages = stages.make(
        "packages", digest_product(), lambda log: banco.build_packages(newest, log)
    )
    stages = Stages(layout.golden, say)
    words = (*HOST_PACKAGES, *debian.GUEST_PACKAGES)
    office = stages.make("office", " ".join(words), lambda log: build_office(newest, log))
    code = digest_of([RECIPE, INSIDE, PAGE, Path(__file__)])
    made = stages.make(
        "images", f"{linux} {packages} {office} {code}", lambda log: build_images(newest, log)
    )
    stages.make("media", made, lambda log: make_media(newest, log))


def build_office(layout: Layout, log: Log) -> None:
    """The office's machine: a Debian 13 alone."""
    debian.install_host_packages(log, HOST_PACKAGES)
    office = layout.golden / "office"
    shutil.rmtree(office, ignore_errors=True)
    log.run(
        *("mmdebstrap", "--variant=minbase", "--mode=root", "--format=directory"),
        f"--include={','.join(debian.GUEST_PACKAGES)}",
        '--aptopt=APT::Install-Recommends "false"',
        *(SUITE, office),
        *debian.sources_of(SUITE, log),
    )
    (office / "etc/apt/apt.conf.d/yes").write_text('APT::Get::Assume-Yes "true";\n', "utf-8")


def build_images(layout: Layout, log: Log) -> None:
    """The golden image, and two updates: one that plays, and one whose table does not start."""
    build, gnupg = layout.golden / "build", layout.golden.joinpath("office", "root", ".gnupg")
    for old in (build, gnupg):
        shutil.rmtree(old, ignore_errors=True)
    for folder in (build / "deb", build / "cache"):
        folder.mkdir(parents=True)
    for package in layout.packages.glob(f"banco*_{banco.VERSION}+*.deb"):
        shutil.copy(package, build / "deb")
    install, prepare, make = read_blocks(
        PAGE.read_text("utf-8"), "The image, in the office", "office"
    )
    for block in (f"apt-get update\n{install}", prepare):
        type_in_office(layout, log, block)
    house = build / "house"
    _add_hand(layout, house, log)
    for version in (GOLDEN, UPDATE, BROKEN):
        if version == BROKEN:
            added = house / "usr/lib/systemd/system/banco.service.d/zz-broken.conf"
            added.write_text(DOES_NOT_START, "utf-8")
        block = make.replace(GOLDEN, version).replace("mkosi --", f"mkosi {OWN_WORDS} --")
        type_in_office(layout, log, block)


def _add_hand(layout: Layout, tree: Path, log: Log) -> None:
    """What the rig adds to the image: a kernel with gpio-sim, its hand, its panel, its sockets."""
    version = kernel.version_of(layout)
    disk.copy_modules(layout, tree / "usr", log, MODULES)
    modules = tree / "usr/lib/modules" / version
    shutil.copy(layout.linux / f"image/boot/vmlinuz-{version}", modules / "vmlinuz")
    for name in disk.OWN_MODULES:
        shutil.copy(layout.linux / f"modules/{name}.ko", modules)
    hand, units = tree / RIG_IN_GUEST, tree / "usr/lib/systemd/system"
    hand.mkdir(parents=True)
    wanted = units / "sysinit.target.wants"
    wanted.mkdir(parents=True)
    for name in ("agent.py", "panel"):
        shutil.copy(INSIDE / name, hand)
    for name in ("banco-rig-agent.service", "banco-rig-panel.service"):
        shutil.copy(INSIDE / name, units)
        (wanted / name).symlink_to(f"../{name}")
    rules = tree / "usr/lib/udev/rules.d/99-banco.rules"
    banco.fit_rules(layout, rules, rules)
    banco.fit_patience(units)
    disk.mask_units(tree)
    disk.mask_generators(tree, NOT_NEEDED)


def type_in_office(layout: Layout, log: Log, lines: str) -> None:
    """Type lines of the page at the office's machine: a checkout, and a `build` of its own."""
    stick, build = layout.golden / "stick", ROOT / "build"
    for folder in (stick, layout.golden / "office/media/stick"):
        folder.mkdir(parents=True, exist_ok=True)
    log.run(
        *("bwrap", "--bind", layout.golden / "office", "/", "--dev-bind", "/dev", "/dev"),
        *("--proc", "/proc", "--bind", "/sys", "/sys", "--tmpfs", "/run"),
        *("--perms", "1777", "--tmpfs", "/tmp"),
        *("--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf", "--ro-bind", ROOT, ROOT),
        *("--bind", layout.golden / "build", build, "--bind", stick, "/media/stick"),
        *("--unshare-pid", "--die-with-parent", "--cap-add", "ALL", "--chdir", ROOT),
        *("--setenv", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "--setenv", "HOME", "/root"),
        *("sh", "-e", "-c", lines),
    )


def make_media(layout: Layout, log: Log) -> None:
    """For each table the ledger that two people have begun, and its copy; and the sticks."""
    at = layout.golden
    contents = {stick: make_table(layout, stick, log) for stick in TABLES}
    wrong = at / "table.toml"
    table, *people = contents["name"]
    wrong.write_text(table.read_text("utf-8").replace("2.00", "two"), "utf-8")
    other_key = at / "link.key"
    other_key.write_text("another table's\n", "ascii")
    contents |= {"wrong": [wrong, *people, other_key], "nobody": [table]}
    for stick, version in {"update": UPDATE, "broken": BROKEN}.items():
        contents[stick] = _list_update(layout, log, version)
    update = contents["update"]
    contents["forged"] = [*contents["broken"][:-1], update[-1]]
    contents["foreign"] = [*update[:-1], _sign_as_stranger(layout, update, log)]
    contents["altered"] = [*update, _alter_verity(at, update)]
    for stick in STICKS:
        label = "BANCO" if stick in NAMING_STICKS else "BANCO-NEW"
        make_stick(at / f"{stick}.img", label, contents[stick], log)


def make_table(layout: Layout, stick: str, log: Log) -> list[Path]:
    """A table's two media; its files, for its stick."""
    office, at = layout.golden / "office", layout.golden
    _write_table(office, TABLES[stick], log)
    for name, folder in zip(MEDIA, ("var/lib/banco", "media/copy"), strict=True):
        medium = at / f"{stick}-{name}.img"
        disk.make_disk(office / folder, medium, log, size=MEDIUM_SIZE, label=name)
    kept = at / f"stick-{stick}"
    kept.mkdir(exist_ok=True)
    for name in banco.HOUSE_FILES:
        shutil.copy(office / "etc/banco" / name, kept)
    return [kept / name for name in banco.HOUSE_FILES]


def _write_table(office: Path, name: str, log: Log) -> None:
    """The office writes the table's files, and two people begin its ledger on its media."""
    for folder in ("etc/banco", "var/lib/banco", "media/copy"):
        shutil.rmtree(office / folder, ignore_errors=True)
    log.run_inside(office, "systemd-tmpfiles", "--create", "banco.conf")
    log.run_inside(office, "install", "-d", "-o", "banco", "-g", "banco", "/media/copy/banco")
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
    text = text.replace("/media/second/banco", "/media/copy/banco").replace("caribbean-1", name)
    lines = text.splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(("seal =", "[key]", "store ="))]
    (office / "etc/banco/table.toml").write_text("".join(lines), "utf-8")
    banco.begin_ledger(office, log)


def _list_update(layout: Layout, log: Log, version: str) -> list[Path]:
    """The files of another image, and their sums, signed with the house's key."""
    stick = layout.golden / "stick"
    shutil.rmtree(stick, ignore_errors=True)
    (block,) = read_blocks(PAGE.read_text("utf-8"), "Another image", "office")
    type_in_office(layout, log, block.replace(UPDATE, version))
    folder = layout.golden / f"stick-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    return sorted(stick.rename(folder).iterdir(), key=lambda file: file.suffix == ".gpg")


def _sign_as_stranger(layout: Layout, files: list[Path], log: Log) -> Path:
    """The signature of an update's list with a key that is not the house's."""
    home = layout.golden / "office/root"
    (sums,) = (file for file in files if file.name == "SHA256SUMS")
    shutil.copy(sums, home)
    make = "gpg --batch --yes --passphrase '' --quick-generate-key stranger ed25519 sign never"
    sign = "gpg --yes --local-user stranger --output SHA256SUMS.gpg --detach-sign SHA256SUMS"
    type_in_office(layout, log, f"cd /root\n{make}\n{sign}")
    return home / "SHA256SUMS.gpg"


def _alter_verity(folder: Path, files: list[Path]) -> Path:
    """One bit of a file that an update's list names is another one."""
    (verity,) = (file for file in files if ".verity." in file.name)
    altered = folder / verity.name
    content = bytearray(verity.read_bytes())
    content[len(content) // 2] ^= 1
    altered.write_bytes(content)
    return altered


def make_stick(stick: Path, label: str, files: list[Path], log: Log) -> None:
    """A FAT file system with these files; a later one of the same name counts."""
    stick.unlink(missing_ok=True)
    size_mb = (sum(file.stat().st_size for file in files) >> 20) + 64
    log.run("truncate", "-s", f"{size_mb}M", stick)
    log.run("mkfs.vfat", "-n", label, stick)
    log.run("mcopy", "-o", "-i", stick, *files, "::")
