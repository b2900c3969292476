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
IS_UP = Words("si'", "up")
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
ENROLLED_AS = Words(" (registrate: {0})", " (enrolled: {0})")
NO_BOARD_ANSWERED = Words("Nessuna scheda ha risposto.", "No board has answered.")
NO_SERIAL_NUMBER = Words("senza matricola", "no serial number")
NO_PROOF_KEY = Words(", SENZA PROVA DELLA CHIAVE", ", NO PROOF OF A KEY")
NO_SUCH_DEVICE = Words("questo tavolo non ha {0}; ha: {1}", "no {0}; it has: {1}")
YOU_MAY_ASK_FRAMES = Words("si puo' chiedere: trame [N]", "you may ask for: frames [N]")
OUTPUTS_RELEASED = Words("uscite rilasciate", "outputs released")
TABLE_NO_COIN_RAIL = Words("questo tavolo non ha gettoniera", "this table has no coin rail")
NOT_LIT = Words("non si accende: ", "not lit: ")
WHICH_LAMP = Words("quale lampada? {0}", "which lamp? {0}")
TABLE_RAIL_NO_GATES = Words(
    "la gettoniera di questo tavolo non ha sportelli",
    "this table's rail has no gates",
)
TWO_LINES_ASCII_CHARACTERS = Words(
    "due righe di 20 caratteri ASCII, separate da |",
    "two lines of 20 ASCII characters, separated by |",
)
KEY_GO = Words("Un tasto: avanti.", "A key: go on.")
WHICH_SEAT = Words("quale posto? 1-7", "which seat? 1-7")
SEAT_GATE_OPEN_AT = Words(
    "posto {0}: sportello aperto, al massimo 2 s",
    "seat {0}: gate open, for at most 2 s",
)
NOTHING_NOTED = Words("niente da annotare", "nothing noted")
DISPLAY_NOT_CONNECTED_CHECK = Words(
    "! il display non e' collegato: controllare spina e cavo",
    "! the display is not connected: check its plug and cable",
)
KEY_GO_N_NOT = Words(
    "Un tasto: avanti. n: non si accende (si annota). q: fine.",
    "A key: go on. n: not lit (noted). q: end.",
)
ENTER_END = Words("Invio: fine.", "Enter: end.")
NOT_MOVED_WHILE_WATCHED = Words("fermi mentre si osservava: ", "not moved while watched: ")
NO_EDGE_SINCE_START = Words("mai un fronte dall'avvio: ", "no edge since the start: ")
UNUSED_SEAT_OR_DEAD = Words(
    " (posto non usato, o sensore morto: provare con un gettone)",
    " (an unused seat, or a dead sensor: try it with a token)",
)
INPUTS_ARE = Words("ingressi: {0}", "the inputs are: {0}")
Q_OR_CTRL_C = Words(
    "q o Ctrl-C: fine. Spazio: durate di nuovo. *: si e' mosso da adesso.",
    "q or Ctrl-C: end. Space: how long, anew. *: has moved from now on.",
)
NEW_EDGES_SINCE_WATCH = Words(
    "nuovi: fronti da quando si osserva; rimb.: rimbalzi; imp.: ultima chiusura",
    "new: edges since watch began; chat.: bounces; pulse: how long closed last",
)
ALL_MOVED_WHILE_WATCHED = Words("si sono mossi tutti", "all have moved while watched")
NOT_ANSWERED_THERE = Words("non ha risposto; c'e': {0}", "has not answered; there is: {0}")
DO_THEY_BELONG_HERE = Words("Sono della casa? Registrare?", "Do they belong here? Enrol them?")
BOARD_ENROL_DEVICE = Words("board registra DISPOSITIVO", "board enrol DEVICE")
