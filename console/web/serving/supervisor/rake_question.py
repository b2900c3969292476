"""The rake calculator of the supervisor's page: `banco rake`'s question in an address."""

from collections.abc import Mapping
from typing import Any

import msgspec

from console.office.rake.question import (
    HOUSES,
    RakePart,
    RakeQuestion,
    answer_rake,
)
from console.texts.language import Words
from jackpot.rake import FEWEST_PLAYERS, MOST_PLAYERS

MISTAKES: Mapping[RakePart, Words] = {
    RakePart.HOUSE: Words(
        f"Case con il gioco cash: {', '.join(HOUSES)}.",
        f"Houses with a cash game: {', '.join(HOUSES)}.",
    ),
    RakePart.POTS: Words(
        "Piatti: importi come 100 o 12,50, il principale per primo, separati da spazi.",
        "Pots: amounts such as 100 or 12.50, the main pot first, separated by blanks.",
    ),
    RakePart.RATE: Words(
        "Percentuale: da 0 a 100, come 2,5, con due decimali al massimo.",
        "Rate: from 0 to 100, such as 2.5, with two decimals at most.",
    ),
    RakePart.FIXED: Words(
        "Parte fissa: un importo come 2 o 1,50.", "Fixed part: an amount such as 2 or 1.50."
    ),
    RakePart.CAP: Words(
        "Massimo: euro interi come 30, o secondo i giocatori come 2:10 5:20 7:30.",
        "Cap: whole euro such as 30, or by players such as 2:10 5:20 7:30.",
    ),
    RakePart.PLAYERS: Words(
        f"Giocatori: da {FEWEST_PLAYERS} a {MOST_PLAYERS}; occorrono se il massimo ne dipende.",
        f"Players: from {FEWEST_PLAYERS} to {MOST_PLAYERS}; needed where the cap depends on them.",
    ),
    RakePart.TERMS: Words("Questa casa non lo prevede.", "This house does not have that."),
}
"""What would be right, by what is wrong."""


def answer_query(query: Mapping[str, str]) -> dict[str, Any]:
    """The answer of `banco rake --json`, and its line. Raises RakeMistake.

    `pots` are separated by blanks; `half`, `shared` and `no_flop` count where they are there.
    """
    question = RakeQuestion(
        query.get("house", ""),
        tuple(query.get("pots", "").split()),
        rate=query.get("rate"),
        fixed=query.get("fixed"),
        cap=query.get("cap"),
        players=query.get("players"),
        half="half" in query,
        shared="shared" in query,
        no_flop="no_flop" in query,
    )
    answer = answer_rake(question)
    return {"line": answer.line, **msgspec.to_builtins(answer)}
