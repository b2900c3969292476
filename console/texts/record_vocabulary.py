"""The words of records in both languages: acts, decisions, devices, outcomes.

The kinds are those of `console/rules/acts.py`; what people declare has its words in its row
(`declarations`). A kind or decision without words is shown as it is recorded.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from console.texts.language import Words

POKER_DECISIONS: Mapping[str, Words] = {
    "hand-begun": Words("mano, {players} giocatori", "hand, {players} players"),
    "players-now": Words("giocatori {players}, erano {before}", "players {players}, were {before}"),
    "players-changed": Words(
        "DALL'ULTIMA MANO: giocatori da {before} a {players}",
        "SINCE THE LAST HAND: players from {before} to {players}",
    ),
    "street-out": Words("{street}", "{street}"),
    "street-back": Words("{street} tolto", "{street} taken back"),
    "chip-entered": Words("fiche da {cents}, piatto {pot}", "chip of {cents}, pot {pot}"),
    "chip-back": Words(
        "tolta la fiche da {cents}, piatto {pot}", "chip of {cents} back, pot {pot}"
    ),
    "side-pot-begun": Words("piatto {pot}", "pot {pot}"),
    "side-pot-back": Words("piatto {pot} tolto", "pot {pot} taken back"),
    "dealt": Words("carte date, distribuzione {deal}", "cards dealt, deal {deal}"),
    "misdeal": Words("misdeal", "misdeal"),
    "hand-over": Words("mano finita", "hand over"),
    "new-dealer": Words("cambio mazziere", "new dealer"),
    "deck-changed": Words("mazzo cambiato", "deck changed"),
    "level-announced": Words("livello {level}", "level {level}"),
    "break-announced": Words("pausa", "break"),
    "time-called": Words("tempo chiamato", "time called"),
    "time-expired": Words("tempo scaduto", "time is up"),
    "dispute-over": Words("mano non più contestabile", "the hand can be disputed no more"),
    "rake-taken": Words("rake {parts}", "rake {parts}"),
    "rake-corrected": Words("mano {hand}: rake ora {parts}", "hand {hand}: rake now {parts}"),
    "jackpot-hit": Words("quota {share} %", "share {share} %"),
    "drop-counted": Words(
        "attesi {expected_cents}, differenza {difference_cents}",
        "expected {expected_cents}, difference {difference_cents}",
    ),
}

OVER: Mapping[str, Words] = {
    "level": Words("livello finito", "level over"),
    "break": Words("pausa finita", "break over"),
    "time-expired": Words("fine del tempo chiamato", "time call over"),
    "dispute-over": Words("passato un minuto dalla mano", "a minute after the hand"),
}
CLOCK_LEFT = Words("orologio: restano {left}", "clock: {left} left")
PLAYERS_SHOWN = Words("giocatori non più sul display", "players no longer on the display")


def describe_elapsed(body: Mapping[str, Any], at_ms: int) -> Words | None:
    """What time alone did at a poker table; None: another game's record.

    `at_ms`: the record's time. A clock that was only noted has what it has left since then.
    """
    changes, decisions = body.get("changes"), body.get("decisions")
    poker = changes.get("poker") if isinstance(changes, Mapping) else None
    if not isinstance(poker, Mapping):
        return None
    over = list(_what_is_over(decisions if isinstance(decisions, list) else []))
    if over:
        return Words(", ".join(one.it for one in over), ", ".join(one.en for one in over))
    clock = poker.get("clock")
    if isinstance(clock, Mapping) and clock.get("at") == at_ms:
        minutes, seconds = divmod(-(-int(clock.get("left_ms", 0)) // 1000), 60)
        left = f"{minutes:02}:{seconds:02}"
        return Words(CLOCK_LEFT.it.format(left=left), CLOCK_LEFT.en.format(left=left))
    return PLAYERS_SHOWN


def _what_is_over(decisions: list[Any]) -> Iterator[Words]:
    for decision in decisions:
        words = OVER.get(decision.get("after", decision.get("decision", "")))
        if words is not None:
            yield words


ACTS: Mapping[str, Words] = {
    "begun": Words("{who} e {second}: registro cominciato", "{who} and {second}: ledger begun"),
    "started": Words("il servizio è partito", "the service started"),
    "head-signed": Words(
        "firmata la registrazione {seq}, contatore {counter}",
        "record {seq} signed, counter {counter}",
    ),
    "head-asked": Words("chiesta una firma per l'esportazione", "asked to sign for an export"),
    "wall-clock-set": Words(
        "OROLOGIO SPOSTATO di {by_ms} ms: sarebbe {expected}",
        "CLOCK SET by {by_ms} ms: it would be {expected}",
    ),
    "settings": Words("impostazioni in vigore", "settings came into force"),
    "reopened": Words("registro riaperto", "ledger opened again"),
    "repaired": Words("{by}: riparato il registro ({restored})", "{by}: {restored} repaired"),
    "archived": Words(
        "{by}: archiviate le registrazioni fino alla {last}", "{by}: records to {last} archived"
    ),
    "seal-accepted": Words("{by}: sigillo ricominciato", "{by}: seal begun anew"),
    "time": Words("tempo scaduto", "time was up"),
    "button": Words("{button}", "{button}"),
    "key": Words("chiave in {position}", "key to {position}"),
    "key-found": Words("chiave trovata in {position}", "key found at {position}"),
    "key-unreadable": Words("chiave illeggibile", "key cannot be read"),
    "inspector": Words("ispettore presente: {present}", "inspector present: {present}"),
    "rail": Words("gettoniera: slot coperti {occupied}", "rail: slots covered {occupied}"),
    "boards-expected": Words(
        "da ora contano solo le schede registrate", "from now on only enrolled boards count"
    ),
    "board": Words("{device}: scheda {boards}", "{device}: board {boards}"),
    "board-image": Words(
        "{device}: la scheda {serial} ha l'immagine {image}",
        "{device}: board {serial} has the image {image}",
    ),
    "board-enrolled": Words(
        "{who}: registra la scheda {device}", "{who}: enrol the board of {device}"
    ),
    "device-lost": Words("{device} non risponde: {why}", "{device} lost: {why}"),
    "device-up": Words("{device} ricollegat{ending}", "{device} connected"),
    "flood": Words("{device}: troppi messaggi", "{device}: too many reports"),
    "flood-over": Words(
        "{device}: di nuovo normale, {left_out} messaggi non registrati",
        "{device}: normal again, {left_out} reports not recorded",
    ),
    "sensor-steady": Words(
        "posto {seat}: sensore di nuovo stabile, {left_out} cambi non registrati",
        "seat {seat}: sensor steady again, {left_out} changes not recorded",
    ),
    "contact-unsteady": Words(
        "consolle: {contact} instabile, da ora i suoi cambi sono solo contati",
        "panel: {contact} unsteady, from now on its changes are only counted",
    ),
    "contact-steady": Words(
        "consolle: {contact} di nuovo stabile, {left_out} cambi non registrati",
        "panel: {contact} steady again, {left_out} changes not recorded",
    ),
    "doors": Words("contatti delle porte aperti: {open}", "door contacts open: {open}"),
    "cleared": Words("{who}: azzera {fault}", "{who}: clear {fault}"),
    "shuffler": Words(
        "mescolatore: prossimo mazzo: {preparing}", "shuffler: next deck: {preparing}"
    ),
    "shoe": Words("sabot: uscite {draws}", "shoe: drawn {draws}"),
    "shoe-loaded": Words("sabot caricato: {cards}", "shoe loaded: {cards}"),
    "card": Words("carta {card} a {place}", "card {card} to {place}"),
    "card-burnt": Words("carta bruciata", "card burnt"),
    "cut-card": Words("mascherina uscita", "cut card out"),
    "result": Words("il sabot dice {result}", "the shoe says {result}"),
    "shoe-trouble": Words("sabot: {what}", "shoe: {what}"),
    "reports-missed": Words("sabot non sentito", "shoe was not heard"),
    "corrected": Words(
        "{who} e {second}: correzione {number}, {reason}",
        "{who} and {second}: correction {number}, {reason}",
    ),
    "program-changed": Words("{why}", "{why}"),
    "counterpart-changed": Words("{counterpart}: {why}", "{counterpart}: {why}"),
    "entered": Words("{who} entra ({duties})", "{who} entered ({duties})"),
    "pin-too-old": Words("{who}: PIN troppo vecchio", "{who}: the PIN is too old"),
    "entry-refused": Words("{who}: PIN sbagliato ({wrong})", "{who}: wrong PIN ({wrong})"),
    "left": Words("{who} esce: {why}", "{who} left: {why}"),
    "driven": Words("{who} comanda le uscite", "{who} drives outputs"),
    "setting-changed": Words("{who}: {key} = {value}", "{who}: {key} = {value}"),
    "settings-found": Words(
        "settings.toml non è com'è agli atti: non creduto",
        "settings.toml is not what is on record: not believed",
    ),
    "people-changed": Words(
        "persone, {change}: {whom} ({duties}), da {by}",
        "people, {change}: {whom} ({duties}), by {by}",
    ),
    "self-tested": Words("{who}: collaudo", "{who}: self-test"),
    "link-answered": Words("risposta della centrale", "the centre answered"),
    "link-shown": Words("jackpot dalla centrale", "jackpot from the centre"),
    "link-welcomed": Words("accolto dalla centrale", "taken by the centre"),
    "link-rejoined": Words("riammesso dalla centrale", "let in again by the centre"),
    "recall-began": Words("la centrale è stata ripristinata", "the centre was set back"),
    "recall-ended": Words("la centrale è aggiornata", "the centre is told again"),
    "link-barred": Words("escluso dalla centrale: {barred}", "barred by the centre: {barred}"),
    "snapshot": Words("(stato intero)", "(whole state)"),
    "clock-shown": Words("orologio dalla centrale", "clock from the centre"),
}

DECISIONS: Mapping[str, Words] = {
    "token-in": Words("gettone messo", "token in"),
    "token-accepted": Words("accettato", "accepted"),
    "token-late": Words("gettone in ritardo", "late token"),
    "token-stuck": Words("incastrato", "stuck"),
    "token-unaccounted": Words("gettone mancante", "token not accounted for"),
    "drop-in-service": Words("caduto in manutenzione", "dropped in service"),
    "drop-unexplained": Words("caduta non spiegata", "drop not explained"),
    "turn-served": Words(
        "apertura {turn} già servita dalla scheda: la prossima",
        "turn {turn} was served before: the next one",
    ),
    "board-changed": Words(
        "scheda {serial} non registrata (registrata: {enrolled})",
        "board {serial} is not enrolled (enrolled: {enrolled})",
    ),
    "board-enrolled": Words("scheda {serial} registrata", "board {serial} enrolled"),
    "tray-differs": Words("vaschetta diversa di {tokens}", "tray differs by {tokens}"),
    "seat-free": Words("libero", "free"),
    "seat-left-out": Words("escluso", "left out"),
    "slot-covered": Words("slot coperto", "slot covered"),
    "sensor-unsteady": Words("sensore instabile", "sensor unsteady"),
    "card-changed": Words("carta cambiata", "card changed"),
    "award-pending": Words(
        "in sospeso {combination} x{winners}, {each} ciascuno",
        "pending {combination} x{winners}, {each} each",
    ),
    "award-final": Words(
        "pagato {combination} x{winners}, {each} ciascuno",
        "paid {combination} x{winners}, {each} each",
    ),
    "award-cancelled": Words("annullato {combination}", "cancelled {combination}"),
    "award-asked": Words("chiesto {combination} x{winners}", "asked for {combination} x{winners}"),
    "award-agreed": Words("confermato {combination}", "agreed {combination}"),
    "cancel-asked": Words("chiesto di annullare {combination}", "asked to cancel {combination}"),
    "opening-asked": Words("chiesta l'apertura", "opening asked"),
    "link-refused": Words("rifiutato: {code}", "refused: {code}"),
    "link-joined": Words("entra nel jackpot {jackpot}", "joined the jackpot {jackpot}"),
    "leave-asked": Words("chiede di uscire dal jackpot", "asked to leave the jackpot"),
    "link-left": Words("uscito dal jackpot", "left the jackpot"),
    "link-rejoined": Words("riammesso, epoca {epoch}", "let in again, epoch {epoch}"),
    "token-given-back": Words("gettone reso", "token given back"),
    "hand-void": Words("mano nulla", "hand void"),
    "round-void": Words("mani nulle", "hands void"),
    "last-hands": Words("ultime mani: {hands}", "last hands: {hands}"),
    "tray-counted": Words(
        "contati {counted}, attesi {expected}, differenza {difference}",
        "counted {counted}, expected {expected}, difference {difference}",
    ),
    "fault-raised": Words("GUASTO {fault}", "FAULT {fault}"),
    "fault-cleared": Words("guasto {fault} rientrato", "fault {fault} cleared"),
    "service-begun": Words("manutenzione, poi {phase}", "service, then {phase}"),
    "service-ended": Words("fine manutenzione: {phase}", "service ended: {phase}"),
    "packet-dealt": Words("pacchetto {packet}, date {dealt}", "packet {packet}, dealt {dealt}"),
    "deck-unloaded": Words("scaricate {unloaded}", "unloaded {unloaded}"),
    "green-pressed": Words("tasto verde", "green button"),
    "green-too-late": Words(
        "tasto verde, premuto a mescolatore non sentito",
        "green button, pressed while the shuffler was not heard",
    ),
    "deck-given": Words("dato il mazzo {back}", "{back} deck given out"),
    "deck-miscounted": Words(
        "{back}: {counted} carte, ultima mano {hand}", "{back}: {counted} cards, last hand {hand}"
    ),
    "deck-empty": Words("nessun mazzo", "no deck"),
    "deck-shuffling": Words("mescola {back}", "shuffles {back}"),
    "deck-ready": Words("{back} pronto, {counted} carte", "{back} ready, {counted} cards"),
    "deck-jammed": Words(
        "INCEPPATO {back}: liberare la carta, scaricare il mazzo, contarlo, rimetterlo",
        "JAMMED {back}: free the card, unload the deck, count it, put it back",
    ),
    "deck-replaced": Words("mazzo sostituito", "deck replaced"),
    "shoe-loaded": Words("{cards} carte", "{cards} cards"),
    "cut-card": Words("ne restano {remaining}", "{remaining} are left"),
    "coup-ended": Words("colpo: {result}", "coup: {result}"),
    "result-confirmed": Words("confermato {result}", "confirmed {result}"),
    "result-differs": Words("RISULTATO DIVERSO {result}", "RESULT DIFFERS {result}"),
    "result-too-early": Words("RISULTATO ANTICIPATO {result}", "RESULT TOO EARLY {result}"),
    "corrected": Words("{cents} da {source} a {target}", "{cents} from {source} to {target}"),
    "setting-changed": Words("{key}: {before} -> {value}", "{key}: {before} -> {value}"),
    "setting-waits": Words(
        "dal prossimo jackpot {key}: {before} -> {value}",
        "from the next jackpot {key}: {before} -> {value}",
    ),
    "settings-due": Words(
        "finita la mano valgono le impostazioni del prossimo jackpot",
        "the round over, the next jackpot's settings count",
    ),
    "cut-card-misplaced": Words(
        "mascherina fuori posto: ne restano {remaining}", "cut card misplaced: {remaining} left"
    ),
    "shoe-counts-back": Words(
        "il sabot conta {draws}, erano {known}", "the shoe counts {draws}, it was {known}"
    ),
    "not-burnt": Words("bruciate solo {burnt}", "only {burnt} burnt"),
    "coup-after-the-last": Words("COLPO DOPO L'ULTIMO", "COUP AFTER THE LAST"),
    "result-of-another-coup": Words("{result} è di un altro colpo", "{result} is another coup's"),
    "shoe-error": Words("ERRORE DEL SABOT {code} {error}", "SHOE ERROR {code} {error}"),
    "shoe-error-over": Words("errore {code} rientrato", "error {code} is over"),
    "shoe-unheard": Words("forse carte non viste", "cards may have been missed"),
    "coup-without-stakes": Words("colpo senza giocate", "coup without stakes"),
    "card-annulled": Words("carta annullata", "card annulled"),
    "shoe-replaced": Words("sabot sostituito", "shoe replaced"),
    "award-verified": Words("mano vincente vista: posto", "winning hand seen: seat"),
    "configuration-acknowledged": Words(
        "configurazione riconosciuta: {sha256}", "configuration acknowledged: {sha256}"
    ),
    "door-opened": Words("APERTO {door}", "OPENED {door}"),
    "door-shut": Words("chiuso {door}", "shut {door}"),
    "opened-while-off": Words("APERTO A TAVOLO SPENTO", "OPENED WHILE THE TABLE WAS OFF"),
    "latch-set": Words("la memoria ha preso un'apertura", "the latch has noted an opening"),
    "latch-reset": Words("memoria delle aperture azzerata", "latch reset"),
    "opened": Words("aperto per: {reason}", "opened for: {reason}"),
    **POKER_DECISIONS,
    "draw-error": Words("TIRAGGIO ERRATO: {place} {number}", "DRAW ERROR: {place} {number}"),
}

RESTARTED: Mapping[str, Words] = {
    "rail": Words("gettoniera: riavviata (avvio {boot})", "rail: restarted (boot {boot})"),
    "shuffler": Words("mescolatore: riavviato (avvio {boot})", "shuffler: restarted (boot {boot})"),
    "shoe": Words("sabot: riavviato (avvio {boot})", "shoe: restarted (boot {boot})"),
}
"""Shown before a board's report after another boot."""

UNPLUGGED = Words("{device} scollegat{ending}", "{device} unplugged")
"""A device was lost because its plug is out."""

NOTHING_COVERED = Words("gettoniera: nessuno slot coperto", "rail: no slot covered")

BETWEEN: Mapping[str, Words] = {
    "key": Words("chiave tra due posizioni", "key between two positions"),
    "key-found": Words("chiave trovata tra due posizioni", "key found between two positions"),
}
"""A record of the key without a position."""

SETTINGS_TAKEN = Words("settings.toml messo agli atti", "settings.toml put on record")
BY_TWO: Mapping[str, Words] = {
    "setting-changed": Words(
        "{who} e {second}: {key} = {value}", "{who} and {second}: {key} = {value}"
    ),
    "cleared": Words("{who} e {second}: azzerano {fault}", "{who} and {second}: clear {fault}"),
    "repaired": Words(
        "{by} e {second}: riparato il registro ({restored})",
        "{by} and {second}: {restored} repaired",
    ),
    "archived": Words(
        "{by} e {second}: archiviate le registrazioni fino alla {last}",
        "{by} and {second}: records to {last} archived",
    ),
    "seal-accepted": Words(
        "{by} e {second}: sigillo ricominciato", "{by} and {second}: seal begun anew"
    ),
}
"""The words of an act for which a second person stands, too."""

BY_JACKPOT = Words("dal jackpot", "from the jackpot")
BY_HOUSE = Words("dalla casa", "from the house")
ENVY_EACH = Words("envy x{others} {envy} ciascuno {payer}", "envy x{others} {envy} each {payer}")
LACKING = Words("mancano {lacking}, non si aggiungono", "{lacking} lacking, not made up")
"""What an award says besides, where a prize file has fixed amounts or envy."""

DEVICES: Mapping[str, Words] = {
    "panel": Words("consolle", "panel"),
    "rail": Words("gettoniera", "rail"),
    "display": Words("display", "display"),
    "shuffler": Words("mescolatore", "shuffler"),
    "shoe": Words("sabot", "shoe"),
    "link": Words("collegamento", "link"),
}
"""The devices' names."""

CONTACTS: Mapping[str, Words] = {
    "key": Words("chiave", "key"),
    "inspector": Words("ispettore", "inspector"),
    "plug": Words("spina", "plug"),
}
"""The panel's contacts that are no buttons."""

FEMININE = frozenset({"panel", "rail"})
"""Devices whose Italian participles end in -a."""

PLURALS: Mapping[str, str] = {
    "token-in": "gettoni messi",
    "token-accepted": "accettati",
    "token-late": "gettoni in ritardo",
    "token-stuck": "incastrati",
    "token-unaccounted": "gettoni mancanti",
    "drop-in-service": "caduti in manutenzione",
    "drop-unexplained": "cadute non spiegate",
    "seat-free": "liberi",
    "seat-left-out": "esclusi",
    "slot-covered": "slot coperti",
    "sensor-unsteady": "sensori instabili",
    "card-changed": "carte cambiate",
    "hand-void": "mani nulle",
    "token-given-back": "gettoni resi",
}
"""Decisions about more than one seat, in Italian."""

DECK_STATES: Mapping[str, Words] = {
    "EMPTY": Words("nessuno", "none"),
    "SHUFFLING": Words("si mescola", "shuffling"),
    "READY": Words("pronto", "ready"),
    "DEALING": Words("in gioco", "in play"),
    "FAULT": Words("guasto", "faulty"),
}

BACKS: Mapping[str, Words] = {"red": Words("rosso", "red"), "blue": Words("blu", "blue")}
"""The colours of the cards' backs."""

PEOPLE_CHANGES: Mapping[str, Words] = {
    "enrolled": Words("iscritto", "enrolled"),
    "new-pin": Words("PIN nuovo", "new PIN"),
    "own-pin": Words("PIN cambiato da sé", "own PIN changed"),
    "removed": Words("tolto", "removed"),
    "erased": Words("nome cancellato", "name erased"),
    "by-hand": Words("ELENCO CAMBIATO A MANO", "LIST CHANGED BY HAND"),
}
"""What was changed in the list of people."""

DOORS: Mapping[str, Words] = {
    "cabinet": Words("mobile", "cabinet"),
    "logic": Words("vano elettronica", "logic area"),
    "latch": Words("memoria", "latch"),
}
"""The contacts of the doors."""

RESULTS: Mapping[str, Words] = {
    "VOID": Words("nullo", "void"),
    "FORCED": Words("colpo chiuso a mano", "coup ended by hand"),
}
"""A coup's result; the others are names, the same in both languages."""

OUTCOMES: Mapping[str, Words] = {
    "refused": Words("rifiutato", "refused"),
    "no effect": Words("nessun effetto", "no effect"),
}
