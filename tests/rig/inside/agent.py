"""The rig's hand inside the guest: JSON lines over a virtio port, each with its number in `id`.

{"pull": {"5": 0}}            close (0) or open (1) contacts
{"press": 5, "s": 0.12}       close a contact for some seconds
{"levels": true}              the levels of all 28 lines
{"until": {"17": 1}, "s": 5}  wait until lines have these levels; answered with the time it took
{"line": [{"ask": "status"}]} questions on one connection to the local line; the last answer, or no
{"ledger": true}              a copy of the table's ledger, as SQLite makes it: zlib, base64
{"sh": "...", "s": 60}        a shell command: rc, out

Every answer has `at`: the guest's time since its boot, in ms.
"""

import base64
import glob
import json
import os
import socket
import subprocess
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

LINES = 28
LOCAL_LINE = "/run/banco/line"
LEDGER = "file:/var/lib/banco/ledger.db?mode=ro"
OUTPUT_LIMIT = 8_000_000

wait = threading.Event().wait
"""Nobody sets it: a pause."""


def line_file(line: int, name: str) -> str:
    """The simulated line's file in sysfs."""
    (chip,) = glob.glob("/sys/devices/platform/gpio-sim.*/gpiochip*")
    return f"{chip}/sim_gpio{line}/{name}"


def pull(levels: Mapping[str, int]) -> dict[str, Any]:
    """Close or open contacts, as a wire to ground does."""
    for line, up in levels.items():
        with open(line_file(int(line), "pull"), "w", encoding="ascii") as file:
            file.write("pull-up" if up else "pull-down")
    return {}


def press(line: int, seconds: float) -> dict[str, Any]:
    """Hold a contact closed for so long."""
    pull({str(line): 0})
    wait(seconds)
    return pull({str(line): 1})


def level(line: int) -> int:
    """What is on the line."""
    with open(line_file(line, "value"), encoding="ascii") as file:
        return int(file.read())


def wait_until(wanted: Mapping[str, int], seconds: float) -> dict[str, Any]:
    """Wait until lines have these levels."""
    begun = time.monotonic()
    while True:
        seen = {line: level(int(line)) for line in wanted}
        took = time.monotonic() - begun
        if seen == wanted or took > seconds:
            return {"met": seen == wanted, "ms": round(took * 1000, 1), "seen": seen}
        wait(0.002)


def ask_table(questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Questions on one connection to the table's local line; the last answer, or the first no."""
    answer: dict[str, Any] = {}
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(20)
        line.connect(LOCAL_LINE)
        answers = line.makefile()
        for question in questions:
            line.sendall(json.dumps(question).encode() + b"\n")
            answer = json.loads(answers.readline())
            if answer["answer"] == "no":
                break
    return answer


def copy_ledger() -> dict[str, Any]:
    """The ledger of the running table."""
    import sqlite3  # at a boot nobody needs it, and every module costs an emulated processor time

    ledger, copy = sqlite3.connect(LEDGER, uri=True), sqlite3.connect(":memory:")
    try:
        ledger.backup(copy)
        return {"copy": base64.b64encode(zlib.compress(copy.serialize(), 1)).decode("ascii")}
    except sqlite3.Error as error:
        return {"error": repr(error)}
    finally:
        ledger.close()
        copy.close()


def run_shell(command: str, seconds: float) -> dict[str, Any]:
    """A command, with what it printed."""
    try:
        ended = subprocess.run(
            command,
            shell=True,
            check=False,
            text=True,
            errors="replace",
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired as late:
        return {"rc": 124, "out": str(late)}
    return {"rc": ended.returncode, "out": ended.stdout[-OUTPUT_LIMIT:]}


def answer(wish: Mapping[str, Any]) -> dict[str, Any]:
    """Do what is asked."""
    if "pull" in wish:
        return pull(wish["pull"])
    if "press" in wish:
        return press(wish["press"], wish["s"])
    if "levels" in wish:
        return {"levels": [level(line) for line in range(LINES)]}
    if "until" in wish:
        return wait_until(wish["until"], wish["s"])
    if "line" in wish:
        return ask_table(wish["line"])
    if "ledger" in wish:
        return copy_ledger()
    return run_shell(wish["sh"], wish["s"])


def open_port() -> int:
    """The virtio port named `rig`."""
    while True:
        for path in glob.glob("/sys/class/virtio-ports/*/name"):
            with open(path, encoding="ascii") as file:
                if file.read().strip() == "rig":
                    return os.open("/dev/" + path.split("/")[-2], os.O_RDWR)
        wait(0.1)


class Port:
    """The port; answers are written whole, whichever thread writes."""

    def __init__(self) -> None:
        self._handle = open_port()
        self._lock = threading.Lock()
        self._rest = b""

    def write(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        with self._lock:
            while data:
                data = data[os.write(self._handle, data) :]

    def read(self) -> list[bytes]:
        """Whole lines; none while the host's end is closed."""
        data = os.read(self._handle, 65536)
        if not data:
            wait(0.1)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def serve(self, line: bytes) -> None:
        """One wish, in a thread of its own."""
        wish = json.loads(line)
        try:
            result = answer(wish)
        except (OSError, ValueError) as error:
            result = {"error": repr(error)}
        self.write({"id": wish["id"], "at": round(time.monotonic() * 1000, 1), **result})


def main() -> None:
    port = Port()
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        port.write({"agent": file.read().strip(), "at": round(time.monotonic() * 1000, 1)})
    while True:
        for line in port.read():
            threading.Thread(target=port.serve, args=(line,), daemon=True).start()


main()
