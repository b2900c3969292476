"""The floor manager's declarations at a poker table (docs/reference/poker-rules.md, section 20)."""

import re

from console.rules.games import Game
from console.rules.poker_acts import (
    BoardCorrected,
    BoardsAgreed,
    BreakDeclared,
    ChangeDemanded,
    ClockSet,
    ClockSwitched,
    DropCounted,
    EntriesSet,
    Go,
    HalfRake,
    HandForHand,
    JackpotHit,
    MatchNew,
    PlayersSet,
    PriorLevel,
    RakeCapSet,
    RakeCorrected,
    TimeAdjusted,
)
from console.rules.poker_clock import step_of
from console.rules.poker_settings import FEWEST_PLAYERS, MOST_DECLARED, PokerSettings
from console.rules.typed import LineError, parse_clock_time
from console.texts.declarations.row import (
    Case,
    DeclarationArgument,
    DeclarationRow,
    DrawerButton,
    DrawerField,
    DrawerUse,
    at_poker,
    in_cash,
    in_tournament,
    take_choice,
    take_number,
)
from console.texts.language import Words
from jackpot.money.amounts import format_cents, parse_cents
from jackpot.money.rake import parse_cap

MOST_LEVEL = 999
MOST_PARTS = 11
MOST_ENTRIES, MOST_CHIPS = 9999, 999_999_999
_PARTS = r"[0-9]{1,6}(\+[0-9]{1,6})*"
ON_OFF = {"on": True, "off": False}


SECONDS = take_number("seconds", "N", 10, 60, first=10)


def _read_seconds(text: str) -> object:
    return None if text == "normal" else SECONDS.read(text)


def _read_parts(text: str) -> tuple[int, ...]:
    if text == "none":
        return ()
    parts = re.split(r" *\+ *", text)
    if re.fullmatch(_PARTS, "+".join(parts)) is None or len(parts) > MOST_PARTS:
        raise LineError("a part for each pot, or none")
    return tuple(int(part) for part in parts)


def _read_break(text: str) -> int:
    ms = parse_clock_time(text)
    if ms == 0:
        raise LineError("a break lasts longer than 0s")
    return ms


def _read_amount(text: str) -> int:
    """Cents; the decimals follow a point, or a comma as on the table's display."""
    return parse_cents(text.replace(",", "."))


def _write_ms(ms: int) -> str:
    return f"{ms}ms"


def _halves_rake(game: Game, poker: PokerSettings | None) -> bool:
    return in_cash(game, poker) and (poker is None or poker.halves_rake)


def _check_half_rake(_act: HalfRake, poker: PokerSettings) -> None:
    if not poker.halves_rake:
        raise LineError(f"half the rake is taken at prestige only, not in {poker.house.value}")


def _caps_rake(game: Game, poker: PokerSettings | None) -> bool:
    return in_cash(game, poker) and (poker is None or poker.caps_rake)


def _check_rake_cap(_act: RakeCapSet, poker: PokerSettings) -> None:
    if not poker.caps_rake:
        raise LineError(f"no cap of the rake is set at {poker.form.value} in {poker.house.value}")


def _check_entries(act: EntriesSet, _poker: PokerSettings) -> None:
    if act.chips < act.entries:
        raise LineError("entries: first the entries, then the chips in play: entries 45 900000")


def _check_level(act: ClockSet, poker: PokerSettings) -> None:
    if step_of(poker.structure, act.level) is None:
        levels = sum(step.is_new_level for step in poker.structure)
        there = f"there are levels 1 to {levels}" if levels else "a cash table has none"
        raise LineError(f"clock set: there is no level {act.level}; {there}")


AT_POKER = (
    DeclarationRow(
        "clock",
        ClockSwitched,
        Words("l'orologio parte, o si ferma", "the clock starts, or stops"),
        Words("orologio fermato", "clock stopped"),
        in_tournament,
        (
            DrawerButton(
                "clock start", Words("L'orologio parte", "The clock starts"), DrawerUse.IN_PLAY
            ),
            DrawerButton(
                "clock stop", Words("L'orologio si ferma", "The clock stops"), DrawerUse.IN_PLAY
            ),
        ),
        (take_choice("running", {"start": True, "stop": False}),),
        (Case("running", True, Words("orologio avviato", "clock started")),),
    ),
    DeclarationRow(
        "clock set",
        ClockSet,
        Words(
            "l'orologio al livello indicato, con questo tempo: 7:30",
            "the clock at that level, with so much left: 7:30",
        ),
        Words(
            "orologio al livello {level}, restano {left_ms}",
            "clock set to level {level}, {left_ms} left",
        ),
        in_tournament,
        (
            DrawerButton(
                "clock set # #", Words("Regola l'orologio", "Set the clock"), DrawerUse.EACH_NIGHT
            ),
        ),
        (
            take_number("level", "LEVEL", 0, MOST_LEVEL, first=1, form="level"),
            DeclarationArgument(
                "left_ms", "TIME", parse_clock_time, _write_ms, field=DrawerField("clockTime")
            ),
        ),
        check=_check_level,
    ),
    DeclarationRow(
        "hand-for-hand",
        HandForHand,
        Words("on, off: mano per mano", "on, off: hand for hand"),
        Words("mano per mano", "hand for hand"),
        in_tournament,
        (
            DrawerButton(
                "hand-for-hand on", Words("Mano per mano", "Hand for hand"), DrawerUse.IN_PLAY
            ),
            DrawerButton(
                "hand-for-hand off",
                Words("Fine del mano per mano", "Hand for hand is over"),
                DrawerUse.IN_PLAY,
            ),
        ),
        (take_choice("on", ON_OFF),),
        (Case("on", False, Words("fine del mano per mano", "hand for hand over")),),
    ),
    DeclarationRow(
        "go",
        Go,
        Words("la prossima mano può iniziare", "the next hand may begin"),
        Words("via", "go"),
        in_tournament,
        (
            DrawerButton(
                "go", Words("Via alla prossima mano", "Go: the next hand"), DrawerUse.IN_PLAY
            ),
        ),
    ),
    DeclarationRow(
        "break",
        BreakDeclared,
        Words("pausa straordinaria, subito: 10:00", "an extra break at once: 10:00"),
        Words("pausa straordinaria di {break_ms}", "extra break of {break_ms}"),
        in_tournament,
        (DrawerButton("break #", Words("Pausa straordinaria", "Extra break")),),
        (
            DeclarationArgument(
                "break_ms", "TIME", _read_break, _write_ms, field=DrawerField("clockTime")
            ),
        ),
    ),
    DeclarationRow(
        "match-new",
        MatchNew,
        Words(
            "nuovo match: l'orologio riparte dal livello 1, fermo",
            "a new match: the clock starts again from level 1, standing",
        ),
        Words("nuovo match", "new match"),
        in_tournament,
        (
            DrawerButton(
                "match-new",
                Words("Nuovo match: orologio al livello 1", "New match: clock at level 1"),
            ),
        ),
    ),
    DeclarationRow(
        "prior-level",
        PriorLevel,
        Words(
            "la mano in corso tiene i bui del livello precedente",
            "the hand in play keeps the blinds of the level before",
        ),
        Words("bui del livello precedente", "blinds of the level before"),
        in_tournament,
        (
            DrawerButton(
                "prior-level", Words("Bui del livello precedente", "Blinds of the level before")
            ),
        ),
    ),
    DeclarationRow(
        "jackpot-hit",
        JackpotHit,
        Words("jackpot del torneo vinto, verificato", "the tournament jackpot was hit, verified"),
        Words("jackpot al posto {seat}", "jackpot hit at seat {seat}"),
        in_tournament,
        (DrawerButton("jackpot-hit #", Words("Scala reale al posto", "Royal flush at seat")),),
        (take_number("seat", "SEAT", 1, MOST_DECLARED, first=1),),
    ),
    DeclarationRow(
        "players",
        PlayersSet,
        Words("giocatori dalla prossima mano, 2 a 11", "players from the next hand on, 2 to 11"),
        Words("giocatori {players}", "players {players}"),
        at_poker,
        (DrawerButton("players #", Words("Giocatori", "Players"), DrawerUse.IN_PLAY),),
        (take_number("players", "N", FEWEST_PLAYERS, MOST_DECLARED, first=9, listed=True),),
    ),
    DeclarationRow(
        "entries",
        EntriesSet,
        Words(
            "iscrizioni finora e fiche in gioco in tutto il torneo: 45 900000",
            "entries so far and chips in play in the whole tournament: 45 900000",
        ),
        Words(
            "iscrizioni {entries}, fiche in gioco {chips}",
            "entries {entries}, chips in play {chips}",
        ),
        in_tournament,
        (
            DrawerButton(
                "entries # #", Words("Iscrizioni e fiche", "Entries and chips"), DrawerUse.IN_PLAY
            ),
        ),
        (
            take_number(
                "entries", "N", FEWEST_PLAYERS, MOST_ENTRIES, first=FEWEST_PLAYERS, form="entries"
            ),
            take_number(
                "chips", "CHIPS", FEWEST_PLAYERS, MOST_CHIPS, first=FEWEST_PLAYERS, form="chips"
            ),
        ),
        check=_check_entries,
    ),
    DeclarationRow(
        "boards",
        BoardsAgreed,
        Words("carte su 2 o 3 board da qui in poi", "2 or 3 boards from here on"),
        Words("{boards} board", "{boards} boards"),
        in_cash,
        (DrawerButton("boards #", Words("Board concordati", "Boards agreed")),),
        (take_number("boards", "N", 2, 3, first=2, listed=True),),
    ),
    DeclarationRow(
        "board-corrected",
        BoardCorrected,
        Words("un board sbagliato è stato corretto", "a board that was dealt wrongly was mended"),
        Words("board corretto", "board mended"),
        at_poker,
        (DrawerButton("board-corrected", Words("Board corretto", "Board mended")),),
    ),
    DeclarationRow(
        "change",
        ChangeDemanded,
        Words("il mazzo è da cambiare", "the deck is to be changed"),
        Words("mazzo da cambiare", "deck to be changed"),
        at_poker,
        (
            DrawerButton(
                "change", Words("Mazzo da cambiare", "The deck must be changed"), DrawerUse.IN_PLAY
            ),
        ),
    ),
    DeclarationRow(
        "time",
        TimeAdjusted,
        Words(
            "secondi delle prossime chiamate di tempo, o normal",
            "seconds of later calls of time, or normal",
        ),
        Words("tempo {seconds} s", "time {seconds} s"),
        at_poker,
        (
            DrawerButton("time #", Words("Secondi per il tempo", "Seconds of a time call")),
            DrawerButton("time normal", Words("Tempo come di regola", "Time calls as usual")),
        ),
        (
            DeclarationArgument(
                "seconds",
                "N | normal",
                _read_seconds,
                lambda seconds: "normal" if seconds is None else str(seconds),
                ("normal",),
                SECONDS.field,
            ),
        ),
        (Case("seconds", None, Words("tempo normale", "time normal")),),
    ),
    DeclarationRow(
        "rake",
        RakeCorrected,
        Words("rake dell'ultima mano: 5+10+15, o none", "the last hand's rake: 5+10+15, or none"),
        Words("rake corretta: {parts}", "rake corrected: {parts}"),
        in_cash,
        (
            DrawerButton(
                "rake #",
                Words("Rake dell'ultima mano, per piatto", "Rake of the last hand, by pot"),
                DrawerUse.IN_PLAY,
            ),
            DrawerButton(
                "rake none",
                Words("Rake dell'ultima mano resa", "Rake of the last hand given back"),
                DrawerUse.IN_PLAY,
            ),
        ),
        (
            DeclarationArgument(
                "parts",
                "5+10 | none",
                _read_parts,
                lambda parts: "+".join(map(str, parts)) or "none",
                ("none",),
                DrawerField("rakeParts"),
                takes_rest=True,
            ),
        ),
        (Case("parts", (), Words("rake corretta: nessuna", "rake corrected: none")),),
    ),
    DeclarationRow(
        "rake-cap",
        RakeCapSet,
        Words(
            "massimo della rake dalla prossima mano: 30, o 2:10 5:20",
            "the rake's cap from the next hand on: 30, or 2:10 5:20",
        ),
        Words("rake al massimo {cap}", "rake at most {cap}"),
        _caps_rake,
        (DrawerButton("rake-cap #", Words("Massimo della rake", "Cap of the rake")),),
        (
            DeclarationArgument(
                "cap",
                "CAP",
                lambda text: str(parse_cap(text)),
                field=DrawerField("rakeCap"),
                takes_rest=True,
            ),
        ),
        check=_check_rake_cap,
    ),
    DeclarationRow(
        "half-rake",
        HalfRake,
        Words("on, off: metà rake (prestige)", "on, off: half of the rake (prestige)"),
        Words("rake dimezzata", "half rake"),
        _halves_rake,
        (
            DrawerButton("half-rake on", Words("Metà rake", "Half rake")),
            DrawerButton("half-rake off", Words("Rake intera", "Full rake")),
        ),
        (take_choice("on", ON_OFF),),
        (Case("on", False, Words("rake intera", "full rake")),),
        _check_half_rake,
    ),
    DeclarationRow(
        "drop",
        DropCounted,
        Words("cassetta della rake contata alla chiusura", "the rake box counted at closing"),
        Words("cassetta {cents}", "rake box {cents}"),
        in_cash,
        (
            DrawerButton(
                "drop #",
                Words("Cassetta della rake contata, EUR", "Rake box counted, EUR"),
                DrawerUse.EACH_NIGHT,
            ),
        ),
        (
            DeclarationArgument(
                "cents", "AMOUNT", _read_amount, format_cents, field=DrawerField("amount")
            ),
        ),
    ),
)
