"""The bordereau's words in both languages."""

from collections.abc import Mapping

from console.texts.language import Words
from console.texts.table_texts import ACCOUNTS as ACCOUNTS_ON_RECORD
from jackpot.money.accounts import Account, Reason

TRAY_COUNTED_BY_HAND = Words("Conta della vaschetta", "Tray counted by hand")
TOKENS = Words("Gettoni", "Tokens")
DIFFERENCE = Words("differenza", "difference")
LINKED_JACKPOT_AT_CENTRE = Words(
    "Il jackpot collegato è alla centrale.", "The linked jackpot is at the centre."
)
HERE_TOKENS_TABLE_LESS = Words(
    "Qui: i gettoni di questo tavolo meno", "Here: the tokens of this table, less"
)
ITS_AWARDS_MAY_BE = Words("le sue vincite; anche sotto zero.", "its awards; it may be below zero.")
MOVEMENTS_IN = Words("Movimenti, {0}", "Movements, {0}")
AWARDS_IN = Words("Vincite, {0}", "Awards, {0}")
CORRECTIONS_IN = Words("Correzioni, {0}", "Corrections, {0}")
TO_ACCOUNT = Words("di cui {0}", "to the {1}")
COUNTED_BY = Words("contati da", "counted by")
AT = Words("alle", "at")
BEFORE_COUNTED_AT = Words(
    "Prima contati {0} da {1} alle {2}.", "Before that {1} counted {0} at {2}."
)
ACCOUNT = Words("conto", "account")
OPENING = Words("apertura", "opening")
MOVEMENT = Words("movimento", "movement")
CLOSING = Words("chiusura", "closing")
ACCOUNTS_ADD_UP = Words(
    "I gettoni presi fanno la somma delle altre righe. La casa va sotto zero quando anticipa il "
    "jackpot.",
    "The tokens taken are the sum of the other lines. The house is below zero after it has "
    "advanced the jackpot.",
)
ACCOUNTS_IN = Words("Conti, {0}", "Accounts, {0}")
REASON = Words("motivo", "reason")
NO = Words("n.", "no.")
TIME = Words("ora", "time")
ROUND = Words("mano", "round")
COMBINATION = Words("combinazione", "combination")
WINNERS = Words("vincitori", "winners")
EACH = Words("ciascuno", "each")
TOTAL = Words("totale", "total")
INSPECTOR = Words("ispettore", "inspector")
OUTCOME = Words("esito", "outcome")
LIMIT_IN = Words("limite {0}", "limit {0}")
CURRENCY_CHANGED = Words(
    "Alle {0} la valuta è passata da {1} a {2}. Nessun importo è stato convertito.",
    "At {0} the currency changed from {1} to {2}. No amount was converted.",
)
PRIZES_PAID_IN = Words("Premi pagati, {0}", "Prizes paid, {0}")
FROM_JACKPOT = Words("dal jackpot", "from the jackpot")
FROM_HOUSE = Words("dalla casa", "from the house")
PAID_TO = Words("a quanti", "paid to")
ENVY = Words("envy", "envy")
NONE = Words("Nessuna.", "None.")
PRESENT = Words("presente", "present")
ABSENT = Words("assente", "absent")
EACH_INDENTED = Words("  ciascuno", "  each")
TOTAL_INDENTED = Words("  totale", "  total")
WHO = Words("chi", "who")
WITH = Words("con", "with")
ACCOUNTS = Words("conti", "accounts")
TAKEN = Words("presi", "taken")
RETURNED = Words("resi", "returned")
LEFT = Words("restano", "left")
VALUE_IN = Words("valore {0}", "value {0}")
COUNTED = Words("contati", "counted")
RECORD = Words("sul registro", "on record")
AFTER = Words("  dopo", "  after")
PAID = Words("pagate", "paid")
INSPECTOR_INDENTED = Words("  ispettore", "  inspector")
NOT_COUNTED = Words("Non contata.", "Not counted.")
DROP_RAKE_BOX_EUR = Words("Cassetta della rake, EUR", "Drop: rake box, EUR")
CASH = Words("cash", "cash")
TOURNAMENT = Words("torneo", "tournament")
HANDS = Words("Mani", "Hands")
POTS_AND_RAKE_EUR = Words("Piatti e rake, EUR", "Pots and rake, EUR")
FORM = Words("forma", "form")
HOUSE = Words("casa", "house")
HANDS_OF_A_NIGHT = Words("mani", "hands")
MISDEALS = Words("misdeal", "misdeals")
VOID = Words("mani nulle", "void")
TIME_CALLS = Words("tempo chiamato", "time calls")
THEM_EXPIRED = Words("  di cui scaduto", "  of them expired")
NEW_DEALERS = Words("cambi mazziere", "new dealers")
THEM_EARLY = Words("  di cui in anticipo", "  of them early")
DECK_CHANGES = Words("cambi mazzo", "deck changes")
HANDS_COUNTED = Words("mani contate", "hands counted")
POTS = Words("piatti", "pots")
RAKE_TAKEN = Words("rake presa", "rake taken")
FLOPS_WITHOUT_ENTRY = Words("flop senza piatto", "flops without entry")
SERVICE_STARTED = Words("servizio avviato", "service started")
CONFIGURATION_SHA = Words("Configurazione, SHA-256", "Configuration, SHA-256")
PROGRAM_SHA = Words("Programma {}, SHA-256", "Program {}, SHA-256")
NOT_RECORD = Words("non è nel registro", "not on record")
COUPS = Words("colpi", "coups")
DECLARATIONS = Words("Dichiarazioni", "Declarations")
REFUSED = Words("  rifiutata", "  refused")
ROUND_NUMBER = Words("mano {0}", "round {0}")
TIME_STAMP = Words("Marca temporale", "Time stamp")
LAST_RECORD = Words("Ultima registrazione: {0}", "Last record: {0}")
BORDEREAU_ROUNDS = Words("Bordereau di mani", "Bordereau of rounds")
CLOSED = Words("chiuso", "closed")
UNTIL = Words("fino a", "until")
CARDS = Words("Carte", "Cards")
FAULTS = Words("Guasti", "Faults")
BEFORE = Words("prima", "before")
SERVICE_KEY_AT_S = Words("Manutenzione (chiave in S)", "Service (key at S)")
STILL = Words("ancora", "still")
DAY_AND_TIME = Words("data", "at")
SERIAL_NUMBER = Words("numero", "serial number")
FROM = Words("da", "from")
SIGNED_COUNTER = Words("firmata {0}, contatore {1}", "signed {0}, counter {1}")
KEY = Words("chiave:", "key:")
SIGNATURE = Words("firma:", "signature:")
SIMULATION = Words("SIMULAZIONE", "SIMULATION")
SIMULATION_NO_REAL_MONEY = Words("SIMULAZIONE: NESSUN DENARO VERO", "SIMULATION: NO REAL MONEY")
NOT_CLOSED_YET = Words("NON ANCORA CHIUSO", "NOT CLOSED YET")
DOES_NOT_ADD_UP = Words("NON QUADRA: {0}", "DOES NOT ADD UP: {0}")
WITH_TOKENS = Words("con gettoni", "with tokens")
OPENED = Words("aperto", "opened")
ROUNDS = Words("mani", "rounds")
RECORDS = Words("registrazioni", "records")
PHASE = Words("fase", "phase")
NIGHT = Words("Notte", "Night")
ROUNDS_TITLE = Words("Mani", "Rounds")
TABLE = Words("tavolo", "table")
GAME = Words("gioco", "game")
DECLARATION = Words("dichiarazione", "declaration")
FAULT = Words("guasto", "fault")
FIRST_AT = Words("la prima dalle", "first from")
LAST_UNTIL = Words("l'ultima fino alle", "last until")
FROM_TIME = Words("dalle", "from")
TO = Words("alle", "to")
CLEARED_BY = Words("azzerato da", "cleared by")
NONE_AT_ALL = Words("Nessuno.", "None.")
AT_LINE = Words("al terminale", "at the line")
OTHERS_TABLE_LOCKED = Words("Altri, tavolo bloccato", "Others, table locked")
ACTS_REFUSED = Words("Atti rifiutati", "Acts refused")
NOTICED = Words("Anomalie", "Noticed")
LOGINS_BY_NAME_AND = Words("Accessi con nome e PIN", "Logins by name and PIN")
WRONG_PINS = Words("PIN sbagliati", "Wrong PINs")
NOT_SIGNED_TABLE_NO = Words(
    "non firmata: il tavolo non ha chiave", "not signed: the table has no key"
)
KEY_FILE_WITHOUT_TPM = Words("chiave in un file, senza TPM", "key in a file, without a TPM")
CROUPIER = Words("croupier", "croupier")
FLOOR_MANAGER = Words("capotavolo", "floor manager")
CONTROLLER = Words("controllo", "controller")
REMARKS = Words("Osservazioni", "Remarks")
NUMBER = Words("documento n.", "document no.")
TIMES = Words("volte", "times")
CASH_DESK = Words("cassa", "cash desk")
TOKEN_IN = Words("gettone {0}", "token {0}")
JACKPOT = Words("al jackpot", "to the jackpot")
RESERVE = Words("alla riserva", "to the reserve")
DECKS_READY = Words("mazzi pronti", "decks ready")
SHOES_LOADED = Words("sabot caricati", "shoes loaded")
CARDS_DRAWN = Words("carte uscite", "cards drawn")
LINKED_JACKPOT = Words("jackpot collegato", "linked jackpot")
BASE_IN = Words("base {0}", "base {0}")
CARDS_DEALT = Words("carte date", "cards dealt")
NONE_BECAUSE = Words("Nessuna: ", "None: ")
GAMING_DAY = Words("Giornata di gioco", "Gaming day")
STAKES_BY_TABLE_IN = Words("Gettoni per tavolo, {0}", "Tokens by table, {0}")
AWARD_NUMBER = Words("vincita {0}", "award {0}")
TABLES = Words("tavoli", "tables")
LAST_ACT = Words("Ultimo atto: {0}", "Last act: {0}")
ACT_COVERS = Words(
    "L'impronta fissa gli atti fino a questo e le chiamate dei tavoli; i tavoli la conservano.",
    "The hash fixes the acts up to this one and the tables' calls; the tables keep it.",
)
DAY_NOT_OVER = Words("NON ANCORA FINITA", "NOT OVER YET")
DAY_FORMAT = Words("%d/%m/%Y", "%Y-%m-%d")
DAY_AND_CLOCK_FORMAT = Words("%d/%m/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")

ACCOUNTS_ON_PAPER: Mapping[Account, Words] = {
    **ACCOUNTS_ON_RECORD,
    Account.TRAY: Words("gettoni presi", "tokens taken"),
    Account.PENDING: Words("da pagare", "to be paid"),
    Account.POTS: Words("rake dai piatti", "rake out of pots"),
}
"""As a cash desk reads them; what came in (`TURNED`) is above zero."""

TURNED = frozenset({Account.TRAY, Account.POTS})
"""The accounts that money comes from: on record they are below zero."""

REASONS: Mapping[Reason, Words] = {
    Reason.OPENING: Words("valore d'apertura", "opening value"),
    Reason.STAKE: Words("gettoni", "tokens"),
    Reason.TOKEN_RETURNED: Words("gettoni resi", "tokens returned"),
    Reason.AWARD_PENDING: Words("vincite sospese", "awards pending"),
    Reason.AWARD_RAISED: Words("altri vincitori", "more winners"),
    Reason.AWARD_FINAL: Words("vincite pagate", "awards paid"),
    Reason.AWARD_CANCELLED: Words("vincite annullate", "awards cancelled"),
    Reason.RESEED: Words("ripresa dalla base", "start from the base"),
    Reason.CORRECTION: Words("correzioni", "corrections"),
    Reason.RAKE: Words("rake", "rake"),
    Reason.RAKE_RETURNED: Words("rake stornata", "rake reversed"),
    Reason.LEFT: Words("lasciato al jackpot collegato", "left to the linked jackpot"),
}

LINK_REASONS: Mapping[str, Words] = {
    **{reason.value: words for reason, words in REASONS.items()},
    "join": Words("portato da un tavolo", "brought by a table"),
    "reseed_returned": Words("base restituita", "base returned"),
    "addition": Words("aggiunte", "additions"),
    "overflow": Words("oltre il limite", "beyond the limit"),
    "overflow_returned": Words("reso da oltre il limite", "returned from beyond the limit"),
    "transfer": Words("fra jackpot", "between jackpots"),
}
"""Why money moves at the centre of a linked jackpot."""

NOTED: Mapping[str, Words] = {
    "token-late": Words("gettoni in ritardo", "late tokens"),
    "token-stuck": Words("gettoni incastrati", "stuck tokens"),
    "token-unaccounted": Words("gettoni mancanti", "tokens missing"),
    "drop-unexplained": Words("cadute non spiegate", "drops not explained"),
    "drop-in-service": Words("cadute in manutenzione", "drops in service"),
    "tray-differs": Words("differenze vaschetta", "tray differences"),
    "card-changed": Words("carte cambiate", "cards changed"),
}
