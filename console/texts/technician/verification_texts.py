"""What the technician's line says of the installed program and the ledger."""

from console.texts.language import Words

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
