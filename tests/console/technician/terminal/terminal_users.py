"""Users of a terminal for tests: an echo of commands, questions, a changing picture."""

from collections.abc import Awaitable, Callable, Sequence

from console.technician.talk import Hung, Interrupted
from console.technician.terminal.terminal import Terminal

STATE = "cs-1 PAUSED key R"

LISTING = [f"line {number}" for number in range(1, 101)]


async def prompt() -> Sequence[str]:
    return (STATE, "banco> ")


def complete_word(typed: str) -> Sequence[str]:
    return [word for word in ("status", "stop", "watch") if word.startswith(typed)]


async def echo_commands(terminal: Terminal) -> None:
    """Print each command until `exit`."""
    while (line := await terminal.command(prompt, complete_word)) != "exit":
        await terminal.say(f"you said {line!r}")


Answers = list[object]


def record_answers(
    answers: Answers, *questions: Callable[[Terminal], Awaitable[object]]
) -> Callable[[Terminal], Awaitable[None]]:
    """Return a user that asks these one after another and records the results."""

    async def user(terminal: Terminal) -> None:
        for question in questions:
            try:
                answers.append(await question(terminal))
            except (Interrupted, Hung) as error:
                answers.append(type(error))

    return user


def show_pictures(shown: list[Sequence[str]]) -> Callable[[Terminal], Awaitable[None]]:
    async def user(terminal: Terminal) -> None:
        while await terminal.key(0.5) != "q":
            await terminal.show(shown[-1])

    return user
