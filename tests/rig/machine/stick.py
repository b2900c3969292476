"""A USB stick that is put in and pulled while the machine runs, by QEMU's own monitor."""

import asyncio
import json
from pathlib import Path
from typing import Any

PORT = "1.4"
DEADLINE_S = 10.0


class MonitorFailed(Exception):
    """QEMU refused; the text is its own."""


class Monitor:
    """QEMU's monitor, at a socket; each call is one connection."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    async def run(self, *commands: dict[str, Any], wait_for: str = "") -> None:
        """Run commands in turn, and wait for an event after the last. Raises MonitorFailed."""
        async with asyncio.timeout(DEADLINE_S):
            reader, writer = await asyncio.open_unix_connection(str(self._socket))
            await reader.readline()  # its greeting
            for command in ({"execute": "qmp_capabilities"}, *commands):
                writer.write(json.dumps(command).encode() + b"\n")
                await self._read_until(reader, "return")
            if wait_for:
                await self._read_until(reader, wait_for)
            writer.close()

    @staticmethod
    async def _read_until(reader: asyncio.StreamReader, wanted: str) -> None:
        while True:
            message = json.loads(await reader.readline())
            if "error" in message:
                raise MonitorFailed(str(message["error"]))
            if wanted in message or message.get("event") == wanted:
                return


def plug_commands(image: Path) -> list[dict[str, Any]]:
    """Put a stick with this content into the hub."""
    file = {"driver": "file", "filename": str(image)}
    stick = {"driver": "usb-storage", "id": "stick", "drive": "stick-content"}
    return [
        {
            "execute": "blockdev-add",
            "arguments": {"node-name": "stick-content", "driver": "qcow2", "file": file},
        },
        {"execute": "device_add", "arguments": {**stick, "bus": "usb.0", "port": PORT}},
    ]


PULL = {"execute": "device_del", "arguments": {"id": "stick"}}
FORGET = {"execute": "blockdev-del", "arguments": {"node-name": "stick-content"}}
