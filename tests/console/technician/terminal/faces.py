"""What stands behind a terminal in its tests: a parrot, questions, a picture."""

from collections.abc import Awaitable, Callable, Sequence

from console.technician.talk import Hung, Interrupted
from console.technician.terminal.terminal import Terminal

STATE = "cs-1 PAUSED key R"

LISTING = [f"line {number}" for number in range(1, 101)]


async def prompt() -> Sequence[str]:
    return (STATE, "banco> ")


def words(typed: str) -> Sequence[str]:
    return [word for word in ("status", "stop", "watch") if word.startswith(typed)]


async def parrot(terminal: Terminal) -> None:
    """Says each command again, until `exit`."""
    while (line := await terminal.command(prompt, words)) != "exit":
        await terminal.say(f"you said {line!r}")


Answers = list[object]


def noting(
    answers: Answers, *questions: Callable[[Terminal], Awaitable[object]]
) -> Callable[[Terminal], Awaitable[None]]:
    """A face that asks these one after another, and writes down what came of each."""

    async def face(terminal: Terminal) -> None:
        for question in questions:
            try:
                answers.append(await question(terminal))
            except (Interrupted, Hung) as error:
                answers.append(type(error))

    return face


def frames(shown: list[Sequence[str]]) -> Callable[[Terminal], Awaitable[None]]:
    async def face(terminal: Terminal) -> None:
        while await terminal.key(0.5) != "q":
            await terminal.show(shown[-1])

    return face
