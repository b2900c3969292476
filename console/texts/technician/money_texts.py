"""What the technician's line says of accounts, rounds, declarations and settings."""

from console.texts.language import Words

SINCE_THE_BEGINNING = Words("dall'inizio", "since the beginning")
SINCE_ARCHIVE = Words("dall'ultimo archivio", "since the last archive")
TO_JACKPOT = Words("al jackpot", "to the jackpot")
TO_RESERVE = Words("alla riserva", "to the reserve")
TO_HOUSE = Words("alla casa", "to the house")
HITS = Words("{0} volte, {1} vincitori, {2}", "{0} hits, {1} winners, {2}")
LIFE_OR_NOTHING = Words("`contatori`, o `contatori vita`", "`meters`, or `meters life`")
TABLE_PART_LINKED_JACKPOT = Words(
    "parte di questo tavolo; il jackpot collegato: centrale",
    "this table's part; the linked jackpot: centre",
)
SINCE_TRAY_LAST_COUNTED = Words(
    "dall'ultima conta della vaschetta", "since the tray was last counted"
)
SINCE_RAKE_BOX_LAST = Words(
    "dall'ultima conta della cassetta del rake",
    "since the rake box was last counted",
)
ACCOUNTS = Words("conti", "accounts")
HANDS_AND_TOKENS = Words("mani e gettoni:", "hands and tokens:")
CARDS = Words("carte:", "cards:")
DOORS = Words("il mobile:", "the cabinet:")
POKER = Words("poker:", "poker:")
ADOPTED_BY_NEXT_START = Words("dal prossimo avvio:", "adopted by the next start:")
CAN_BE_CHANGED_HERE = Words(
    "si possono cambiare qui (settings CHIAVE VALORE):",
    "can be changed here (settings KEY VALUE):",
)
FILE_ONLY_BY_ROOT = Words("solo nel file, da root:", "in the file only, by root:")
HANDS = Words("mani", "hands")
RAKE = Words("rake", "rake")
FAULTS = Words("guasti", "faults")
ROUNDS = Words("mani", "rounds")
TOKENS = Words("gettoni", "tokens")
AWARDS = Words("vincite", "awards")
ROUND = Words("mano", "round")
LEDGER = Words("registro", "ledger")
FROM_AMOUNT_ACCOUNTS = Words("DA A IMPORTO, conti: {0}", "FROM TO AMOUNT, accounts: {0}")
REASON = Words("Motivo: ", "Reason: ")
CAUSE_BEEN_REMOVED_CLEAR = Words(
    "Causa di {0} eliminata? Azzerare?",
    "Has the cause of {0} been removed? Clear it?",
)
CLEARED_RECORD = Words("Azzerato, è nel registro.", "Cleared, it is on record.")
WHAT = Words("che cosa? ", "what? ")
TECHNICIAN_CLEARS = Words("il tecnico azzera ", "the technician clears ")
SERVICE_STOPS_AND_STARTS = Words(
    "Il servizio si arresta e riparte da dov'era. Riavviare?",
    "The service stops and starts again where it was. Restart?",
)
BACK_AFTER_S_SETTINGS = Words(
    "Attivo dopo {0:.0f} s: {1}, impostazioni {2}.",
    "Back after {0:.0f} s: {1}, settings {2}.",
)
NO_KEY = Words("nessuna chiave {0}", "no key {0}")
WRITTEN_NEXT_START_ADOPTS = Words(
    "Scritto; vale dal prossimo avvio.", "Written; the next start adopts it."
)
FROM_THE_NEXT_JACKPOT = Words("dal prossimo jackpot:", "from the next jackpot:")
WRITE_NEXT_JACKPOT = Words(
    "Metterlo agli atti per il prossimo jackpot?", "Put it on record for the next jackpot?"
)
ON_RECORD_FOR_NEXT_JACKPOT = Words(
    "Agli atti; vale quando il jackpot è vinto e la mano è finita.",
    "On record; it counts once the jackpot is won and that round over.",
)
RESTART_NOW = Words("Riavviare adesso?", "Restart now?")
RESTARTING = Words("Riavvio...", "Restarting...")
NOT_BACK_AFTER_S = Words(
    "Dopo {0:.0f} s non risponde ancora: stato dice perché.",
    "It is not back after {0:.0f} s: status says why.",
)
NOTHING_WRITTEN = Words("Niente è stato scritto.", "Nothing was written.")
WRITE_NEXT_START = Words("Scrivere per il prossimo avvio?", "Write it for the next start?")
