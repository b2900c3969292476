"""What goes wrong with a text: each mutation is one that people, editors and attackers make."""

import random
from collections.abc import Sequence

STRANGE = (
    *("\x00", "\x1b[31m", "\u202e", "\ud7ff", "\u0663", "\ufeff", "\r", "\t", "é", "\U0001f0a1"),
    *("-1", "0", "9" * 23, "1e9", "nan", "0x10", "1_0", "''", '"', "[", "]", "{", "=", "#", "--"),
    *("true", "[]", "{}", "''' ", "x" * 5_000, "../..", "/dev/null", "%s", "\\", "\n", " "),
)


def mutate(text: str, chance: random.Random) -> str:
    """The text with one to three things wrong."""
    for _ in range(chance.randint(1, 3)):
        text = chance.choice((_cut, _double, _replace, _insert, _swap_lines, _swap_words))(
            text, chance
        )
    return text


def mutate_words(words: Sequence[str], chance: random.Random) -> list[str]:
    """A command's words with one to three things wrong."""
    mutated = list(words)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(mutated) + 1)
        match chance.randrange(4):
            case 0:
                mutated.insert(place, chance.choice(STRANGE))
            case 1 if place < len(mutated):
                del mutated[place]
            case 2 if place < len(mutated):
                mutated[place] = mutate(mutated[place], chance)
            case _:
                mutated.insert(place, chance.choice(words))
    return [word.replace("\x00", "\x01") for word in mutated]  # no argument can hold a NUL


def mutate_line(text: str, chance: random.Random) -> str:
    """The text with mistakes in one of its lines, with one line twice, or with them anywhere."""
    lines = text.split("\r\n")
    place = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            return mutate(text, chance)
        case 1:
            lines.insert(place, lines[place])
        case _:
            lines[place] = mutate(lines[place], chance)
    return "\r\n".join(lines)


def mutate_bytes(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to eight of them changed, put in or left out."""
    mutated = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(mutated) + 1)
        mutated[place : place + chance.randrange(2)] = chance.randbytes(chance.randrange(2))
    return bytes(mutated)


def _cut(text: str, chance: random.Random) -> str:
    first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[:first] + text[min(last, first + 40) :]


def _double(text: str, chance: random.Random) -> str:
    first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[:last] + text[first:]


def _replace(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    words[chance.randrange(len(words))] = chance.choice(STRANGE)
    return " ".join(words)


def _insert(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(STRANGE) + text[place:]


def _swap_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def _swap_words(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    one, other = (chance.randrange(len(words)) for _ in range(2))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)
