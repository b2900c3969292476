"""What the display says of faults and refusals: croupiers know these texts; none changes."""

from console.rules.codes import Fault, Refusal
from console.rules.display_texts import COLUMNS
from console.texts.catalogue.entries import SHARED
from console.texts.display import ENGLISH, ITALIAN

FAULTS = {
    "RAIL_LOST": ("GUASTO GETTONIERA", "COIN RAIL LOST"),
    "PANEL_LOST": ("GUASTO CONSOLLE", "PANEL LOST"),
    "DISPLAY_LOST": ("GUASTO DISPLAY", "DISPLAY LOST"),
    "SHUFFLER_LOST": ("GUASTO MESCOLATORE", "SHUFFLER LOST"),
    "SHOE_LOST": ("GUASTO SABOT", "SHOE LOST"),
    "KEY_FAULT": ("GUASTO CHIAVE", "KEY FAULT"),
    "CONTACT_UNSTEADY": ("CONTATTO INSTABILE", "CONTACT UNSTEADY"),
    "TOKEN_STUCK": ("GETTONE INCASTRATO", "TOKEN STUCK"),
    "TRAY_COUNT": ("CONTARE VASCHETTA", "COUNT THE TRAY"),
    "TOKENS_UNKNOWN": ("GETTONI DA CONTARE", "COUNT THE TOKENS"),
    "SENSOR_UNSTEADY": ("SENSORE INSTABILE", "SENSOR UNSTEADY"),
    "DROP_SENSOR": ("SENSORE CADUTA", "DROP SENSOR"),
    "ACCEPTOR_CHANGED": ("GETTONIERA CAMBIATA", "ACCEPTOR CHANGED"),
    "BOARD_CHANGED": ("SCHEDA CAMBIATA", "BOARD CHANGED"),
    "DOOR_OPEN": ("MOBILE APERTO", "DOOR OPEN"),
    "CARD_COUNT": ("NUMERO CARTE ERRATO", "CARD COUNT"),
    "DECK_REPEATED": ("MAZZO RIPETUTO", "DECK REPEATED"),
    "DRAW_ERROR": ("TIRAGGIO ERRATO", "DRAW ERROR"),
    "PROGRAM_CHANGED": ("PROGRAMMA CAMBIATO", "PROGRAM CHANGED"),
    "COUNTERPART_CHANGED": ("COPIA O SIGILLO?", "COPY OR SEAL?"),
    "LEDGER_FAULT": ("REGISTRO GUASTO", "LEDGER FAULT"),
    "LEDGER_CORRUPT": ("REGISTRO ALTERATO", "LEDGER CORRUPT"),
    "LINK_LOST": ("LINK ASSENTE", "NO LINK"),
    "LINK_FORKED": ("LINK: ALTRO REGISTRO", "LINK: OTHER LEDGER"),
    "LINK_BEHIND": ("CENTRALE INDIETRO", "LINK: CENTRE BEHIND"),
    "CLOCK_LOST": ("OROLOGIO PERSO", "CLOCK LOST"),
    "LINK_SETTINGS": ("LINK: IMPOSTAZIONI", "LINK: SETTINGS"),
}

REFUSALS = {
    "NOT_OPEN": ("TAVOLO NON APERTO", "TABLE NOT OPEN"),
    "ALREADY_OPEN": ("TAVOLO GIA' APERTO", "TABLE ALREADY OPEN"),
    "COLLECTING": ("RACCOLTA IN CORSO", "COLLECTING TOKENS"),
    "AWARD_PENDING": ("VINCITA IN SOSPESO", "AWARD PENDING"),
    "NO_COMBINATION": ("SCEGLI COMBINAZIONE", "CHOOSE COMBINATION"),
    "KEY_NOT_IN_RUN": ("CHIAVE NON IN R", "KEY NOT IN R"),
    "WRONG_KEY": ("CHIAVE ERRATA", "WRONG KEY"),
    "NOBODY_ELIGIBLE": ("NESSUNO HA DIRITTO", "NOBODY ELIGIBLE"),
    "INSPECTOR_ABSENT": ("MANCA L'ISPETTORE", "INSPECTOR ABSENT"),
    "LOCKED": ("TAVOLO BLOCCATO", "TABLE LOCKED"),
    "IN_SERVICE": ("IN MANUTENZIONE", "IN SERVICE"),
    "SEAT_NOT_PLAYING": ("POSTO NON IN GIOCO", "SEAT NOT PLAYING"),
    "NO_AWARD": ("NESSUNA VINCITA", "NO AWARD"),
    "NO_HAND": ("NESSUNA MANO", "NO HAND IS PLAYED"),
    "NOT_IN_SERVICE": ("CHIAVE NON IN S", "KEY NOT IN S"),
    "NOT_CLEARABLE": ("NON AZZERABILE", "CANNOT BE CLEARED"),
    "STILL_FAULTY": ("GUASTO PERSISTENTE", "STILL FAULTY"),
    "DOOR_OPEN": ("MOBILE APERTO", "DOOR OPEN"),
    "NOT_COVERED": ("IMPORTO NON COPERTO", "AMOUNT NOT COVERED"),
    "LINK_ASKED": ("ATTENDERE", "WAIT"),
    "LINK_LOST": ("LINK ASSENTE", "NO LINK"),
    "JACKPOT_CHANGED": ("JACKPOT CAMBIATO", "JACKPOT CHANGED"),
    "LINKED": ("TAVOLO COLLEGATO", "LINKED TABLE"),
    "ROUND_CLOSED": ("MANO CHIUSA", "ROUND CLOSED"),
    "NOT_THE_TERMS": ("FUORI REGOLA", "NOT THE TERMS"),
    "AWARD_FINAL": ("VINCITA DEFINITIVA", "AWARD FINAL"),
    "NO_FLOP": ("NO FLOP - NO DROP", "NO FLOP - NO DROP"),
    "MISDEAL_LATE": ("FLOP GIA' USCITO", "FLOP IS OUT"),
    "WRONG_STREET": ("STRADA NON VALIDA", "WRONG STREET"),
    "NOT_DEALT": ("CARTE NON DATE", "CARDS NOT DEALT"),
    "POT_EMPTY": ("PIATTO VUOTO", "POT IS EMPTY"),
    "NO_DECK": ("MAZZO NON PRONTO", "NO DECK READY"),
    "ON_BREAK": ("TORNEO IN PAUSA", "ON BREAK"),
    "HAND_FOR_HAND": ("ATTENDERE IL VIA", "WAIT FOR GO"),
    "HAND_RUNNING": ("MANO IN CORSO", "HAND IN PLAY"),
    "TOO_LATE": ("TROPPO TARDI", "TOO LATE"),
    "HOUSE_RULE": ("NON IN QUESTA CASA", "NOT IN THIS HOUSE"),
    "NO_CLOCK": ("NIENTE OROLOGIO", "NO CLOCK"),
}


def test_every_fault_is_shown_as_it_always_was() -> None:
    """POKER 20.12"""
    shown = {fault.value: (ITALIAN.faults[fault], ENGLISH.faults[fault]) for fault in Fault}
    assert shown == FAULTS


def test_every_refusal_is_shown_as_it_always_was() -> None:
    shown = {
        refusal.value: (ITALIAN.refusals[refusal], ENGLISH.refusals[refusal]) for refusal in Refusal
    }
    assert shown == REFUSALS


def test_each_text_fits_a_line_and_is_the_only_one_of_its_language() -> None:
    for texts in (ITALIAN, ENGLISH):
        refusals = {code: text for code, text in texts.refusals.items() if code not in SHARED}
        shown = [*texts.faults.values(), *refusals.values()]
        assert len(set(shown)) == len(shown)
        assert all(text.isascii() and 0 < len(text) <= COLUMNS for text in shown)
