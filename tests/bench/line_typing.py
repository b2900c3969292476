"""Bytes that each key typed costs: on our terminal, and at prompt_toolkit's prompt."""

import asyncio
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper

from prompt_toolkit import PromptSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from console.technician.terminal.terminal import Escapes, Terminal
from devices.sim.virtual_time import VirtualLoop
from tests.console.technician.terminal.typist import ENTER, typist

PROMPT = "banco> "
RENDERED_S = 5.0

Lines = Sequence[Sequence[str]]


def our_costs(lines: Lines, escapes: Escapes) -> list[int]:
    """For each key but Enter, as counted at the far end of the wire."""

    async def prompt() -> Sequence[str]:
        return (PROMPT,)

    async def face(terminal: Terminal) -> None:
        while True:
            await terminal.command(prompt, lambda _: ())

    costs: list[int] = []
    loop = VirtualLoop()
    try:
        with typist(loop, face, escapes=escapes) as somebody:
            for keys in lines:
                for key in keys:
                    somebody.type(key)
                    costs.append(len(somebody.sent))
                somebody.type(ENTER)
    finally:
        loop.close()
    return costs


def their_costs(lines: Lines) -> list[int]:
    """The same of prompt_toolkit: no colours, no completion, no hints, no cursor reports."""
    return asyncio.run(_their_costs(lines))


async def _their_costs(lines: Lines) -> list[int]:
    written = BytesIO()
    output = Vt100_Output(
        TextIOWrapper(written, "utf-8"),
        lambda: Size(rows=24, columns=80),
        term="xterm",
        default_color_depth=ColorDepth.DEPTH_1_BIT,
        enable_cpr=False,
    )
    costs: list[int] = []
    with create_pipe_input() as keyboard:
        session: PromptSession[str] = PromptSession(input=keyboard, output=output)
        rendered = asyncio.Event()
        session.app.after_render += lambda _: rendered.set()
        for keys in lines:
            asking = asyncio.create_task(session.prompt_async(PROMPT))
            await _once(rendered)
            for key in keys:
                before = written.tell()
                await _press_key(keyboard, key, rendered)
                costs.append(written.tell() - before)
            keyboard.send_text(ENTER)
            await asyncio.wait_for(asking, RENDERED_S)
    return costs


async def _press_key(keyboard: PipeInput, key: str, rendered: asyncio.Event) -> None:
    rendered.clear()
    keyboard.send_text(key)
    await _once(rendered)


async def _once(rendered: asyncio.Event) -> None:
    """Until it has been rendered, and nothing more is to be."""
    await asyncio.wait_for(rendered.wait(), RENDERED_S)
    while rendered.is_set():
        rendered.clear()
        await asyncio.sleep(0.02)
