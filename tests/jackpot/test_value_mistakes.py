"""msgspec's messages, in our words."""

from enum import Enum
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct

from jackpot.value_mistakes import describe_mistake


class Colour(Enum):
    RED = "red"


class Bet(Struct, forbid_unknown_fields=True):
    seat: Annotated[int, Meta(ge=1, le=7)]
    who: Annotated[str, Meta(max_length=3, pattern="^[a-z]+$")] = "anna"[:3]
    colour: Colour | None = None
    seats: Annotated[list[int], Meta(min_length=1)] | None = None


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("{}", "seat is missing"),
        ('{"seat":"3"}', "seat: write a whole number, not text in quotes"),
        ('{"seat":0}', "seat: write at least 1"),
        ('{"seat":8}', "seat: write at most 7"),
        ('{"seat":3,"set":1}', "there is no key set"),
        ('{"seat":3,"who":"berta"}', "who: write at most 3 characters"),
        ('{"seat":3,"who":"A"}', "who: its form is '^[a-z]+$'"),
        ('{"seat":3,"seats":[]}', "seats: write at least 1 entries"),
        ('{"seat":3,"colour":"blue"}', "colour: cannot be 'blue'"),
        ('{"seat":3', "no JSON, it ends too early"),
        ('{"seat":x}', "no JSON, wrong at byte 8"),
    ],
)
def test_a_mistake_is_said_in_our_words(text: str, mistake: str) -> None:
    with pytest.raises(msgspec.DecodeError) as found:
        msgspec.json.decode(text, type=Bet)
    assert describe_mistake(found.value) == mistake
