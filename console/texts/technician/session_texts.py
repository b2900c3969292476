"""What the technician's line says of commands, people and sessions, program and ledger."""

from console.texts.language import Words

EXAMPLE = Words("esempio", "example")
COMMAND_TABLE = Words(
    "| comando | in inglese | che cosa fa |", "| command | in Italian | what it does |"
)
LISTED = Words("aiuto li elenca.", "help lists them.")
PERHAPS = Words("Forse: {0}", "Perhaps: {0}")
NO_COMMAND = Words("comando sconosciuto: {0}.", "no command {0}.")
WHICH_ONE = Words("quale: {0}?", "which one: {0}?")
WHAT_WRONG = Words("Che cosa non va", "What is wrong")
TESTING_CABINET_OUTPUTS_KEY = Words(
    "Provare il mobile (le uscite: chiave in S)",
    "Testing the cabinet (outputs: key at S)",
)
MAKING_CHANGES_NAME_AND = Words("Modificare (con nome e PIN)", "Making changes (with name and PIN)")
POKER = Words("Il poker", "Poker")
PROGRAM_AND_LINE = Words("Il programma e questa linea", "The program and this line")
SECOND = Words("Nome del cassiere che conferma: ", "Name of the cashier who confirms: ")
LANGUAGES_ARE_AND_EN = Words("le lingue sono it e en", "the languages are it and en")
ENGLISH = Words("Italiano.", "English.")
PIN_ASKED_HIDDEN = Words("il PIN si scrive dopo, nascosto", "the PIN is asked for, hidden")
NOBODY_ENTERED = Words("Nessuno è entrato.", "Nobody has entered.")
NAME = Words("Nome: ", "Name: ")
HELP_ONE_COMMAND = Words("aiuto di un comando solo", "help for one command")
NUMBER_FROM = Words("un numero da {0} a {1}", "a number from {0} to {1}")
TAKES_NO_ARGUMENTS = Words("senza argomenti", "it takes no arguments")
BOARD_SAYS_SLOT_LAMP = Words(
    "! la scheda dice: la lampada dello slot {0} non assorbe corrente",
    "! the board says: the slot lamp of seat {0} draws no current",
)
NOW_KEY_AT_TABLE = Words("Ora: chiave in {0}, tavolo in {1}.", "Now: key at {0}, table {1}.")
OUTPUTS_ARE_NO_LONGER = Words(
    "le uscite non sono piu' comandate: chiave via da S, o tempo scaduto",
    "the outputs are no longer driven: the key has left S, or time is up",
)
OUTPUTS_MAY_STILL_BE = Words(
    "uscite non rilasciate: forse sono ancora comandate (stato)",
    "the outputs are not released: they may still be driven (status)",
)
END = Words("fine", "the end")
SERVICE_DOES_NOT_ANSWER = Words("Il servizio non risponde", "The service does not answer")
HALF_HOUR_WITHOUT_KEY = Words("mezz'ora senza un tasto", "half an hour without a key")
SIMULATION_NO_REAL_TABLE = Words(
    "SIMULAZIONE: non è un tavolo vero, non c'è denaro vero.",
    "SIMULATION: this is no real table, and no real money is in it.",
)
TABLE = Words("tavolo", "table")
ENTERED_MINUTES = Words(
    "Entra {0} ({1}), per {2} minuti.", "{0} has entered ({1}), for {2} minutes."
)
PIN_ENDS = Words(
    "Il PIN di {0} vale fino al {1}: cambiarlo con banco pin {0}.",
    "The PIN of {0} opens until {1}: change it with banco pin {0}.",
)
NEEDS_NAME_AND_PIN = Words(
    "Servono nome e PIN (Invio: annulla).",
    "This needs a name and a PIN (Enter: cancel).",
)
Q_END = Words("(q: fine)", "(q: end)")
CONFIGURATION_NOT_READ_END = Words(
    "la configurazione non è stata letta: finire, e avviare banco diag --config FILE",
    "the configuration was not read: end, and start banco diag --config FILE",
)
LEDGER_FOLDER_NOT_KNOWN = Words(
    "la cartella del registro non è nota: avviare con --ledger",
    "the ledger's folder is not known: start with --ledger",
)
TABLE_RUNS_WITHOUT_CONFIGURATION = Words(
    "questo tavolo gira senza file di configurazione",
    "this table runs without a configuration file",
)
KEY = Words("chiave", "key")
FAULTS = Words("guasti: ", "faults: ")
STATUS_BEGIN_HERE_HELP = Words(
    "stato: da qui si comincia. aiuto: i comandi. language en: English.",
    "status: begin here. help: the commands. lingua it: italiano.",
)
NO_SERVICE_STATUS = Words("NESSUN SERVIZIO (stato)", "NO SERVICE (status)")
NOTICED = Words("notate", "noticed")
INTERNAL_ERROR = Words("errore del programma", "internal error")
NONE = Words("nessuno", "none")
LOOKS_LIKE_PIN_TYPE = Words(
    "Sembra un PIN: prima digitare entra.",
    "That looks like a PIN: type enter first.",
)
ASKS_SOMEBODY = Words(
    "Questo comando fa domande: scriverlo dopo banco diag.",
    "This command asks questions: type it after banco diag.",
)
INTERRUPTED = Words("interrotto", "interrupted")
NOT_DONE_WITHIN = Words("non finito in {0:g} s", "not done within {0:g} s")
WHY_STATUS = Words("Perché: stato", "Why: status")
USAGE = Words("uso: ", "usage: ")
Y_YES_ENTER_NO = Words("(s: sì, Invio: no)", "(y: yes, Enter: no)")
YES_OR_NO = Words("Sì o no?", "Yes or no?")


PROGRAM = Words("programma", "program")
LEDGER = Words("registro", "ledger")
SETTINGS = Words("imposta.", "settings")
ALL_ORDER = Words("Tutto in ordine.", "All in order.")
CANNOT_BE_VERIFIED = Words("non verificabile: {0}", "cannot be verified: {0}")
NOT_ORDER = Words("NON IN ORDINE.", "NOT IN ORDER.")
NOTHING_COULD_BE_VERIFIED = Words("Niente si è potuto verificare.", "Nothing could be verified.")
NOTHING_WRONG_BUT_NOT = Words(
    "Niente di sbagliato, ma non tutto si è potuto verificare (?).",
    "Nothing is wrong, but not everything could be verified (?).",
)
FAIL = Words("NO", "FAIL")
VERSION_FILES_AS_INSTALLED = Words(
    "versione {0}, {1} file come installati", "version {0}, {1} files as installed"
)
RELEASE_FILES_AS_SIGNED = Words(
    "versione {0}, {1} file come firmati: {2}, chiave {3}",
    "release {0}, {1} files as signed: {2}, key {3}",
)
RECORDS_LAST = Words("{0} record, l'ultimo è {1} {2}", "{0} records, the last is {1} {2}")
KEYS = Words("{0}: {1} chiavi", "{0}: {1} keys")
NO_MISTAKES_WHAT_FORCE = Words(
    "{0}: senza errori; che cosa vale non si sa, il servizio non risponde",
    "{0}: no mistakes; what is in force is not known, the service is silent",
)
DAMAGED = Words("danneggiato", "damaged")
MISTAKES = Words("con errori", "with mistakes")
PROGRAM_LEDGER_SETTINGS = Words("programma, registro, impostazioni", "program, ledger, settings")
ONE = Words("che cosa: {0}", "one of {0}")
