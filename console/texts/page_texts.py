"""What the pages' servers say in both languages."""

from console.texts.language import Words

NO_SUCH = Words("Non è nel registro.", "It is not on record.")
TOO_MUCH = Words(
    "Troppo lungo per una pagina: si stampa con banco report.",
    "Too long for a page: print it with banco report.",
)
NOT_READ = Words("Il registro ora non si può leggere.", "The ledger cannot be read now.")
BUSY = Words(
    "Il registro è occupato: riprovare fra poco.",
    "The ledger is busy: ask again soon.",
)
NOT_ASKED = Words("La domanda non è chiara.", "This question is not understood.")
NO_PDF = Words(
    "Qui il PDF non si può fare: manca la libreria fpdf2 ({0}). Il testo dice le stesse cose.",
    "A PDF needs the library fpdf2, which is not installed: {0}. The text says the same.",
)
PDF_LIBRARIES_CHANGED = Words(
    "Qui il PDF non si può fare: {0} non è più come è stato firmato ({1}). Reinstallare "
    "banco-report. Il testo dice le stesse cose.",
    "No PDF can be made here: {0} is not as it was signed: {1}. Install banco-report again. The "
    "text says the same.",
)
AS_TEXT = Words("Bordereau come testo", "The bordereau as text")
NO_PAGE = Words("A questo indirizzo non c'è nessuna pagina.", "There is no page at this address.")
TO_START = Words("Alla pagina iniziale", "To the first page")
BACK = Words("Torna alla pagina", "Back to the page")
HOUSES_CASH_GAME = Words("Case con il gioco cash: {0}.", "Houses with a cash game: {0}.")
POTS_AMOUNTS_SUCH_AS = Words(
    "Piatti: importi come 100 o 12,50, il principale per primo, separati da spazi.",
    "Pots: amounts such as 100 or 12.50, the main pot first, separated by blanks.",
)
RATE_FROM_SUCH_AS = Words(
    "Percentuale: da 0 a 100, come 2,5, con due decimali al massimo.",
    "Rate: from 0 to 100, such as 2.5, with two decimals at most.",
)
FIXED_PART_AMOUNT_SUCH = Words(
    "Parte fissa: un importo come 2 o 1,50.",
    "Fixed part: an amount such as 2 or 1.50.",
)
CAP_WHOLE_EURO_SUCH = Words(
    "Massimo: euro interi come 30, o secondo i giocatori come 2:10 5:20 7:30.",
    "Cap: whole euro such as 30, or by players such as 2:10 5:20 7:30.",
)
PLAYERS_FROM_NEEDED_WHERE = Words(
    "Giocatori: da {0} a {1}; occorrono se il massimo ne dipende.",
    "Players: from {0} to {1}; needed where the cap depends on them.",
)
HOUSE_DOES_NOT = Words("Questa casa non lo prevede.", "This house does not have that.")
NOT_SAFE = Words(
    "Qui un PIN viaggerebbe in chiaro sulla rete: si entra solo con TLS, o da questa macchina.",
    "A PIN would cross the network in the clear: enter over TLS, or at this machine.",
)
NOT_UNDERSTOOD = Words("Servono un nome e un PIN.", "A name and a PIN are needed.")
NOT_ENTERED = Words("Bisogna entrare con nome e PIN.", "Enter with name and PIN.")
NAME_OR_PIN_WRONG = Words("Il nome o il PIN è sbagliato.", "The name or the PIN is wrong.")
PIN_TOO_OLD = Words(
    "Questo PIN è troppo vecchio: prima cambiarlo (banco pin).",
    "This PIN is too old: change it first (banco pin).",
)
NO_PIN_READ_NAME = Words(
    "Per questo nome ora non si legge nessun PIN.",
    "No PIN is read for this name now.",
)
NOBODY_CAN_ENTER_LIST = Words(
    "Nessuno può entrare: l'elenco delle persone è vuoto o non si può leggere (banco "
    "enrol). Il diario del servizio dice perché.",
    "Nobody can enter: the list of people is empty or cannot be read (banco enrol). The "
    "service's journal says why.",
)
NO_TITLE = Words("", "")
