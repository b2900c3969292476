"""What the technician's line says of accounts, rounds, declarations and settings."""

from console.texts.language import Words

SINCE_THE_BEGINNING = Words("dall'inizio", "since the beginning")
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
POKER = Words("poker:", "poker:")
SETTINGS_VERSION = Words("Impostazioni, versione {0}", "Settings, version {0}")
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
