"""The virtual machine: QEMU without KVM, its power switch, and the rig's hand inside it."""

import asyncio
import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

from tests.rig.layout import MEMORY_MB, Layout, System
from tests.rig.machine.stick import FORGET, PULL, Monitor, plug_commands

SOCKETS = {"rail": "1.1", "display": "1.2", "shuffler": "1.3", "diagnostics": "1.6"}
"""The USB sockets of the hub, as systemd/99-banco.rules has them."""

BOOT_S = 600.0
ANSWER_S = 360.0
LONGEST_ANSWER = 1 << 24

MACHINES = {
    "amd64": ("qemu-system-x86_64", "-M", "q35", "-cpu", "qemu64,rdrand=on"),
    "arm64": ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72"),
}
"""qemu64 is the least that Debian runs on. With RDRAND nobody waits for entropy."""

DISK_SLOTS = ("3", "9", "a")
"""On the PCI bus."""

CONSOLES = {"amd64": "ttyS0", "arm64": "hvc0"}


CLOSED_AT_FIRST = (8, 16)
"""The panel's plug is in, the key stands at R."""

OPTIONS = {
    "amd64": "8250.nr_uarts=1 no_timer_check",
    "arm64": "",
}
"""no_timer_check: the kernel counts the timer's ticks against a loop of its own, and stops where
the emulator was not given its time."""

FAST = "net.ifnames=0 mitigations=off init_on_alloc=0 nokaslr audit=0 cryptomgr.notests=1"
"""The kernel's tests of its own ciphers are a sixth of its work."""

CACHE = "cache=unsafe"
"""A flush of the guest reaches this machine's kernel, which no cut ends. Its disk need not wait."""

COUNTED = ("-accel", "tcg,tb-size=256", "-icount", "shift=0,sleep=on")


class GuestFailed(Exception):
    """The guest did not answer, or refused; the text says what was asked."""


class Guest:
    """One machine on a disk that outlives it; `folder` has its disk, its sockets, its console."""

    def __init__(
        self,
        layout: Layout,
        folder: Path,
        system: System,
        *,
        counted: bool = False,
        network: bool = False,
    ) -> None:
        """`counted`: its clock counts instructions, a billion a second.

        `network`: it has a card, and reaches this machine's loopback by it.
        """
        self.layout, self.folder = layout, folder
        self._system = system
        self._counted, self._network = counted, network
        self._monitor = Monitor(folder / "monitor")
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._asked = 0
        self._boot = ""
        self._here = asyncio.Event()
        self.boots = 0
        self.closed = set(CLOSED_AT_FIRST)
        """The panel's contacts that are closed: they are mechanical, and outlive every cut."""

    @property
    def is_on(self) -> bool:
        """Whether it has power."""
        return self._process is not None

    @property
    def processor_s(self) -> float:
        """What the machine has cost of this one's processors since its power came."""
        if self._process is None:
            return 0.0
        stat = Path(f"/proc/{self._process.pid}/stat").read_text("ascii")
        words = stat.rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    async def make_disk(self) -> None:
        """New disks over the built ones, and a new stick."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            (shutil.rmtree if old.is_dir() else Path.unlink)(old)
        for built in (*self._system.disks, *self._system.sticks):
            disk = self._over(built)
            command = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b")
            made = await asyncio.create_subprocess_exec(*command, str(built), str(disk))
            if await made.wait() != 0:
                raise GuestFailed(f"qemu-img made no {disk}")

    def _over(self, built: Path) -> Path:
        """What this machine writes over a built disk or stick."""
        return self.folder / f"{built.stem}.qcow2"

    def _command(self) -> list[str]:
        at, name = self.folder, self.layout.architecture.debian
        closed = ",".join(map(str, sorted(self.closed)))
        words = f"console={CONSOLES[name]} quiet systemd.show_status=0"
        words += f" {FAST} {OPTIONS[name]} rig.closed={closed}"
        command = [
            *("setpriv", "--pdeathsig", "KILL"),
            *MACHINES[name],
            *(COUNTED if self._counted else ("-accel", "tcg,thread=multi,tb-size=256")),
            *("-smp", "1", "-m", str(MEMORY_MB), "-nodefaults"),
            *("-nographic", "-display", "none", "-action", "watchdog=reset"),
            *self._system.start(words),
            *self._drives(),
            *("-device", "virtio-serial-pci,addr=4", "-device", "i6300esb,addr=7"),
            *self._socket("agent", "-device", "virtserialport,chardev=agent,name=rig"),
            *("-chardev", f"file,id=console,path={at}/console.log,append=on"),
            *("-device", "qemu-xhci,id=usb,addr=5", "-device", "usb-hub,bus=usb.0,port=1"),
        ]
        if name == "amd64":
            command += ["-serial", "chardev:console"]
        else:
            command += [
                "-dtb",
                str(self.layout.device_tree),
                "-device",
                "virtconsole,chardev=console",
            ]
        if self._network:
            command += ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,addr=8"]
        command += ["-qmp", f"unix:{at}/monitor,server=on,wait=off"]
        for device, socket in SOCKETS.items():
            if device == "diagnostics" and name == "arm64":  # the PL011: ttyAMA0, as on a Pi
                command += self._socket(device, "-serial", f"chardev:{device}")
            else:
                adapter = f"usb-serial,chardev={device},bus=usb.0,port={socket}"
                command += self._socket(device, "-device", adapter)
        return command

    def _drives(self) -> list[str]:
        words = []
        for number, built in enumerate(self._system.disks):
            drive = f"file={self._over(built)},if=none,id=disk{number},format=qcow2,{CACHE}"
            device = f"virtio-blk-pci,drive=disk{number},addr={DISK_SLOTS[number]}"
            words += ["-drive", drive, "-device", device]
        return words

    def _socket(self, name: str, *device: str) -> list[str]:
        path = self.folder / name
        return ["-chardev", f"socket,id={name},path={path},server=on,wait=off", *device]

    async def power_on(self) -> None:
        """Give it power, and return at once."""
        for name in ("agent", "monitor", *SOCKETS):
            (self.folder / name).unlink(missing_ok=True)
        with (self.folder / "qemu.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command(), stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
            )
        self._here.clear()
        self.boots += 1
        reader, self._writer = await self._connect()
        self._reading = asyncio.create_task(self._read(reader))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """To the hand's port, which QEMU opens a moment after its start."""
        path = str(self.folder / "agent")
        for _ in range(200):
            try:
                return await asyncio.open_unix_connection(path, limit=LONGEST_ANSWER)
            except OSError:
                await asyncio.sleep(0.05)
        text = (self.folder / "qemu.log").read_text("utf-8", "replace")
        raise GuestFailed(f"QEMU did not start: {text[-2000:]}")

    async def wait_for_hand(self, seconds: float = BOOT_S) -> float:
        """Wait until the hand inside answers; the seconds that took."""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                await self._here.wait()
        except TimeoutError:
            console = (self.folder / "console.log").read_text("utf-8", "replace")
            raise GuestFailed(
                f"no answer within {seconds:g} s of boot: {console[-2000:]}"
            ) from None
        return time.monotonic() - begun

    def expect_boot(self) -> None:
        """From now on `wait_for_hand` waits for another boot than this one."""
        self._here.clear()

    async def boot(self) -> float:
        """Power on, until the hand inside answers; the seconds that took."""
        begun = time.monotonic()
        await self.power_on()
        await self.wait_for_hand()
        return time.monotonic() - begun

    async def cut_power(self) -> None:
        """The plug: QEMU is killed, whatever it was doing."""
        if self._process is None:
            return
        os.kill(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        self._process = None
        if self._reading is not None:
            self._reading.cancel()
        if self._writer is not None:
            self._writer.close()
        self._fail_answers("the power was cut")

    async def plug_stick(self, number: int = 0) -> None:
        """Put a USB stick in; what was written to it is on it."""
        await self._monitor.run(*plug_commands(self._over(self._system.sticks[number])))

    async def pull_stick(self) -> None:
        """Pull the USB stick, whoever has it open."""
        await self._monitor.run(PULL, wait_for="DEVICE_DELETED")
        await self._monitor.run(FORGET)

    def _fail_answers(self, why: str) -> None:
        for number, answer in self._answers.items():
            if not answer.done():
                answer.set_exception(GuestFailed(f"wish {number}: {why}"))
        self._answers.clear()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            message = json.loads(line)
            if "agent" in message:
                if message["agent"] != self._boot:
                    self._fail_answers("the guest has booted again")
                self._boot = message["agent"]
                self._here.set()
            elif (answer := self._answers.pop(message["id"], None)) and not answer.done():
                answer.set_result(message)

    def send(self, wish: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        """Ask, without waiting for the answer."""
        if self._writer is None:
            raise GuestFailed("the guest has no power")
        self._asked += 1
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(_take_exception)
        self._answers[self._asked] = answer
        self._writer.write(json.dumps({"id": self._asked, **wish}).encode() + b"\n")
        return answer

    async def ask(self, wish: dict[str, Any], seconds: float = ANSWER_S) -> dict[str, Any]:
        """One wish, and its answer. Raises GuestFailed."""
        try:
            answer = await asyncio.wait_for(self.send(wish), seconds)
        except TimeoutError:
            raise GuestFailed(f"no answer within {seconds:g} s to {wish}") from None
        if "error" in answer:
            raise GuestFailed(f"{wish}: {answer['error']}")
        return answer

    async def run(self, command: str, seconds: float = ANSWER_S) -> tuple[int, str]:
        """A shell command inside: its status and what it printed."""
        answer = await self.ask({"sh": command, "s": seconds}, seconds + 30)
        return int(answer["rc"]), str(answer["out"]).strip()

    async def sh(self, command: str, seconds: float = ANSWER_S) -> str:
        """What a shell command prints. Raises GuestFailed if it fails."""
        status, text = await self.run(command, seconds)
        if status != 0:
            raise GuestFailed(f"{command}: status {status}: {text}")
        return text


def _take_exception(answer: asyncio.Future[dict[str, Any]]) -> None:
    """A wish that nobody waits for may fail: the power was cut."""
    if not answer.cancelled():
        answer.exception()
