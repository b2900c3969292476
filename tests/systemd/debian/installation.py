"""Installs, upgrades, goes back, removes and purges in fresh machines: `make installs`."""

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from systemd.debian.build import ROOT, build_packages
from systemd.debian.programs import install_packages, run_program
from systemd.debian.release_signing import ReleaseSigner
from systemd.debian.source import describe_version
from systemd.debian.target import TARGETS, PackageTarget
from tests.systemd.debian.fresh_machine import Machine, build_root, start_machine
from tests.systemd.debian.renumbered_package import renumber_package

VERSION = "0.0.1"
"""Of the older package."""

LIB = "/usr/lib/banco"
PDF_LIBRARIES = "/usr/lib/banco-report"
SIMULATION = """\
kind = "simulation"
table = "table-1"
game = "tre-card-stud"

[ledger]
folder = "/var/lib/simulated"

[panel]
driver = "simulated"

[rail]
driver = "simulated"
kind = "slot"

[display]
driver = "simulated"
"""
INSPECTION = (
    "from console.technician.commands.verify import find_program, inspect_files;"
    "found = inspect_files(*find_program()); print(found); assert found.sound"
)
UNFINISHED = "from console.release.running import describe_unfinished; print(describe_unfinished())"
UNIT = "/usr/lib/systemd/system/banco.service"
CHECKER = (
    "python3",
    "-I",
    f"{LIB}/program/console/release/banco_check.py",
    f"--key={LIB}/program/release.pem",
)
UNCHECKED = (0b01).to_bytes(4, "little")
"""The flags of a compiled file: by its hash, and not compared (PEP 552)."""

Step = Callable[["House"], None]


class House:
    """A machine, the packages, and the table that plays there meanwhile."""

    def __init__(self, machine: Machine, older: Path, newer: Path, report: Path) -> None:
        """The packages are put into the machine."""
        self.machine = machine
        self.older, self.newer, self.report = map(self._bring, (older, newer, report))
        self.table: subprocess.Popen[str] | None = None

    def _bring(self, package: Path) -> str:
        shutil.copy(package, self.machine.place("/srv") / package.name)
        return f"/srv/{package.name}"

    def run(self, *words: str, fails: bool = False) -> str:
        """Run a command, which must succeed, or must fail; what it prints."""
        done = self.machine.run(*words)
        assert (done.returncode != 0) == fails, f"{words}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def current(self) -> str:
        """The folder in force."""
        return str(self.machine.place(f"{LIB}/current").readlink())

    def hold_old(self) -> None:
        """Command, unit and service's start are the older version's, or say so."""
        assert self.run("banco", "--version") == f"banco {VERSION}\n"
        unit = self.run("cat", f"{UNIT}.d/00-banco.conf")
        assert f", version {VERSION}\n" in unit
        text = self.run("env", f"PYTHONPATH={self.current()}", "python3", "-P", "-c", UNFINISHED)
        assert f"{Path(self.current()).name} runs: sudo dpkg --install ./banco_" in text

    def versions(self) -> list[str]:
        """The folders that are kept."""
        return sorted(path.name for path in self.machine.place(f"{LIB}/versions").iterdir())


def install_first(house: House) -> None:
    """Nothing is configured: nothing starts, and user and folders are there."""
    house.run("dpkg", "--install", house.older)
    assert house.run("banco", "--version") == f"banco {VERSION}\n"
    assert house.run("stat", "-c", "%U %a", "/var/lib/banco") == "banco 2750\n"
    assert house.run("stat", "-c", "%U %a", "/etc/banco") == "root 755\n"
    assert not house.machine.place(
        "/etc/systemd/system/multi-user.target.wants/banco.service"
    ).exists()


def start_table(house: House) -> None:
    """A table plays with the older program; upgrades will read its ledger."""
    house.machine.place("/etc/banco/table.toml").write_text(SIMULATION)
    house.run("install", "-d", "-o", "banco", "/var/lib/simulated")
    house.run("ln", "-s", "/var/lib/banco", "/var/lib/simulated/ledger")
    words = ("runuser", "-u", "banco", "--", "banco", "run", "--sim", "--json")
    command = house.machine.command(*words, "--config", "/etc/banco/table.toml")
    pipe = subprocess.PIPE
    house.table = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
    assert press(house, "press GAME_OVER")


def press(house: House, words: str) -> str:
    """Hand a line to the table, and return its answer."""
    table = house.table
    assert table is not None
    assert table.stdin is not None
    assert table.stdout is not None
    table.stdin.write(f"{words}\n")
    return table.stdout.readline()


def upgrade_in_play(house: House) -> None:
    """The table goes on with its own modules; the new program is in force for the next start."""
    before = house.current()
    output = house.run("dpkg", "--install", house.newer)
    assert "in order" in output, output
    version = house.run("dpkg-query", "--show", "--showformat=${Version}", "banco")
    assert f"({version})" in house.run("banco", "--version")
    kept = house.machine.place(before) / "console/configuration/version.py"
    assert VERSION in kept.read_text()
    assert len(house.versions()) == 2
    assert press(house, "press GAME_OVER")


def end_table(house: House) -> None:
    """Restarted between rounds; the folder of the old program goes with the next installation."""
    assert house.table is not None
    assert house.table.stdin is not None
    house.table.stdin.close()
    assert house.table.wait(timeout=30) == 0
    house.run("dpkg", "--install", house.newer)
    assert len(house.versions()) == 1


def verify_program(house: House) -> None:
    """What `verify` on the technician's line compares, and dpkg's own comparison."""
    house.run("env", f"PYTHONPATH={house.current()}", "python3", "-P", "-c", INSPECTION)
    assert house.run("dpkg", "--verify", "banco") == ""


def find_changed_file(house: House) -> None:
    """The checker finds the package as it was signed, and then each file that somebody changed."""
    assert house.run(*CHECKER).endswith(" 0 differ\n")
    unit = house.machine.place(UNIT)
    sound = unit.read_bytes()
    unit.write_bytes(sound + b"\n")
    assert f"changed: {UNIT}" in house.run(*CHECKER, fails=True)
    unit.write_bytes(sound)


def mend_changed_program(house: House) -> None:
    """The same package again puts a changed file right, and not under what runs from its folder."""
    before = house.current()
    changed = house.machine.place(before) / "jackpot/prizes/caribbean_stud.toml"
    sound = changed.read_bytes()
    changed.unlink()
    changed.write_bytes(sound + b"\n")
    assert "changed: jackpot/prizes/caribbean_stud.toml" in house.run(*CHECKER, fails=True)
    command = house.machine.command("env", f"PYTHONPATH={before}", "cat")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("it runs\n")
        assert running.stdout.readline() == "it runs\n"
        house.run("dpkg", "--install", house.newer)
        assert house.run(*CHECKER).endswith(" 0 differ\n")
        verify_program(house)
        after = house.current()
        mended = house.machine.place(after) / "jackpot/prizes/caribbean_stud.toml"
        assert mended.read_bytes() == sound
        assert changed.read_bytes() != sound
    house.run("dpkg", "--install", house.newer)
    assert house.current() == after
    assert house.versions() == [Path(after).name]
    house.machine.place(f"{after}/added.py").touch()
    assert "added: added.py" in house.run(*CHECKER, fails=True)
    house.run("dpkg", "--install", house.newer)
    assert house.run(*CHECKER).endswith(" 0 differ\n")
    assert len(house.versions()) == 1


def give_back_to_the_table(house: House) -> None:
    """What root has put into the ledger's folder hinders no upgrade, and is banco's at a start."""
    folder = house.machine.place("/var/lib/banco")
    settings = folder / "settings.toml"
    settings.touch(mode=0o644)
    (folder / "ledger.hard").hardlink_to(house.machine.place("/etc/passwd"))
    (folder / "ledger.soft").symlink_to("/etc/group")
    assert "are set" in house.run("dpkg", "--install", house.newer)
    commands: list[str] = []
    for line in house.run("cat", f"{UNIT}.d/00-banco.conf").splitlines():
        if line.startswith("ExecStartPre="):
            command = line.partition("=")[2].lstrip("-+")
            commands = [*commands, command] if command else []
    for command in commands:
        house.run(*shlex.split(command))
    owner = ("stat", "-c", "%U:%G %a")
    assert house.run(*owner, "/var/lib/banco/settings.toml") == "banco:banco-ledger 640\n"
    for other in ("/etc/passwd", "/etc/group"):
        assert house.run(*owner, other) == "root:root 644\n"
    for made in (settings, folder / "ledger.hard", folder / "ledger.soft"):
        made.unlink()


def find_bytecode(house: House) -> None:
    """Each module is there as bytecode that never asks its source, and whose change is found."""
    program = house.machine.place(house.current())
    for module in program.rglob("*.py"):
        (compiled,) = (module.parent / "__pycache__").glob(f"{module.stem}.cpython-*.pyc")
        assert compiled.read_bytes()[4:8] == UNCHECKED, compiled
    (compiled,) = program.glob("console/configuration/__pycache__/version.*.pyc")
    sound = compiled.read_bytes()
    compiled.write_bytes(sound + b" ")
    inspection = ("env", f"PYTHONPATH={house.current()}", "python3", "-P", "-c", INSPECTION)
    assert f"changed=('{compiled.relative_to(program)}',)" in house.run(*inspection, fails=True)
    compiled.write_bytes(sound)


def draw_with_signed_libraries_only(house: House) -> None:
    """A PDF needs a package of its own, whole; the table's own program never looks at it."""
    draw = ("banco", "report", "/var/lib/banco", "--format", "pdf", "--out")
    assert "./banco-report_" in house.run(*draw, "/srv/1.pdf", fails=True)
    house.run("dpkg", "--install", house.report)
    house.run(*draw, "/srv/1.pdf")
    assert house.machine.place("/srv/1.pdf").read_bytes().startswith(b"%PDF-")
    assert house.run(*CHECKER).count(" 0 differ\n") == 2
    module = house.machine.place(PDF_LIBRARIES) / "fpdf/fpdf.py"
    sound = module.read_bytes()
    module.write_bytes(sound + b"\n")
    text = house.run(*draw, "/srv/2.pdf", fails=True)
    assert "/usr/lib/banco-report is not as it was signed: changed: fpdf/fpdf.py" in text
    assert "changed: fpdf/fpdf.py" in house.run(*CHECKER, fails=True)
    verify_program(house)
    module.write_bytes(sound)
    house.run(*draw, "/srv/2.pdf")
    house.run("dpkg", "--purge", "banco-report")
    assert not house.machine.place(PDF_LIBRARIES).exists()


def keep_old_where_new_cannot(house: House) -> None:
    """A configuration, then a ledger, that the new program refuses: the old one stays in force."""
    house.run("dpkg", "--install", house.older)
    assert house.run("banco", "--version") == f"banco {VERSION}\n"
    table = house.machine.place("/etc/banco/table.toml")
    table.write_text(SIMULATION.replace("tre-card-stud", "bridge"))
    output = house.run("dpkg", "--install", house.newer, fails=True)
    assert "bridge" in output
    assert f"{Path(house.current()).name} stays in force" in output
    house.hold_old()
    table.write_text(SIMULATION)
    house.run("dpkg", "--configure", "banco")
    assert house.run("banco", "--version") != f"banco {VERSION}\n"
    assert not house.machine.place(f"{LIB}/unfinished").exists()
    table.write_text(SIMULATION.replace("tre-card-stud", "bridge"))
    output = house.run("dpkg", "--install", house.newer)
    assert "mend what is named above" in output
    assert "stays in force" not in output, "there is no other version"
    table.write_text(SIMULATION)


def go_back_over_a_failed_upgrade(house: House) -> None:
    """The ledger is damaged: the upgrade stops, and the older package installs over it."""
    house.run("dpkg", "--install", house.older)
    ledger = house.machine.place("/var/lib/banco/ledger.db")
    sound = ledger.read_bytes()
    ledger.write_bytes(sound[: len(sound) // 2])
    output = house.run("dpkg", "--install", house.newer, fails=True)
    assert "cannot run this table" in output, output
    ledger.write_bytes(sound)
    house.run("dpkg", "--install", house.older)
    assert house.run("banco", "--version") == f"banco {VERSION}\n"


def refuse_where_the_ledger_is_not_mounted(house: House) -> None:
    """Its medium is in /etc/fstab and not there: the upgrade stops, and goes on when it is back."""
    fstab = house.machine.place("/etc/fstab")
    before = fstab.read_text() if fstab.exists() else ""
    fstab.write_text(f"{before}LABEL=ledger /var/lib/banco ext4 noatime,nofail 0 2\n")
    output = house.run("dpkg", "--install", house.newer, fails=True)
    assert "/var/lib/banco is a medium of its own in /etc/fstab, and is not mounted" in output
    house.hold_old()
    folder = house.machine.place("/var/lib/banco")
    run_program(["mount", "--bind", folder, folder])
    try:
        assert "in order" in house.run("dpkg", "--configure", "banco")
    finally:
        run_program(["umount", folder])
        fstab.write_text(before)
    house.machine.place("/var/lib/banco/ledger.db").rename(house.machine.place("/srv/ledger.db"))
    assert "none was verified" in house.run("dpkg", "--install", house.newer)
    house.machine.place("/srv/ledger.db").rename(house.machine.place("/var/lib/banco/ledger.db"))
    house.run("dpkg", "--install", house.older)


def remove_and_purge(house: House) -> None:
    """The program goes; ledger and configuration stay, and the next installation finds them."""
    house.run("dpkg", "--remove", "banco")
    assert not house.machine.place(LIB).exists()
    house.run("dpkg", "--install", house.newer)
    assert "/var/lib/banco is kept" in house.run("dpkg", "--purge", "banco")
    for kept in ("/etc/banco/table.toml", "/var/lib/banco/ledger.db"):
        assert house.machine.place(kept).exists()
    assert "in order" in house.run("dpkg", "--install", house.newer)


STEPS: tuple[Step, ...] = (
    install_first,
    start_table,
    upgrade_in_play,
    end_table,
    verify_program,
    find_changed_file,
    mend_changed_program,
    give_back_to_the_table,
    find_bytecode,
    draw_with_signed_libraries_only,
    keep_old_where_new_cannot,
    go_back_over_a_failed_upgrade,
    refuse_where_the_ledger_is_not_mounted,
    remove_and_purge,
)


def try_package(target: PackageTarget, folder: Path) -> None:
    """Build it twice, ask lintian, and take every step in a fresh machine."""
    version = describe_version(ROOT)
    signer = ReleaseSigner.of_checkout(ROOT)
    packages = build_packages(target, version, folder, signer)
    with tempfile.TemporaryDirectory(prefix="banco-installs-") as name:
        work = Path(name)
        for first, again in zip(
            packages, build_packages(target, version, work, signer), strict=True
        ):
            assert again.read_bytes() == first.read_bytes(), "two builds differ"
            print(f"{first.name}: the same bytes twice", flush=True)
        install_packages(["lintian"])
        remarks = run_program(["lintian", "--allow-root", "--fail-on=error,warning", *packages])
        assert remarks == "", remarks
        print("lintian: nothing", flush=True)
        archive = build_root(target, folder / "roots")
        with start_machine(archive, work / "root") as machine:
            older = work / f"banco_{VERSION}.deb"
            newer, report = packages
            renumber_package(newer, VERSION, work, older, signer)
            house = House(machine, older, newer, report)
            for step in STEPS:
                step(house)
                print(f"{step.__name__}: {(step.__doc__ or '').strip()}", flush=True)


def main() -> int:
    """Try the packages for this machine's architecture, of both suites or of one."""
    parser = argparse.ArgumentParser(prog="make installs", description=__doc__)
    parser.add_argument("--suite", choices=sorted({target.suite.name for target in TARGETS}))
    options = parser.parse_args()
    arch = run_program(["dpkg", "--print-architecture"]).strip()
    for target in TARGETS:
        if target.arch == arch and options.suite in {None, target.suite.name}:
            try_package(target, ROOT / "build/deb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
