"""What the technician's line says of the table's status, its faults and its log."""

from console.texts.language import Words

ACCEPTED = Words("accettati", "accepted")
STUCK = Words("INCASTRATI", "STUCK")
CHANGED_CARD = Words("carta cambiata", "changed card")
VOID = Words("nulli", "void")
TOKEN = Words("gettone", "token")
COVERED = Words("coperti", "covered")
UP_LEDGER_OPENING = Words("da {0}, apertura {1} del registro", "up {0}, ledger opening {1}")
AND_MORE_FAULTS = Words("e altri {0}: guasti", "and {0} more: faults")
LOST_WOULD_SHOW = Words("(scollegato) atteso ", "(lost) would show ")
STALL = Words("stallo", "stall")
COMMIT = Words("disco", "commit")
FREE = Words("liberi", "free")
HEAT = Words("temperatura", "heat")
TABLE = Words("tavolo", "table")
RELEASE = Words("versione", "release")
RELEASE_KEY = Words("chiave", "key")
RELEASE_SINCE = Words("dal {0}: {1}, {2}", "since {0}: {1}, {2}")
NO_RELEASE = Words(
    "nessuna: i file non sono confrontati con un elenco firmato",
    "none: its files are not compared with a signed list",
)
SIGNED = Words("firma", "signed")
KEY = Words("chiave", "key")
FAULT = Words("GUASTO", "FAULT")
WHAT_CHECK_FAULTS = Words("cosa controllare: guasti", "what to check: faults")
NOTICED = Words("ANOMALIA", "NOTICED")
ROUND = Words("mano", "round")
MONEY = Words("conti", "money")
OUTPUTS_DRIVEN_BY_HAND = Words("  USCITE COMANDATE A MANO", "  OUTPUTS DRIVEN BY HAND")
CANNOT_BE_READ = Words("illeggibile", "cannot be read")
PHASE = Words("fase", "phase")
SINCE = Words(" (dalle {0})", " (since {0})")
LINES = Words("linee", "lines")
ACTS_WAITING = Words("atti in attesa", "acts waiting")
SERVICE = Words("servizio", "service")
FOR = Words("per", "for")
FAULTS = Words("guasti", "faults")
NONE = Words("nessuno", "none")
AWARD = Words("vincita", "award")
ENTERED = Words("entrato", "entered")
THEN = Words(" (poi: {0})", " (then: {0})")
DOWN = Words("MANCA: ", "DOWN ")
UP = Words("collegati: ", "up ")
CHOSEN = Words("scelta", "chosen")
CORRECT_CONFIGURATION_BANCO_CHECK = Words(
    "correggere la configurazione (banco check FILE), poi {0}",
    "correct the configuration (banco check FILE), then {0}",
)
CORRECT_KEY_OR_MOVE = Words(
    "correggere quella chiave in {0}, o spostare il file (allora vale quel che è agli "
    "atti), poi {1}",
    "correct that key in {0}, or move the file away (then what is on record counts), then {1}",
)
MAKE_ROOM_DISK_DF = Words(
    "fare posto sul disco (df, journalctl --vacuum-size=50M), poi avviare",
    "make room on the disk (df, journalctl --vacuum-size=50M), then start it",
)
HELD_BY_PROCESS = Words("lo tiene il processo ", "held by process ")
MB_FREE = Words("MB liberi", "MB free")
PROCESS_HOLDS_LEDGER_ALIVE = Words(
    "il processo che tiene il registro vive: attendere 10 s, poi fermarlo (systemctl "
    "restart banco, o la prova rimasta aperta)",
    "the process that holds the ledger is alive: wait 10 s, then end it (systemctl restart "
    "banco, or the trial left running)",
)
NO_ANSWER = Words("non risponde: ", "no answer: ")
SIMULATION_ENDED_BANCO_RUN = Words(
    "la simulazione è finita: banco run --sim",
    "the simulation has ended: banco run --sim",
)
ORDER = Words("in ordine", "in order")
SERVICE_STOPPED_SYSTEMCTL_START = Words(
    "il servizio è fermo: systemctl start banco; se si arresta di nuovo, log dice perché",
    "the service is stopped: systemctl start banco; if it stops again, log says why",
)
SERVICE_STOPPED_READ_JOURNAL = Words(
    "il servizio è fermo: leggere il journal qui sopra, poi systemctl start banco",
    "the service is stopped: read the journal above, then systemctl start banco",
)
PRESENT_FAULT = Words("guasto", "fault")
REFUSAL = Words("rifiuto", "refusal")
PRESENT_FINDING = Words("anomalia", "noticed")
RAISED = Words("si presenta", "raised")
MEANWHILE = Words("intanto", "meanwhile")
DO = Words("da fare", "do")
CLEARS = Words("rientra", "clears")
SINCE_TIME = Words("dalle {0}", "since {0}")
NO_FAULTS_NO_FINDINGS = Words("Nessun guasto, nessuna anomalia.", "No faults, no findings.")
CHECK = Words("controllare:", "check:")
SERVICE_TITLE = Words("SERVIZIO", "SERVICE")
CONFIG = Words("CONFIG", "CONFIG")
CONFIG_IN_ORDER = Words("config", "config")
LOCK = Words("BLOCCO", "LOCK")
LEDGER = Words("registro", "ledger")
DISK = Words("disco", "disk")
NOT_READ = Words("non letto", "not read")
JOURNAL = Words("journal", "journal")
TO_DO = Words("DA FARE", "TO DO")
NO_CODE = Words("nessun codice {0}", "no code {0}")
NO_LINES = Words("Nessuna riga.", "No lines.")
FROM_JOURNAL = Words("Dal journal:", "From the journal:")
SERVICE_DOES_NOT_ANSWER = Words("Il servizio non risponde: ", "The service does not answer: ")
UP_LEDGER_OPENING_COMMIT = Words(
    "in funzione da {0}, apertura {1} del registro", "up {0}, ledger opening {1}"
)
PROGRAM = Words("programma", "program")
HOST = Words("macchina", "host")
