"""Every code in brief: what a running service needs of the catalogue.

What to do about a code stands in faults.toml, refusals.toml and findings.toml: a running service
reads none of them.
"""

from collections.abc import Mapping

from msgspec import Struct

from console.rules.codes import Fault, Refusal
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Words


class CodeBrief(Struct, frozen=True):
    """A code on the display, at most 20 ASCII characters, and its meaning in one line."""

    short: Words
    means: Words


FAULTS: Mapping[Fault, CodeBrief] = {
    Fault.RAIL_LOST: CodeBrief(
        Words("GUASTO GETTONIERA", "COIN RAIL LOST"),
        Words("la gettoniera non risponde o è scollegata", "the coin rail is silent or unplugged"),
    ),
    Fault.PANEL_LOST: CodeBrief(
        Words("GUASTO CONSOLLE", "PANEL LOST"),
        Words("la consolle è scollegata", "the dealer panel is unplugged"),
    ),
    Fault.DISPLAY_LOST: CodeBrief(
        Words("GUASTO DISPLAY", "DISPLAY LOST"),
        Words("il display è spento o scollegato", "the display is off or unplugged"),
    ),
    Fault.SHUFFLER_LOST: CodeBrief(
        Words("GUASTO MESCOLATORE", "SHUFFLER LOST"),
        Words("il mescolatore non risponde o è scollegato", "the shuffler is silent or unplugged"),
    ),
    Fault.SHOE_LOST: CodeBrief(
        Words("GUASTO SABOT", "SHOE LOST"),
        Words("il sabot non risponde o è scollegato", "the shoe is silent or unplugged"),
    ),
    Fault.KEY_FAULT: CodeBrief(
        Words("GUASTO CHIAVE", "KEY FAULT"),
        Words("la posizione della chiave non si legge", "the key selector cannot be read"),
    ),
    Fault.CONTACT_UNSTEADY: CodeBrief(
        Words("CONTATTO INSTABILE", "CONTACT UNSTEADY"),
        Words(
            "un contatto della consolle va e viene, e non è creduto",
            "a contact of the panel flaps, and is not believed",
        ),
    ),
    Fault.TOKEN_STUCK: CodeBrief(
        Words("GETTONE INCASTRATO", "TOKEN STUCK"),
        Words("un gettone non è caduto", "a token has not dropped"),
    ),
    Fault.TRAY_COUNT: CodeBrief(
        Words("CONTARE VASCHETTA", "COUNT THE TRAY"),
        Words(
            "i gettoni nella vaschetta e quelli registrati possono non coincidere",
            "tokens in the tray and on record may differ",
        ),
    ),
    Fault.TOKENS_UNKNOWN: CodeBrief(
        Words("GETTONI DA CONTARE", "COUNT THE TOKENS"),
        Words("la gettoniera di un posto ha perso il conto", "an acceptor has lost count"),
    ),
    Fault.ACCEPTOR_CHANGED: CodeBrief(
        Words("GETTONIERA CAMBIATA", "ACCEPTOR CHANGED"),
        Words(
            "la gettoniera di un posto non è quella registrata",
            "a coin acceptor is not the one enrolled",
        ),
    ),
    Fault.SENSOR_UNSTEADY: CodeBrief(
        Words("SENSORE INSTABILE", "SENSOR UNSTEADY"),
        Words(
            "il sensore di un posto va e viene, e non è creduto",
            "a seat's sensor flaps, and is not believed",
        ),
    ),
    Fault.DROP_SENSOR: CodeBrief(
        Words("SENSORE CADUTA", "DROP SENSOR"),
        Words(
            "un sensore di caduta, o quello della vaschetta, è coperto o senza filo",
            "a drop sensor, or the tray's, is covered or has no wire",
        ),
    ),
    Fault.BOARD_CHANGED: CodeBrief(
        Words("SCHEDA CAMBIATA", "BOARD CHANGED"),
        Words(
            "la scheda di un dispositivo non è quella registrata: ciò che invia non conta",
            "a device's board is not the one enrolled: nothing it reports counts",
        ),
    ),
    Fault.DOOR_OPEN: CodeBrief(
        Words("MOBILE APERTO", "DOOR OPEN"),
        Words(
            "il mobile è aperto, o è stato aperto e nessuno ha dichiarato perché",
            "the cabinet is open, or was opened and nobody has said why",
        ),
    ),
    Fault.CONFIGURATION_CHANGED: CodeBrief(
        Words("CONFIGURAZIONE?", "CONFIGURATION?"),
        Words(
            "la configurazione è un'altra: due persone non l'hanno riconosciuta",
            "the configuration is another one: two people have not acknowledged it",
        ),
    ),
    Fault.CARD_COUNT: CodeBrief(
        Words("NUMERO CARTE ERRATO", "CARD COUNT"),
        Words("un mazzo non ha il suo numero di carte", "a deck does not have its number of cards"),
    ),
    Fault.DECK_REPEATED: CodeBrief(
        Words("MAZZO RIPETUTO", "DECK REPEATED"),
        Words("lo stesso dorso due volte di seguito", "the same back twice in a row"),
    ),
    Fault.DRAW_ERROR: CodeBrief(
        Words("TIRAGGIO ERRATO", "DRAW ERROR"),
        Words("una carta è stata estratta contro la regola", "a card was drawn against the rule"),
    ),
    Fault.LEDGER_FAULT: CodeBrief(
        Words("REGISTRO GUASTO", "LEDGER FAULT"),
        Words(
            "il registro non si può scrivere; il tavolo è bloccato",
            "the ledger cannot be written; the table is locked",
        ),
    ),
    Fault.LEDGER_CORRUPT: CodeBrief(
        Words("REGISTRO ALTERATO", "LEDGER CORRUPT"),
        Words(
            "il registro non supera la verifica; il tavolo è bloccato",
            "the ledger does not verify; the table is locked",
        ),
    ),
    Fault.COUNTERPART_CHANGED: CodeBrief(
        Words("COPIA O SIGILLO?", "COPY OR SEAL?"),
        Words(
            "seconda copia o sigillo manca, o è un altro",
            "second copy or seal is missing, or another one",
        ),
    ),
    Fault.PROGRAM_CHANGED: CodeBrief(
        Words("PROGRAMMA CAMBIATO", "PROGRAM CHANGED"),
        Words(
            "il programma non è come dice il suo elenco firmato; non si gioca",
            "the program is not as its signed list says; nothing is played",
        ),
    ),
    Fault.LINK_LOST: CodeBrief(
        Words("LINK ASSENTE", "NO LINK"),
        Words("la centrale del jackpot non risponde", "the jackpot's centre does not answer"),
    ),
    Fault.LINK_FORKED: CodeBrief(
        Words("LINK: ALTRO REGISTRO", "LINK: OTHER LEDGER"),
        Words(
            "la centrale conosce altre righe di questo tavolo: una copia, o una scheda vecchia",
            "the centre knows other records of this table: a clone, or an older card",
        ),
    ),
    Fault.LINK_BEHIND: CodeBrief(
        Words("CENTRALE INDIETRO", "LINK: CENTRE BEHIND"),
        Words(
            "la centrale ha perso quello che aveva risposto",
            "the centre has lost what it had answered",
        ),
    ),
    Fault.LINK_SETTINGS: CodeBrief(
        Words("LINK: IMPOSTAZIONI", "LINK: SETTINGS"),
        Words(
            "le impostazioni del tavolo non sono quelle del jackpot collegato",
            "the table's settings are not those of the linked jackpot",
        ),
    ),
    Fault.CLOCK_LOST: CodeBrief(
        Words("OROLOGIO PERSO", "CLOCK LOST"),
        Words(
            "la centrale dell'orologio del torneo non risponde",
            "the centre of the tournament's clock does not answer",
        ),
    ),
}

REFUSALS: Mapping[Refusal, CodeBrief] = {
    Refusal.NOT_OPEN: CodeBrief(
        Words("TAVOLO NON APERTO", "TABLE NOT OPEN"),
        Words("il tavolo non è aperto per questo", "the table is not open for this"),
    ),
    Refusal.ALREADY_OPEN: CodeBrief(
        Words("TAVOLO GIA' APERTO", "TABLE ALREADY OPEN"),
        Words("il tavolo è aperto", "the table is open"),
    ),
    Refusal.COLLECTING: CodeBrief(
        Words("RACCOLTA IN CORSO", "COLLECTING TOKENS"),
        Words(
            "i gettoni stanno cadendo, o uno è incastrato", "tokens are dropping, or one is stuck"
        ),
    ),
    Refusal.AWARD_PENDING: CodeBrief(
        Words("VINCITA IN SOSPESO", "AWARD PENDING"),
        Words("una vincita non è ancora definitiva", "an award is not final yet"),
    ),
    Refusal.NO_COMBINATION: CodeBrief(
        Words("SCEGLI COMBINAZIONE", "CHOOSE COMBINATION"),
        Words("nessuna combinazione è scelta", "no combination is chosen"),
    ),
    Refusal.KEY_NOT_IN_RUN: CodeBrief(
        Words("CHIAVE NON IN R", "KEY NOT IN R"),
        Words("la chiave non è in R", "the key is not at R"),
    ),
    Refusal.WRONG_KEY: CodeBrief(
        Words("CHIAVE ERRATA", "WRONG KEY"),
        Words(
            "la chiave non è dove la richiede questa combinazione",
            "the key is not where this combination needs it",
        ),
    ),
    Refusal.NOBODY_ELIGIBLE: CodeBrief(
        Words("NESSUNO HA DIRITTO", "NOBODY ELIGIBLE"),
        Words("non resta nessun posto con diritto alla vincita", "no seat is left that may win"),
    ),
    Refusal.INSPECTOR_ABSENT: CodeBrief(
        Words("MANCA L'ISPETTORE", "INSPECTOR ABSENT"),
        Words("il contatto dell'ispettore è aperto", "the inspector's contact is open"),
    ),
    Refusal.LOCKED: CodeBrief(
        Words("TAVOLO BLOCCATO", "TABLE LOCKED"),
        Words(
            "il tavolo è bloccato, o la gettoniera non risponde",
            "the table is locked, or the coin rail is lost",
        ),
    ),
    Refusal.IN_SERVICE: CodeBrief(
        Words("IN MANUTENZIONE", "IN SERVICE"),
        Words("la chiave è in S", "the key is at S"),
    ),
    Refusal.SEAT_NOT_PLAYING: CodeBrief(
        Words("POSTO NON IN GIOCO", "SEAT NOT PLAYING"),
        Words("questo posto non ha una mano in gioco", "this seat has no hand"),
    ),
    Refusal.NO_AWARD: CodeBrief(
        Words("NESSUNA VINCITA", "NO AWARD"),
        Words("nessuna vincita è in sospeso", "no award is pending"),
    ),
    Refusal.NO_HAND: CodeBrief(
        Words("NESSUNA MANO", "NO HAND IS PLAYED"),
        Words("non c'è nessuna mano in gioco", "no hand is played"),
    ),
    Refusal.NOT_IN_SERVICE: CodeBrief(
        Words("CHIAVE NON IN S", "KEY NOT IN S"),
        Words("serve la manutenzione: chiave in S", "this needs SERVICE, with the key at S"),
    ),
    Refusal.NOT_CLEARABLE: CodeBrief(
        Words("NON AZZERABILE", "CANNOT BE CLEARED"),
        Words(
            "il guasto non è presente, o rientra da solo",
            "the fault is not present, or clears by itself",
        ),
    ),
    Refusal.STILL_FAULTY: CodeBrief(
        Words("GUASTO PERSISTENTE", "STILL FAULTY"),
        Words(
            "la causa c'è ancora: il registro, una scheda non registrata, il mobile aperto",
            "the cause is still there: the ledger, a board that is not enrolled, an open door",
        ),
    ),
    Refusal.DOOR_OPEN: CodeBrief(
        Words("MOBILE APERTO", "DOOR OPEN"),
        Words(
            "il mobile è aperto, o è stato aperto e nessuno ha dichiarato perché",
            "the cabinet is open, or was opened and nobody has said why",
        ),
    ),
    Refusal.CONFIGURATION_CHANGED: CodeBrief(
        Words("CONFIGURAZIONE?", "CONFIGURATION?"),
        Words(
            "la configurazione è un'altra: due persone non l'hanno riconosciuta",
            "the configuration is another one: two people have not acknowledged it",
        ),
    ),
    Refusal.SETTINGS_DUE: CodeBrief(
        Words("NUOVE IMPOSTAZIONI", "NEW SETTINGS"),
        Words(
            "il jackpot è vinto: prima entrano in vigore le impostazioni del prossimo",
            "the jackpot is won: the next one's settings come into force first",
        ),
    ),
    Refusal.NOT_COVERED: CodeBrief(
        Words("IMPORTO NON COPERTO", "AMOUNT NOT COVERED"),
        Words("il conto non ha tanto", "the account does not hold that much"),
    ),
    Refusal.LINK_ASKED: CodeBrief(
        Words("ATTENDERE", "WAIT"),
        Words(
            "la centrale non ha ancora risposto", "the centre was asked and has not answered yet"
        ),
    ),
    Refusal.LINK_LOST: CodeBrief(
        Words("LINK ASSENTE", "NO LINK"),
        Words("la centrale del jackpot non risponde", "the jackpot's centre does not answer"),
    ),
    Refusal.JACKPOT_CHANGED: CodeBrief(
        Words("JACKPOT CAMBIATO", "JACKPOT CHANGED"),
        Words(
            "il jackpot è sceso di un decimo o più sotto l'importo mostrato",
            "the jackpot has fallen by a tenth or more below the amount shown",
        ),
    ),
    Refusal.LINKED: CodeBrief(
        Words("TAVOLO COLLEGATO", "LINKED TABLE"),
        Words(
            "a un tavolo collegato questo si fa alla centrale, in due",
            "at a linked table this is done at the centre, by two operators",
        ),
    ),
    Refusal.ROUND_CLOSED: CodeBrief(
        Words("MANO CHIUSA", "ROUND CLOSED"),
        Words(
            "la mano è stata chiusa alla centrale nel frattempo",
            "the round was ended at the centre meanwhile",
        ),
    ),
    Refusal.AWARD_FINAL: CodeBrief(
        Words("VINCITA DEFINITIVA", "AWARD FINAL"),
        Words(
            "la vincita è diventata definitiva nel frattempo",
            "the award has become final meanwhile",
        ),
    ),
    Refusal.NOT_THE_TERMS: CodeBrief(
        Words("FUORI REGOLA", "NOT THE TERMS"),
        Words(
            "la centrale non accetta il denaro di questo tavolo: non corrisponde alle regole",
            "the centre does not take this table's money: it does not fit the terms",
        ),
    ),
    Refusal.NO_FLOP: CodeBrief(
        Words("NO FLOP - NO DROP", "NO FLOP - NO DROP"),
        Words(
            "non c'è stato il flop: non c'è rake da contare",
            "no flop was dealt, so there is no rake to count",
        ),
    ),
    Refusal.MISDEAL_LATE: CodeBrief(
        Words("FLOP GIA' USCITO", "FLOP IS OUT"),
        Words("dal flop in poi non c'è più misdeal", "from the flop on there is no misdeal"),
    ),
    Refusal.WRONG_STREET: CodeBrief(
        Words("STRADA NON VALIDA", "WRONG STREET"),
        Words(
            "flop, turn e river escono in quest'ordine", "flop, turn and river come in this order"
        ),
    ),
    Refusal.NOT_DEALT: CodeBrief(
        Words("CARTE NON DATE", "CARDS NOT DEALT"),
        Words(
            "le carte di questa mano sono ancora da dare",
            "the cards of this hand are still to be dealt",
        ),
    ),
    Refusal.POT_EMPTY: CodeBrief(
        Words("PIATTO VUOTO", "POT IS EMPTY"),
        Words(
            "di questo piatto non è stata inserita nessuna fiche", "no chip of this pot was entered"
        ),
    ),
    Refusal.NO_DECK: CodeBrief(
        Words("MAZZO NON PRONTO", "NO DECK READY"),
        Words(
            "il mescolatore non ha pronto un mazzo intero dell'altro dorso",
            "the shuffler has no whole deck of the other back ready",
        ),
    ),
    Refusal.ON_BREAK: CodeBrief(
        Words("TORNEO IN PAUSA", "ON BREAK"),
        Words("durante la pausa non inizia nessuna mano", "no hand begins in a break"),
    ),
    Refusal.HAND_FOR_HAND: CodeBrief(
        Words("ATTENDERE IL VIA", "WAIT FOR GO"),
        Words(
            "mano per mano: la prossima mano attende il via",
            "hand for hand: the next hand waits for the go",
        ),
    ),
    Refusal.HAND_RUNNING: CodeBrief(
        Words("MANO IN CORSO", "HAND IN PLAY"),
        Words("si può dichiarare solo a mano finita", "this can be declared only after the hand"),
    ),
    Refusal.TOO_LATE: CodeBrief(
        Words("TROPPO TARDI", "TOO LATE"),
        Words(
            "si poteva dichiarare solo prima nella mano, o subito dopo l'ultima",
            "it could be declared only earlier in the hand, or after the last hand",
        ),
    ),
    Refusal.HOUSE_RULE: CodeBrief(
        Words("NON IN QUESTA CASA", "NOT IN THIS HOUSE"),
        Words("il regolamento della casa lo vieta", "the house's rules forbid it"),
    ),
    Refusal.NO_CLOCK: CodeBrief(
        Words("NIENTE OROLOGIO", "NO CLOCK"),
        Words(
            "il cash non ha livelli, né il loro orologio",
            "a cash game has neither levels nor their clock",
        ),
    ),
}

FINDINGS: Mapping[FindingCode, Words] = {
    FindingCode.BUTTON_HELD: Words(
        "un pulsante è chiuso da più di 10 s", "a button has been closed for more than 10 s"
    ),
    FindingCode.KEY_CONTACTS: Words(
        "della chiave nessun contatto è chiuso, o più di uno",
        "none of the key's contacts is closed, or more than one",
    ),
    FindingCode.CONTACT_CHATTERS: Words(
        "un contatto rimbalza molto più del normale", "a contact bounces much more than it should"
    ),
    FindingCode.SENSOR_DEAD: Words(
        "a un posto cadono gettoni e il suo sensore non cambia mai",
        "tokens drop at a seat whose sensor never changes",
    ),
    FindingCode.SENSOR_COVERED: Words(
        "il sensore di un posto vede qualcosa da più di mezz'ora",
        "a seat's sensor has seen something for more than half an hour",
    ),
    FindingCode.LAMP_DEAD: Words(
        "la lampada di uno slot non assorbe corrente", "a slot lamp draws no current"
    ),
    FindingCode.GATE_STICKS: Words(
        "il gettone di questo posto non è caduto", "the token of this seat has not dropped"
    ),
    FindingCode.SHUFFLER_JAMMED: Words(
        "il mescolatore si è fermato: una carta si è inceppata",
        "the shuffler has stopped: a card is jammed in it",
    ),
    FindingCode.BOARD_RESTARTS: Words(
        "un dispositivo si è riavviato mentre il servizio era in funzione",
        "a device has restarted while the service was running",
    ),
    FindingCode.TWO_BOARDS: Words(
        "due schede parlano su una linea, o una si riavvia di continuo",
        "two boards speak on one line, or one restarts without end",
    ),
    FindingCode.REPORTS_FLOOD: Words(
        "un dispositivo manda più messaggi di quanti se ne registrino",
        "a device reports more than is recorded",
    ),
    FindingCode.LINE_NOISY: Words(
        "più dell'1 % di quello che arriva su una linea è rovinato",
        "more than 1 % of what comes on a line is damaged",
    ),
    FindingCode.DISK_FILLS: Words(
        "sul disco del registro restano meno di 200 MB",
        "less than 200 MB are free on the ledger's disk",
    ),
    FindingCode.UNDER_VOLTAGE: Words(
        "la tensione del computer è troppo bassa", "the computer's supply is too low"
    ),
    FindingCode.HOT: Words(
        "il computer è troppo caldo, e rallenta", "the computer is hot, and slows itself down"
    ),
    FindingCode.LOOP_STALLS: Words(
        "il servizio è rimasto fermo per più di 100 ms",
        "the service was held up for more than 100 ms",
    ),
    FindingCode.COPY_LOST: Words(
        "la seconda copia del registro non si può leggere o scrivere",
        "the ledger's second copy cannot be read or written",
    ),
    FindingCode.COPY_BEHIND: Words(
        "la seconda copia del registro è indietro da più di 60 s",
        "the ledger's second copy has been behind for more than 60 s",
    ),
    FindingCode.SEAL_LOST: Words(
        "il sigillo del registro non si può leggere o scrivere",
        "the ledger's seal cannot be read or written",
    ),
    FindingCode.WITNESS_LOST: Words(
        "il testimone esterno non risponde, o non accetta le firme del tavolo",
        "the witness outside cannot be reached, or does not take the table's heads",
    ),
    FindingCode.NOT_COMPARED: Words(
        "a questo avvio il registro non è stato confrontato con la seconda copia, con il sigillo"
        " o con il testimone esterno",
        "at this start the ledger could not be compared with its second copy, its seal"
        " or the witness outside",
    ),
    FindingCode.CLOCK_UNSYNCED: Words(
        "nessun server dell'ora ha regolato l'orologio della macchina",
        "no time server has set the machine's clock",
    ),
    FindingCode.PIN_GUESSED: Words("qualcuno prova a indovinare un PIN", "somebody guesses a PIN"),
    FindingCode.BOARD_NOT_ENROLLED: Words(
        "la scheda di un dispositivo è creduta, e nessun tecnico l'ha ancora registrata",
        "a device's board is believed, and no technician has enrolled it yet",
    ),
    FindingCode.BOARD_WITHOUT_KEY: Words(
        "è chiesta la versione 1 del protocollo: la scheda di un dispositivo non prova nulla",
        "version 1 of the wire protocol is asked for: a device's board proves nothing",
    ),
}
"""What each means; none is on the display."""
