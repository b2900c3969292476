"""What the technician's line says of devices, boards and outputs."""

from console.texts.language import Words

UP = Words("presente", "there")
DOWN = Words("ASSENTE", "NOT THERE")
TITLES = Words(
    "LINEA ? RICEVUTE INVIATE ERRATE % RIPET TROV AVVII MS MEDIA",
    "LINE ? IN OUT BAD % AGAIN FOUND BOOTS MS MEAN",
)
BAD_OUT_SENT_AGAIN = Words(
    "{0} ricevute, {1} errate ({2} %), {3} inviate, {4} ripetute",
    "{0} in, {1} bad ({2} %), {3} out, {4} sent again",
)
CONNECTIONS_BOOTS = Words("collegamenti {0}, riavvii {1}", "connections {0}, boots {1}")
ROUND_TRIP_MS_MEAN = Words("andata e ritorno {0} ms, media {1}", "round trip {0} ms, mean {1}")
STATE = Words("stato", "state")
LINE = Words("linea", "line")
IDENTITY = Words("identita'", "identity")
FRAMES = Words("trame", "frames")
DRIVER = Words("driver", "driver")
NOT_PROVED = Words(", {0} NON PROVATE", ", {0} NOT PROVED")
NO_FRAMES = Words("  nessuna trama", "  no frames")
UP_TEXT = Words("si'", "up")
NO = Words("NO", "NO")
SLOT_LAMP_SEAT = Words("lampada dello slot {0}", "slot lamp of seat {0}")
SEAT_LED_PANEL = Words("LED del posto {0}, sulla consolle", "seat LED {0} on the panel")
LAMP_BUTTON = Words("lampada del pulsante {0}", "lamp of the button {0}")
ALL_LAMPS = Words("tutte le lampade", "all lamps")
GATE_SEAT = Words("sportello del posto {0}", "gate of seat {0}")
DISPLAY_ALL = Words("display: tutti 8", "display: all 8")
DISPLAY_ABC = Words("display: ABC... 0-9", "display: ABC... 0-9")
DISPLAY_ABOVE_BELOW = Words("display: 1 sopra, 2 sotto", "display: 1 above, 2 below")
NOTHING_THERE = Words("prima il sensore non vedeva niente", "the sensor saw nothing before")
THERE = Words("prima il sensore vedeva un gettone", "the sensor saw a token before")
DROPPED = Words("il gettone e' caduto ed e' contato", "the token dropped and is counted")
STUCK = Words(
    "la scheda ha aperto lo sportello {seat}; il gettone NON e' caduto:\n"
    "  bobina, spina, pilotaggio o linguetta, oppure il gettone",
    "the board opened gate {seat}; the token did NOT drop:\n"
    "  coil, plug, driver or flap, or the token",
)
NOT_OPENED = Words(
    "la scheda NON ha aperto lo sportello {seat}",
    "the board did NOT open gate {seat}",
)
DROP_BLIND = Words(
    "il sensore di CADUTA non l'ha visto, la vaschetta si'",
    "the DROP sensor has not seen it, the tray has",
)
TRAY_BLIND = Words("la VASCHETTA non l'ha contato", "the TRAY has not counted it")
SENSOR_BLIND = Words(
    "e' caduto un gettone che il sensore del posto non vedeva",
    "a token dropped that the seat's sensor had not seen",
)
NOWHERE = Words(
    "il gettone non e' piu' li', e niente l'ha contato",
    "the token is gone, and nothing has counted it",
)
NO_TOKEN = Words("niente e' caduto: mettere prima un gettone", "nothing dropped: put a token in")
DROP_SENSOR = Words("caduta", "drop sensor")
TRAY = Words("vaschetta", "tray")
SENSOR = Words("sensore", "sensor")
COUNTED_AT_SEAT = Words("  ! contato al posto {0}", "  ! counted at seat {0}")
COVERED = Words(" coperto", " covered")
FREE = Words(" libero", " free")
ON = Words("accesa", "on")
BLINKS_FAST = Words("lampeggia veloce", "blinks fast")
DARK = Words("spenta", "dark")
DISPLAY = Words("display", "display")
WATCH_TITLES = Words(
    " ingresso        ora     da         fronti nuovi rimb. imp. ms cadute",
    " input           now     for         edges   new chat. pulse ms  drops",
)
CLOSED = Words("chiuso", "closed")
OPEN = Words("aperto", "open")
WATCH_COVERED = Words("coperto", "covered")
WATCH_FREE = Words("libero", "free")
COUNTS = Words("conta", "counts")
ENROLLED = Words("registrata", "enrolled")
BELIEVED_BE_ENROLLED = Words("creduta, DA REGISTRARE", "believed, TO BE ENROLLED")
NOT_ENROLLED_NOT_BELIEVED = Words("NON REGISTRATA, non creduta", "NOT ENROLLED, not believed")
ENROLLED_TEXT = Words(" (registrate: {0})", " (enrolled: {0})")
NO_BOARD_ANSWERED = Words("Nessuna scheda ha risposto.", "No board has answered.")
NO_SERIAL_NUMBER = Words("senza matricola", "no serial number")
NO_PROOF_KEY = Words(", SENZA PROVA DELLA CHIAVE", ", NO PROOF OF A KEY")
