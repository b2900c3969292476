"""The rake calculator's address: the answer of `banco rake`, or what would be right."""

import asyncio
from pathlib import Path
from urllib.parse import urlencode

import pytest

from console.office.rake import RakeMistake, RakePart
from console.web.serving.supervisor.questions import MISTAKES, answer_query
from tests.console.line.access.login_bench import enrol
from tests.console.web.supervised import opening_of, serve_supervisor

SANREMO = {"house": "sanremo", "pots": "100 200 1000"}


@pytest.mark.parametrize(
    ("query", "line"),
    [
        (SANREMO, "5+10+15"),
        (SANREMO | {"no_flop": "yes"}, "0+0+0"),
        (SANREMO | {"shared": "yes"}, "0+0+0"),
        ({"house": "prestige", "pots": "132", "half": "yes"}, "3"),
        ({"house": "sanremo", "pots": "1000", "cap": "2:10 5:20 7:30", "players": "4"}, "10"),
        ({"house": "san-marino", "pots": "100 100", "rate": "5", "fixed": "2", "cap": "15"}, "7+5"),
    ],
)
def test_it_answers_as_the_command(query: dict[str, str], line: str) -> None:
    """POKER 18.20"""
    assert answer_query(query)["line"] == line


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ({"pots": "100"}, RakePart.HOUSE),
        ({"house": "city", "pots": "100"}, RakePart.HOUSE),
        (SANREMO | {"pots": ""}, RakePart.POTS),
        (SANREMO | {"pots": "100 -5"}, RakePart.POTS),
        (SANREMO | {"pots": "1.005"}, RakePart.POTS),
        (SANREMO | {"cap": "3O"}, RakePart.CAP),
        (SANREMO | {"cap": "2:10 5:20"}, RakePart.PLAYERS),
        (SANREMO | {"players": "12"}, RakePart.PLAYERS),
        (SANREMO | {"rate": "101"}, RakePart.RATE),
        (SANREMO | {"fixed": "two"}, RakePart.FIXED),
        (SANREMO | {"rate": "5"}, RakePart.TERMS),
    ],
)
def test_a_mistake_is_named(query: dict[str, str], part: RakePart) -> None:
    with pytest.raises(RakeMistake) as caught:
        answer_query(query)
    assert caught.value.part is part
    assert part in MISTAKES


def test_it_is_for_people_who_have_entered(tmp_path: Path) -> None:
    async def story() -> None:
        enrol(tmp_path / "people.toml", "anna")
        async with serve_supervisor(opening_of(tmp_path), tmp_path) as page:
            assert (await page.ask(f"rake?{urlencode(SANREMO)}")).status == 401
            await page.enter()
            answer = await page.read(f"rake?{urlencode(SANREMO)}")
            assert (answer["line"], answer["rake"]) == ("5+10+15", 30)
            refused = await page.ask("rake?house=sanremo&pots=-5")
            assert (refused.status, refused.body["refused"]) == (400, "RAKE_POTS")
            assert "100 o 12,50" in refused.body["text"]["it"]

    asyncio.run(asyncio.wait_for(story(), 60))
