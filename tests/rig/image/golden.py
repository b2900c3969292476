"""The machine's image as docs/how-to/image.md makes it, with the rig's hand and panel in it.

The office's machine is a Debian 13 of its own: mkosi runs there, and people begin the ledger there.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.rig.image import banco, debian, disk, kernel
from tests.rig.image.build import build_linux, digest_product
from tests.rig.image.stages import Log, StageFailed, Stages, digest_of
from tests.rig.layout import INSIDE, MEDIA, RIG_IN_GUEST, ROOT, STICKS, Layout, layout_of

RECIPE = ROOT / "systemd/image"
SUITE = "trixie"
HOST_PACKAGES = ("bubblewrap", "dosfstools", "mtools", "ovmf")
OFFICE_PACKAGES = (
    *("cpio", "cryptsetup-bin", "dosfstools", "e2fsprogs", "erofs-utils", "gpg", "gpg-agent"),
    *("kmod", "mkosi", "mtools", "reprepro", "systemd", "systemd-boot-efi", "systemd-repart"),
    *("systemd-ukify", "udev", "zstd"),
)
GOLDEN, UPDATE, BROKEN = "0.1.0", "0.1.1", "0.1.2"
MEDIUM_SIZE = "200M"

MODULES = (
    *disk.KEPT_MODULES,
    *("crypto", "drivers/md/dm-bufio.ko", "drivers/md/dm-mod.ko", "drivers/md/dm-verity.ko"),
    *("drivers/block/loop.ko", "drivers/firmware", "fs/efivarfs", "fs/erofs", "fs/fat", "fs/nls"),
)
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
    words = " ".join((*HOST_PACKAGES, *OFFICE_PACKAGES))
    office = stages.make("office", f"{packages} {words}", lambda log: build_office(newest, log))
    code = digest_of([RECIPE, INSIDE, Path(__file__)])
    made = stages.make("images", f"{linux} {office} {code}", lambda log: build_images(newest, log))
    stages.make("media", made, lambda log: make_media(newest, log))


def build_office(layout: Layout, log: Log) -> None:
    """The office's machine: Debian 13 with mkosi and banco."""
    debian.install_host_packages(log, HOST_PACKAGES)
    office = layout.golden / "office"
    shutil.rmtree(office, ignore_errors=True)
    log.run(
        *("mmdebstrap", "--variant=minbase", "--mode=root", "--format=directory"),
        f"--include={','.join(dict.fromkeys((*OFFICE_PACKAGES, *debian.GUEST_PACKAGES)))}",
        '--aptopt=APT::Install-Recommends "false"',
        *(SUITE, office),
        *debian.sources_of(SUITE, log),
    )
    package = layout.package(banco.VERSION)
    shutil.copy(package, office / "var/cache")
    log.run_inside(office, "dpkg", "--install", f"/var/cache/{package.name}")


def build_images(layout: Layout, log: Log) -> None:
    """The golden image, and two updates: one that plays, and one whose table does not start."""
    _make_tree(layout, log)
    _make_key(layout, log)
    broken = layout.golden / "broken/usr/lib/systemd/system/banco.service.d"
    broken.mkdir(parents=True, exist_ok=True)
    (broken / "zz-broken.conf").write_text(DOES_NOT_START, "utf-8")
    made = layout.golden / "made"
    shutil.rmtree(made, ignore_errors=True)
    for version in (GOLDEN, UPDATE, BROKEN):
        more = ("--extra-tree", layout.golden / "broken") if version == BROKEN else ()
        _run_mkosi(layout, log, "--image-version", version, *more)
    (made / f"banco_{GOLDEN}.raw").rename(layout.golden / "system.img")


def _make_tree(layout: Layout, log: Log) -> None:
    """What the rig adds to the image: a kernel with gpio-sim, its hand, its panel, its sockets."""
    tree = layout.golden / "tree"
    shutil.rmtree(tree, ignore_errors=True)
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
    rules = tree / "usr/lib/udev/rules.d"
    rules.mkdir(parents=True)
    banco.fit_rules(layout, ROOT / "systemd/99-banco.rules", rules / "99-banco.rules")
    banco.fit_patience(units)


def _make_key(layout: Layout, log: Log) -> None:
    """The house's key, by which a table knows its updates."""
    keys = layout.golden / "office/root/keys"
    shutil.rmtree(keys, ignore_errors=True)
    keys.mkdir(mode=0o700)
    words = ("--batch", "--passphrase", "", "--quick-generate-key", "the rig's house")
    in_office(layout, log, "gpg", "--homedir", "/root/keys", *words, "ed25519", "sign", "never")
    ring = layout.golden / "tree/usr/lib/systemd/import-pubring.gpg"
    in_office(layout, log, "gpg", "--homedir", "/root/keys", "--output", ring, "--export")


def in_office(layout: Layout, log: Log, *command: str | Path, folder: Path = ROOT) -> None:
    """A command at the office's machine, which sees this one's `build` and checkout."""
    binds = ("--dev-bind", "/dev", "/dev", "--proc", "/proc", "--bind", "/sys", "/sys")
    seen = ("--bind", ROOT, ROOT, "--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf")
    log.run(
        *("bwrap", "--bind", layout.golden / "office", "/", *binds, *seen, "--tmpfs", "/run"),
        *("--tmpfs", "/tmp", "--cap-add", "ALL", "--chdir", folder),
        *("--setenv", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", *command),
    )


def _run_mkosi(layout: Layout, log: Log, *more: str | Path) -> None:
    at = layout.golden
    packages = at / "packages"
    packages.mkdir(exist_ok=True)
    shutil.copy(layout.package(banco.VERSION), packages)
    for name in ("made", "cache", "downloads"):
        (at / name).mkdir(exist_ok=True)
    mkosi = (
        *("mkosi", "--package-directory", packages, "--output-directory", at / "made"),
        *("--cache-directory", at / "cache", "--package-cache-directory", at / "downloads"),
        *("--incremental", "yes", "--environment", "OWN_KERNEL=rig", "--extra-tree", at / "tree"),
    )
    in_office(layout, log, *mkosi, *more, "--force", "build", folder=RECIPE)


def make_media(layout: Layout, log: Log) -> None:
    """The ledger that two people have begun, its copy, and the sticks."""
    office, at = layout.golden / "office", layout.golden
    _write_table(office, log)
    for name, folder in zip(MEDIA, ("var/lib/banco", "media/copy"), strict=True):
        disk.make_disk(office / folder, at / f"{name}.img", log, size=MEDIUM_SIZE, label=name)
    named = {name: office / "etc/banco" / name for name in banco.HOUSE_FILES}
    wrong = at / "table.toml"
    wrong.write_text(named["table.toml"].read_text("utf-8").replace("2.00", "two"), "utf-8")
    contents: dict[str, list[Path]] = {
        "wrong": [*named.values(), wrong],
        "name": list(named.values()),
        "update": _list_update(layout, log, UPDATE),
        "broken": _list_update(layout, log, BROKEN),
    }
    contents["forged"] = [*contents["broken"][:-1], contents["update"][-1]]
    for stick in STICKS:
        label = "BANCO" if stick in ("wrong", "name") else "BANCO-NEW"
        make_stick(at / f"{stick}.img", label, contents[stick], log)


def _write_table(office: Path, log: Log) -> None:
    """The office writes the table's files, and two people begin its ledger on its media."""
    for folder in ("etc/banco", "var/lib/banco", "media/copy"):
        shutil.rmtree(office / folder, ignore_errors=True)
    log.run("chroot", office, "systemd-tmpfiles", "--create", "banco.conf")
    log.run("chroot", office, "install", "-d", "-o", "banco", "-g", "banco", "/media/copy/banco")
    text = (ROOT / "docs/tables/caribbean-stud.toml").read_text("utf-8")
    text = text.replace("/media/second/banco", "/media/copy/banco")
    lines = text.splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(("seal =", "[key]", "store ="))]
    (office / "etc/banco/table.toml").write_text("".join(lines), "utf-8")
    banco.begin_ledger(office, log)


def _list_update(layout: Layout, log: Log, version: str) -> list[Path]:
    """The files of another image, and their sums, signed with the house's key."""
    made = layout.golden / "made"
    files = [*sorted(made.glob(f"banco_{version}.*.raw")), made / f"banco_{version}.efi"]
    folder = made / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    names = [file.name for file in files]
    (folder / "SHA256SUMS").write_text(log.read("sha256sum", *names, cwd=made), "utf-8")
    sign = ("gpg", "--homedir", "/root/keys", "--detach-sign", folder / "SHA256SUMS")
    in_office(layout, log, *sign)
    signed = (folder / "SHA256SUMS.sig").rename(folder / "SHA256SUMS.gpg")
    return [*files, folder / "SHA256SUMS", signed]


def make_stick(stick: Path, label: str, files: list[Path], log: Log) -> None:
    """A FAT file system with these files; a later one of the same name counts."""
    stick.unlink(missing_ok=True)
    size = sum(file.stat().st_size for file in files) + (64 << 20)
    log.run("truncate", "-s", str(size), stick)
    log.run("mkfs.vfat", "-n", label, stick)
    log.run("mcopy", "-o", "-i", stick, *files, "::")
