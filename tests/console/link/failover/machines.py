"""Machines of a house on this one: each has its own name, network, processes and disk. Needs root.

Programs are this machine's; a machine's configuration and data are in a folder, its disk, and stay
there when its power is cut. All are on one switch. What is typed in them is real: `pg_ctlcluster`,
`banco`, users by their names.
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[4]
NETWORK = "10.0.0"
LONGEST_S = 240

OWN = (
    "/var/lib/postgresql", "/var/log/postgresql", "/var/spool/pgbackrest", "/var/log/pgbackrest",
    "/var/lib/etcd", "/var/lib/prometheus",
)  # fmt: skip
"""Folders of a disk, empty at first; those that this machine lacks are left out."""

SHARED = ("/media/stick", "/media/backup")
"""A stick that is carried, and the disk of another machine."""

WITH_US = ("setpriv", "--pdeathsig", "KILL")
"""A machine ends with the process that switched it on, however that ends."""

OF_ITS_OWN = (
    "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc",
)  # fmt: skip
SWITCH = "ip link add switch type bridge && ip link set switch up && echo up && exec sleep infinity"

BOOT = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/banco /mnt/python /mnt/bin /mnt/home
for folder in bin home; do mount --bind "$DISK/$folder" "/mnt/$folder"; done
mount --bind "$SOURCE" /mnt/banco
mount --bind "$PYTHON" /mnt/python
mount --bind "$DISK/etc" /etc
for folder in $FOLDERS; do mount --bind "$DISK$folder" "$folder"; done
mount -t tmpfs tmpfs /media
for folder in $SHARED; do mkdir "$folder"; mount --bind "$HOUSE$folder" "$folder"; done
mount -t tmpfs tmpfs /run && mkdir /run/lock && chmod 1777 /run/lock
for folder in /tmp /dev/shm; do mount -t tmpfs -o mode=1777 tmpfs "$folder"; done
mkdir -p "$SOURCE" && mount --bind /mnt/banco "$SOURCE"
install -d -o postgres -g postgres -m 2775 /run/postgresql
hostname "$NAME"
ip link set lo up
echo booted
while :; do sleep 3600 & wait; done
"""
"""bash is its first process, and ends what has lost its parent. /tmp is a machine's own: with one
for all, pgBackRest's lock of one makes another wait its archive-timeout, a minute."""

PLACES = Path(sysconfig.get_path("purelib")).relative_to(ROOT)
PYTHON = (
    f"env LD_LIBRARY_PATH=/mnt/python/lib PYTHONPATH=/mnt/banco:/mnt/banco/{PLACES} "
    f"/mnt/python/bin/python{sys.version_info.major}.{sys.version_info.minor} -P"
)
"""Its Python, with this checkout; whose it is here, nobody else may read."""

BANCO = f"""#!/bin/sh
exec {PYTHON} -m console "$@"
"""


class CommandFailed(AssertionError):
    """What was typed at a machine ended with another status than 0; the text is all it said."""


class Switch:
    """The house's network."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [*WITH_US, "unshare", "--net", "bash", "-c", SWITCH],
            stdout=subprocess.PIPE,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"up\n"

    def plug(self, name: str, pid: int) -> None:
        """Connect the machine whose first process this is."""
        self.run("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        self.run("link", "set", name, "master", "switch", "up")

    def unplug(self, name: str) -> None:
        """Take its cable away; the kernel takes it, too, but in its own time."""
        subprocess.run(self._command("link", "del", name), check=False, capture_output=True)

    def run(self, *words: str) -> None:
        """`ip`, at the switch."""
        subprocess.run(self._command(*words), check=True, capture_output=True)

    def _command(self, *words: str) -> list[str]:
        return ["nsenter", f"--net=/proc/{self._process.pid}/ns/net", "ip", *words]

    def close(self) -> None:
        """Take the network away."""
        self._process.kill()
        self._process.wait()


class Machine:
    """One of them. `number`: the last part of its address."""

    def __init__(self, house: Path, switch: Switch, name: str, number: int) -> None:
        self.name = name
        self.address = f"{NETWORK}.{number}"
        self._house = house
        self._switch = switch
        self._disk = house / name
        self._process: subprocess.Popen[str] | None = None
        self._first = 0

    def install(self) -> None:
        """Make its disk, as after Debian's installation."""
        shutil.copytree("/etc", self._disk / "etc", symlinks=True, copy_function=copy_with_owner)
        for closed in (Path("/etc"), *(one for one in Path("/etc").rglob("*") if one.is_dir())):
            copy_owner(closed, self._disk / str(closed)[1:])
        for folder in self._folders():
            made = self._disk / folder[1:]
            made.mkdir(parents=True)
            copy_owner(Path(folder), made)
        shutil.rmtree(self._disk / "etc/postgresql", ignore_errors=True)
        self._write("etc/hosts", "127.0.0.1 localhost\n")
        self._write("etc/hostname", f"{self.name}\n")
        for folder in ("bin", "home"):
            (self._disk / folder).mkdir()
        (self._disk / "etc/postgresql").mkdir()
        shutil.chown(self._disk / "etc/postgresql", "postgres", "postgres")
        self.add_program("banco", BANCO)

    def start(self) -> None:
        """Switch it on; its services are started by hand."""
        place = {
            "DISK": str(self._disk), "HOUSE": str(self._house), "SOURCE": str(ROOT),
            "PYTHON": sys.base_prefix,
            "NAME": self.name, "FOLDERS": " ".join(self._folders()), "SHARED": " ".join(SHARED),
        }  # fmt: skip
        self._process = subprocess.Popen(
            [*WITH_US, "unshare", *OF_ITS_OWN, "bash", "-c", BOOT],
            env={**os.environ, **place},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        boot = []
        while (line := self._process.stdout.readline()) != "booted\n":
            boot.append(line)
            assert line, f"{self.name} does not boot: {boot}"
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        self._first = int(children.read_text().split()[0])
        self._switch.plug(self.name, self._first)
        self.type_in("ip addr add ADDRESS/24 dev eth0 && ip link set eth0 up".replace(
            "ADDRESS", self.address))  # fmt: skip

    @property
    def is_on(self) -> bool:
        """Whether it has power."""
        return self._process is not None

    def cut_power(self) -> None:
        """End all its processes with SIGKILL at once; its disk stays as the kernel has it."""
        if self._process is not None:
            os.kill(self._first, signal.SIGKILL)
            self._process.wait()
            self._process = None
            self._switch.unplug(self.name)

    def pull_cable(self) -> None:
        """Its network is cut, until `plug_cable`."""
        self._switch.run("link", "set", self.name, "down")

    def plug_cable(self) -> None:
        """Its network is back."""
        self._switch.run("link", "set", self.name, "up")

    def command(self, script: str, user: str = "root") -> list[str]:
        """The words that run a script of bash in it, by this user, from his home."""
        home = "/mnt/home" if user == "root" else os.path.expanduser(f"~{user}")
        typed = [*WITH_US, "bash", "-euo", "pipefail", "-c", f"cd {home}\n{script}"]
        inside = typed if user == "root" else ["runuser", "-u", user, "--", *typed]
        enter = [f"--{kind}" for kind in ("mount", "net", "pid", "uts", "ipc")]
        path = "PATH=/mnt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        place = ["env", "-i", path, "LANG=C.UTF-8", f"HOME={home}"]
        return ["nsenter", f"--target={self._first}", *enter, *place, *inside]

    def type_in(self, script: str, user: str = "root", answers: str = "") -> str:
        """Run it to its end; all it said. `answers`: what it asks for. Raises CommandFailed."""
        done = subprocess.run(
            self.command(script, user), input=answers, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=LONGEST_S, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise CommandFailed(f"{self.name}, {user}: status {done.returncode}\n{script}\n"
                                f"{done.stdout}")  # fmt: skip
        return done.stdout

    def place(self, name: str, file: Path) -> None:
        """Put a file on its disk; everybody may read it."""
        target = self._disk / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        target.chmod(0o644)

    def add_program(self, name: str, script: str) -> None:
        """A program that everybody may run, before any other of its name."""
        self._write(f"bin/{name}", script)
        (self._disk / "bin" / name).chmod(0o755)

    def _folders(self) -> list[str]:
        return [folder for folder in OWN if Path(folder).is_dir()]

    def _write(self, name: str, text: str) -> None:
        (self._disk / name).write_text(text, "utf-8")


@contextmanager
def run_machines(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Machine]]:
    """Switched on, until the block ends; their addresses end with 1, 2, ... in this order."""
    if os.geteuid() != 0:
        raise PermissionError("machines of their own need root")
    for shared in SHARED:
        (folder / shared[1:]).mkdir(parents=True)
    shutil.chown(folder / "media/backup", "postgres", "postgres")
    (folder / "media/backup").chmod(0o700)
    switch = Switch()
    machines: dict[str, Machine] = {}
    try:
        for number, name in enumerate(names, 1):
            machines[name] = Machine(folder, switch, name, number)
            machines[name].install()
            machines[name].start()
        yield machines
    finally:
        for machine in machines.values():
            machine.cut_power()
        switch.close()


def copy_with_owner(source: str, target: str) -> None:
    """A file with its owner and mode."""
    shutil.copy2(source, target)
    copy_owner(Path(source), Path(target))


def copy_owner(source: Path, target: Path) -> None:
    """Owner and mode of a file or a folder."""
    stat = source.stat()
    os.chown(target, stat.st_uid, stat.st_gid)
    target.chmod(stat.st_mode & 0o7777)
