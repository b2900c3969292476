"""The prompt of the technician's line: table, phase, key and faults, as they are now."""

import asyncio
from collections.abc import Sequence

from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AskStatus, Status
from console.technician.command import TechnicianSession
from console.texts.layout.columns import WIDTH

STATUS_WITHIN_S = 0.7
"""How long the prompt waits for the table, which it asks each second."""

LONGEST_NAME = 24
"""Most characters of a table's name, so that there is room for the faults."""


class Prompt:
    """Asks the table for its status, one request at a time, and never waits long."""

    def __init__(self, session: TechnicianSession) -> None:
        self._session = session
        self._request: asyncio.Task[AnyAnswer] | None = None

    async def lines(self) -> Sequence[str]:
        """Return the table's line, and the text before the cursor."""
        status = await self._status()
        if status is None:
            return (self._without_service(), "banco> ")
        return (render_table_line(self._session, status), f"{status.person or 'banco'}> ")

    async def close(self) -> None:
        """Cancel the request under way."""
        if self._request is not None:
            self._request.cancel()
            await asyncio.wait({self._request})
            self._request = None

    async def _status(self) -> Status | None:
        """Return the status; None if the service does not answer in time."""
        if self._request is None:
            self._request = asyncio.create_task(self._session.table.ask(AskStatus()))
        await asyncio.wait({self._request}, timeout=STATUS_WITHIN_S)
        if not self._request.done():
            return None
        request, self._request = self._request, None
        try:
            answer = request.result()
        except Unreachable:
            return None
        if not isinstance(answer, Status):
            return None
        self._session.status = answer
        return answer

    def _without_service(self) -> str:
        known = self._session.status
        nothing = self._session.words("NESSUN SERVIZIO (stato)", "NO SERVICE (status)")
        return f"{known.table}  {nothing}" if known is not None else nothing


def render_table_line(session: TechnicianSession, status: Status) -> str:
    """Render `caribbean-1  PLAYING  key R  faults: RAIL_LOST, +2 noticed`; at most 79 columns."""
    key = session.words("chiave", "key")
    simulated = ["SIMULATION"] if status.simulated else []
    parts = [*simulated, status.table[:LONGEST_NAME], status.phase, f"{key} {status.key or '?'}"]
    head = "  ".join(parts)
    return f"{head}  {_describe_troubles(session, status, WIDTH - len(head) - 2)}"[:WIDTH]


def _describe_troubles(session: TechnicianSession, status: Status, room: int) -> str:
    """Render the faults by name if there is room, then the number of findings."""
    codes = [present.fault.value for present in status.faults]
    noticed = f", +{len(status.findings)} " + session.words("notate", "noticed")
    after = noticed if status.findings else ""
    title = session.words("guasti: ", "faults: ")
    if not codes:
        return title + session.words("nessuno", "none") + after
    for shown in range(len(codes), 0, -1):
        more = f" +{len(codes) - shown}" if shown < len(codes) else ""
        text = title + " ".join(codes[:shown]) + more + after
        if len(text) <= room:
            return text
    return f"{title}{len(codes)}{after}"
