"""The names of games and phases."""

from collections.abc import Mapping

from console.rules.codes import Phase
from console.texts.language import Words

GAME_NAMES: Mapping[str, Words] = {
    name: Words(title, title)
    for name, title in (
        ("caribbean-stud", "Caribbean Stud Poker"),
        ("tre-card-stud", "Tre Card Stud"),
        ("ultimate-texas-holdem", "Ultimate Texas Hold'em"),
        ("mini-punto-banco", "Mini Punto Banco"),
        ("black-jack", "Black Jack"),
    )
}

PHASES: Mapping[Phase, Words] = {
    Phase.PAUSED: Words("in pausa", "paused"),
    Phase.BETTING: Words("puntate aperte", "betting"),
    Phase.COLLECTING: Words("raccolta", "collecting"),
    Phase.PLAYING: Words("in gioco", "playing"),
    Phase.AWARDING: Words("vincita in sospeso", "award pending"),
    Phase.SERVICE: Words("manutenzione", "service"),
}
