"""The floor manager's declarations at the tables of dealers' games.

docs/reference/rules.md, section 4.
"""

from console.rules.acts import (
    AwardVerified,
    CardAnnulled,
    CoupVoid,
    CoupWithoutStakes,
    DeckReplaced,
    DoorOpened,
    HandVoid,
    LastHands,
    RoundVoid,
    ShoeReplaced,
    TrayCounted,
)
from console.rules.codes import Duty
from console.rules.games import Game
from console.rules.poker_settings import PokerSettings
from console.rules.typed import LineError
from console.texts.declarations.row import (
    Case,
    DeclarationArgument,
    DeclarationRow,
    DrawerButton,
    DrawerField,
    DrawerUse,
    anywhere,
    at_poker,
    take_flag,
    take_number,
    with_rail,
    with_shoe,
    with_shuffler,
)
from console.texts.language import Words
from devices.roles import SEATS

SEAT = take_number("seat", "SEAT", SEATS[0], SEATS[-1], first=SEATS[0], listed=True)


def deals_hands(game: Game, poker: PokerSettings | None) -> bool:
    """Where a round of hands can be void: dealt by a shuffler, or at poker."""
    return with_shuffler(game, poker) or at_poker(game, poker)


ABOUT_ROUNDS = (
    DeclarationRow(
        "hand-void",
        HandVoid,
        Words(
            "mano del posto nulla, il gettone resta (returned: si rende)",
            "that seat's hand is void, its token stays (returned: it is given back)",
        ),
        Words("mano {seat} nulla", "hand {seat} void"),
        with_rail,
        (
            DrawerButton(
                "hand-void #", Words("Mano nulla al posto", "Hand void at seat"), DrawerUse.IN_PLAY
            ),
            DrawerButton(
                "hand-void # returned",
                Words("Mano nulla, gettone restituito", "Hand void, token returned"),
                DrawerUse.IN_PLAY,
            ),
        ),
        (SEAT, take_flag("returned", "returned")),
        (
            Case(
                "returned",
                True,
                Words("mano {seat} nulla, gettone reso", "hand {seat} void, token returned"),
            ),
        ),
    ),
    DeclarationRow(
        "award-verified",
        AwardVerified,
        Words(
            "chi dichiara ha visto la mano vincente di quel posto, a vincita in sospeso",
            "who declares has seen that seat's winning hand, while its award is pending",
        ),
        Words("mano vincente del posto {seat} vista", "winning hand of seat {seat} seen"),
        with_rail,
        (
            DrawerButton(
                "award-verified #",
                Words("Mano vincente vista", "Winning hand seen"),
                DrawerUse.IN_PLAY,
            ),
        ),
        (SEAT,),
    ),
    DeclarationRow(
        "round-void",
        RoundVoid,
        Words("tutte le mani nulle, carte da ridare", "all hands void, the cards are dealt again"),
        Words("colpo nullo, carte da ridare", "round void"),
        deals_hands,
        (
            DrawerButton(
                "round-void",
                Words("Tutte le mani nulle", "Round void"),
                DrawerUse.IN_PLAY,
                with_shuffler,
            ),
            DrawerButton(
                "round-void",
                Words("Mano nulla, mazzo difettoso", "Hand null: fouled deck"),
                DrawerUse.IN_PLAY,
                at_poker,
            ),
        ),
    ),
    DeclarationRow(
        "last-hands",
        LastHands,
        Words("il display conta le ultime mani", "the display counts down the last hands"),
        Words("ultime {hands} mani", "last {hands} hands"),
        anywhere,
        (DrawerButton("last-hands #", Words("Ultime mani", "Last hands"), DrawerUse.EACH_NIGHT),),
        (take_number("hands", "N", 1, 99, first=3),),
        (Case("hands", 1, Words("ultima mano", "last hand")),),
    ),
    DeclarationRow(
        "tray",
        TrayCounted,
        Words("gettoni contati a mano alla chiusura", "tokens counted by hand at closing"),
        Words("vaschetta {tokens}", "tray {tokens}"),
        with_rail,
        (
            DrawerButton(
                "tray #",
                Words("Gettoni contati nella vaschetta", "Tokens counted in the tray"),
                DrawerUse.EACH_NIGHT,
            ),
        ),
        (take_number("tokens", "N", 0, 999_999, first=0),),
    ),
)

LONGEST_REASON = 120


def read_reason(text: str) -> str:
    """Why a door was opened, on one line. Raises LineError."""
    if not text.isprintable() or len(text) > LONGEST_REASON:
        raise LineError(f"the reason is one line of at most {LONGEST_REASON} letters")
    return text


ABOUT_DOORS = (
    DeclarationRow(
        "opened",
        DoorOpened,
        Words(
            "perché il mobile è stato aperto: chiude DOOR_OPEN, con la chiave in S",
            "why the cabinet was opened: clears DOOR_OPEN, with the key at S",
        ),
        Words("mobile aperto per: {reason}", "cabinet opened for: {reason}"),
        anywhere,
        (DrawerButton("opened #", Words("Mobile aperto per", "Cabinet opened for")),),
        (
            DeclarationArgument(
                "reason", "REASON", read_reason, field=DrawerField("reason"), takes_rest=True
            ),
        ),
        duty=Duty.TECHNICIAN,
        of_doors=True,
    ),
)

DOOR_BUTTONS = (
    DrawerButton("door open", Words("Apri il mobile", "Open the cabinet")),
    DrawerButton("door shut", Words("Chiudi il mobile", "Shut the cabinet")),
    DrawerButton("door open logic", Words("Apri il vano elettronica", "Open the logic area")),
    DrawerButton("door shut logic", Words("Chiudi il vano elettronica", "Shut the logic area")),
)
"""What is done to the doors of a simulated cabinet."""

RESET_LATCH = DrawerButton("door reset", Words("Azzera la memoria", "Reset the latch"))

ABOUT_CARDS = (
    DeclarationRow(
        "deck-replaced",
        DeckReplaced,
        Words(
            "il prossimo mazzo può avere lo stesso dorso", "the next deck may have the same back"
        ),
        Words("mazzo sostituito", "deck replaced"),
        with_shuffler,
        (DrawerButton("deck-replaced", Words("Mazzo sostituito", "Deck replaced")),),
    ),
    DeclarationRow(
        "shoe-replaced",
        ShoeReplaced,
        Words("il sabot è portato via", "the shoe is taken away"),
        Words("sabot sostituito", "shoe replaced"),
        with_shoe,
        (
            DrawerButton(
                "shoe-replaced", Words("Sabot sostituito", "Shoe replaced"), DrawerUse.EACH_NIGHT
            ),
        ),
    ),
    DeclarationRow(
        "coup-void",
        CoupVoid,
        Words("il colpo è nullo", "the coup is void"),
        Words("colpo nullo", "coup void"),
        with_shoe,
        (DrawerButton("coup-void", Words("Colpo nullo", "Coup void"), DrawerUse.IN_PLAY),),
    ),
    DeclarationRow(
        "coup-without-stakes",
        CoupWithoutStakes,
        Words("colpo senza giocate", "a coup without stakes"),
        Words("colpo senza giocate", "coup without stakes"),
        with_shoe,
        (
            DrawerButton(
                "coup-without-stakes",
                Words("Colpo senza giocate", "Coup without stakes"),
                DrawerUse.IN_PLAY,
            ),
        ),
    ),
    DeclarationRow(
        "card-annulled",
        CardAnnulled,
        Words("l'ultima carta estratta non vale", "the card drawn last is annulled"),
        Words("carta annullata", "card annulled"),
        with_shoe,
        (
            DrawerButton(
                "card-annulled", Words("Carta annullata", "Card annulled"), DrawerUse.IN_PLAY
            ),
        ),
    ),
)
