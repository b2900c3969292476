"""The technician's commands in words: arguments, one line, help."""

from msgspec import Struct

from console.texts.language import Words


class CommandTexts(Struct, frozen=True):
    """A command in words. `summary`: its line in the list; `help`: at most 80 columns a line."""

    summary: Words
    help: Words
    arguments: Words = Words("", "")


STATUS = CommandTexts(
    summary=Words("il tavolo adesso: da qui si comincia", "the table now: begin here"),
    help=Words(
        "Il tavolo in questo istante: fase e chiave, i guasti con il loro\n"
        "significato, le anomalie (contatti, sensori, linee), le\n"
        "linee dei dispositivi, la mano, il display, i conti (MAX: il jackpot è\n"
        "al suo limite), la salute del servizio.\n"
        "Se il servizio non risponde, dice che cosa risulta dai file e dal\n"
        "journal, e che cosa fare.",
        "The table now: phase and key, the faults with their meaning, findings\n"
        "(contacts, sensors, lines), the devices, the round, the display, the\n"
        "accounts (MAX: the jackpot is at its limit), the service's health. If\n"
        "the service does not answer, it says what the files and the journal\n"
        "show about the cause, and what to do.",
    ),
    arguments=Words("", ""),
)
FAULTS = CommandTexts(
    summary=Words("guasti presenti, che cosa controllare", "present faults, what to check"),
    help=Words(
        "I guasti presenti e ciò che è stato notato: che cos'è, da quando, che\n"
        "cosa controllare (nell'ordine), e come rientra. Con un codice: quella\n"
        "voce del catalogo, anche se non è presente, anche di un rifiuto.",
        "The present faults and what is noticed: what it is, since when, what to\n"
        "check (in this order), and how it clears. With a code: that entry of\n"
        "the catalogue, present or not, also that of a refusal.",
    ),
    arguments=Words("[CODICE]", "[CODE]"),
)
LOG = CommandTexts(
    summary=Words("le ultime righe del servizio", "the service's last lines"),
    help=Words(
        "Le ultime N righe scritte dal servizio (20). Se il servizio non\n"
        "risponde, quelle di journalctl. Per gli atti del tavolo: mano.",
        "The last N lines that the service wrote (20). If the service does not\n"
        "answer, those of journalctl. For the table's acts: round.",
    ),
    arguments=Words("[N]", "[N]"),
)
ABOUT = CommandTexts(
    summary=Words("versioni, macchina, cartelle", "versions, machine, folders"),
    help=Words(
        "Versione di programma e Python, macchina, da quanto tempo è attivo\n"
        "il servizio, quante volte il registro è stato aperto (a ogni avvio e\n"
        "dopo un suo guasto), dove sono registro e configurazione, e lo SHA-256\n"
        "di questa.",
        "Versions of program and Python, the machine, how long the service has\n"
        "been up, how often the ledger has been opened (at each start, and after a\n"
        "ledger fault), where ledger and configuration are, and the SHA-256 of\n"
        "the configuration.",
    ),
    arguments=Words("", ""),
)
CENTRE = CommandTexts(
    summary=Words("la centrale del jackpot collegato", "the centre of a linked jackpot"),
    help=Words(
        "La centrale, a un tavolo collegato: se risponde (se no, perche'), chiamate\n"
        "in attesa, ultima risposta, jackpot e vincita come li ha dati la centrale,\n"
        "quanti altri tavoli si attendono, server, sessione, timeline.",
        "The centre, at a linked table: whether it answers (if not, why), calls\n"
        "that wait, the last answered, jackpot and award as the centre gave them,\n"
        "how many other tables are awaited, server, session, timeline.",
    ),
    arguments=Words("", ""),
)
LINES = CommandTexts(
    summary=Words("tutte le linee seriali", "every serial line"),
    help=Words(
        "Ogni linea seriale: se e' attiva, trame ricevute e inviate, errate (e per\n"
        "cento), ripetute, quante volte e' stata trovata (1 e' normale), riavvii\n"
        "della scheda, andata e ritorno in ms, l'ultima e la media.",
        "Each serial line: whether it is up, frames in and out, bad ones (and\n"
        "per cent), sent again, how often it was found (1 is normal), boots of\n"
        "its board, round trip in ms, the last one and the mean.",
    ),
    arguments=Words("", ""),
)
WATCH = CommandTexts(
    summary=Words("ingressi dal vivo", "live inputs"),
    help=Words(
        "Mostra ogni pulsante, contatto e sensore: com'e' ora, da quanto, quanti\n"
        "fronti ha dato (e quanti nuovi), quanti rimbalzi, la durata dell'ultimo\n"
        "impulso in ms. Un asterisco segna quelli che si sono mossi da quando si\n"
        "osserva: premere ogni pulsante una volta, e alla fine risulta quali non si\n"
        "sono mossi.\n"
        "q o Ctrl-C: fine; lo spazio scrive di nuovo le durate.",
        "Shows every button, contact and sensor: its state and since when, its edges\n"
        "(and new ones), its bounces (chat.), the length of its last pulse in ms.\n"
        "A star marks inputs that have moved since watch began: press every button\n"
        "once, and at the end the line lists those that have not moved.\n"
        "q or Ctrl-C ends it; the space bar refreshes the durations.",
    ),
    arguments=Words("[consolle|gettoniera|NOME]", "[panel|rail|NAME]"),
)
BOARD = CommandTexts(
    summary=Words("le schede, e registrarle", "the boards, and enrolling them"),
    help=Words(
        "Le schede che hanno risposto: tipo, matricola, firmware, e se sono\n"
        "registrate. Con registra e un dispositivo (gettoniera, mescolatore,\n"
        "sabot), con la chiave in S: da ora quella scheda e' creduta, e\n"
        "BOARD_CHANGED rientra. Resta nel registro, con il nome. Riceve una chiave,\n"
        "se non e' chiesto protocol = 1: fallo con la linea in vista.",
        "The boards that have answered: kind, serial number, firmware, and whether\n"
        "they are enrolled. With enrol and a device (rail, shuffler, shoe), the key\n"
        "at S: from now on that board is believed, and BOARD_CHANGED clears.\n"
        "Your name goes on record. Unless protocol = 1 is asked for it gets a key: do\n"
        "it with the line in view.",
    ),
    arguments=Words("[registra DISPOSITIVO]", "[enrol DEVICE]"),
)
METERS = CommandTexts(
    summary=Words("conti, mani, gettoni, vincite", "accounts, rounds, tokens, awards"),
    help=Words(
        "I conti del tavolo adesso, e quante mani, gettoni, vincite e guasti\n"
        "dall'ultima conta della vaschetta (dichiara tray N), dal registro. A\n"
        "un tavolo da poker mani, rake e guasti dall'ultima conta della\n"
        "cassetta (dichiara drop IMPORTO). Con `vita`: i gettoni di tutta la\n"
        "vita del tavolo, ogni premio con le sue volte e il suo denaro, le\n"
        "ultime 25 vincite con ora, mano, importo e chi le ha verificate.",
        "The table's accounts now, and how many rounds, tokens, awards and\n"
        "faults since the tray was last counted (declare tray N), from the\n"
        "ledger. At a poker table hands, rake and faults since the rake box\n"
        "was last counted (declare drop AMOUNT). With `life`: the tokens of\n"
        "the table's whole life, each prize with its hits and its money, the\n"
        "last 25 wins with time, round, amount and who verified them.",
    ),
    arguments=Words("[vita]", "[life]"),
)
ROUND = CommandTexts(
    summary=Words("una mano, atto per atto", "one round, act by act"),
    help=Words(
        "La mano N dal registro: ora, atto, conseguenze. Senza numero: le\n"
        "ultime due. Legge il file del registro, perciò funziona anche senza\n"
        "il servizio.",
        "Round N from the record: time, act, consequences. Without a number: the\n"
        "last two. It reads the ledger's file, so it works without the service.",
    ),
    arguments=Words("[N]", "[N]"),
)
REPLAY = CommandTexts(
    summary=Words("ripete una mano dal registro", "a round replayed from the record"),
    help=Words(
        "Ripete la mano N dal registro, con la logica di oggi: lo stato dopo\n"
        "ogni atto (->) e che cosa non concorda (!!). Senza numero: l'ultima.\n"
        "Non tocca il tavolo.",
        "Replays round N from the record, with today's logic: the state after\n"
        "each act (->) and what does not agree (!!). Without a number: the last\n"
        "round. It does not touch the table.",
    ),
    arguments=Words("[N]", "[N]"),
)
RAKE = CommandTexts(
    summary=Words("la rake di una mano di poker", "the rake of a poker hand"),
    help=Words(
        "La parte di ogni piatto, il principale per primo: 5+10+15. Case:\n"
        "prestige, sanremo, san-marino. Anche: --players N, --cap 30,\n"
        "--half (prestige), --rate 2.5 e --fixed 2 (san-marino), --shared\n"
        "(tutto diviso), --no-flop. Non tocca il tavolo.",
        "Each pot's part, the main pot's first: 5+10+15. Houses: prestige,\n"
        "sanremo, san-marino. Also: --players N, --cap 30, --half (prestige),\n"
        "--rate 2.5 and --fixed 2 (san-marino), --shared (all of it), --no-flop.\n"
        "It does not touch the table.",
    ),
    arguments=Words("--house CASA PIATTO [LATERALE...]", "--house HOUSE POT [SIDE...]"),
)
CORRECT = CommandTexts(
    summary=Words("due cassieri correggono i conti", "two cashiers correct the accounts"),
    help=Words(
        "Solo in PAUSED. Entra un cassiere con il suo PIN, dice il motivo\n"
        "(da 10 a 200 caratteri), vede che cosa cambierebbe; poi un secondo\n"
        "cassiere dà nome e PIN. Conti: tray, jackpot, reserve, house.",
        "Only in PAUSED. A cashier enters by PIN, gives the reason (10 to 200\n"
        "characters) and sees what would change; then a second cashier gives\n"
        "name and PIN. Accounts: tray, jackpot, reserve, house.",
    ),
    arguments=Words("DA A IMPORTO", "FROM TO AMOUNT"),
)
CLEAR = CommandTexts(
    summary=Words("il tecnico azzera un guasto", "the technician clears a fault"),
    help=Words(
        "Solo i guasti che non rientrano da soli, con la chiave in S, dopo averne\n"
        "eliminato la causa (guasti CODICE). Resta nel registro, con il nome.\n"
        "COUNTERPART_CHANGED e PROGRAM_CHANGED li conferma un cassiere con PIN.",
        "Only for faults that do not clear by themselves, with the key at S, once\n"
        "the cause is removed (faults CODE). Your name goes on record.\n"
        "A cashier confirms COUNTERPART_CHANGED and PROGRAM_CHANGED, with a PIN.",
    ),
    arguments=Words("CODICE", "CODE"),
)
SETTINGS = CommandTexts(
    summary=Words("le impostazioni, o cambiarne una", "the settings, or change one"),
    help=Words(
        "Elenca che cosa vale e che cosa varrà dal prossimo avvio. Con chiave e\n"
        "valore (tecnico, chiave del tavolo in S): controlla, mostra, chiede,\n"
        "scrive per il prossimo avvio, e propone di riavviare. Per i soldi\n"
        "(money) un cassiere dà anche il suo nome e il suo PIN. Valore -:\n"
        "torna a valere il file di configurazione. Con prossimo-jackpot dopo il\n"
        "valore, solo per i soldi: vale da quando il jackpot è vinto.",
        "Lists what is in force and what the next start adopts. With key and\n"
        "value (the technician, the table's key at S): checks it, shows it,\n"
        "asks, writes it for the next start, and offers a restart. For money a\n"
        "cashier gives name and PIN, too. Value -: the configuration file\n"
        "applies again. With next-jackpot after the value, for money only: it\n"
        "counts once the jackpot is won.",
    ),
    arguments=Words("[CHIAVE [VALORE [prossimo-jackpot]]]", "[KEY [VALUE [next-jackpot]]]"),
)
RESTART = CommandTexts(
    summary=Words("riavvia il servizio", "start the service again"),
    help=Words(
        "Il servizio si arresta regolarmente e systemd lo fa ripartire: il\n"
        "tavolo torna com'era. Serve il tecnico, con la chiave in S.",
        "The service stops cleanly and systemd starts it again: the table is\n"
        "as it was. It needs the technician, and the key at S.",
    ),
    arguments=Words("", ""),
)
LANGUAGE = CommandTexts(
    summary=Words("la lingua di questa linea", "the language of this line"),
    help=Words(
        "Cambia la lingua di questa linea. Il display mantiene la sua: è\n"
        "un'impostazione (impostazioni language).",
        "Changes the language of this line. The display keeps its own: it is a\n"
        "setting (settings language).",
    ),
    arguments=Words("it|en", "it|en"),
)
EXIT = CommandTexts(
    summary=Words("chiude la sessione", "ends the session"),
    help=Words(
        "Chiude la sessione. Chi era entrato esce, e le uscite comandate a\nmano sono rilasciate.",
        "Ends the session. Whoever had entered leaves, and outputs driven by\nhand are released.",
    ),
    arguments=Words("", ""),
)
ENTER = CommandTexts(
    summary=Words("entrare con nome e PIN", "enter with name and PIN"),
    help=Words(
        "Chiunque può guardare; per modificare servono nome e PIN. Il PIN non si\n"
        "vede. Vale 10 minuti su questa linea, poi è chiesto di nuovo. Il prompt\n"
        "mostra chi è entrato.\n"
        "Le persone si iscrivono sulla macchina, come root: banco enrol.",
        "Anyone may look; changes need a name and a PIN. The PIN is not shown. It\n"
        "is valid for 10 minutes on this line, then you are asked again. The\n"
        "prompt shows who has entered. People are enrolled on the machine, as\n"
        "root: banco enrol.",
    ),
    arguments=Words("[NOME]", "[NAME]"),
)
LEAVE = CommandTexts(
    summary=Words("uscire, la linea resta aperta", "leave; the line stays open"),
    help=Words(
        "Chi è entrato esce; le uscite comandate a mano sono rilasciate.",
        "Whoever has entered leaves; outputs driven by hand are released.",
    ),
    arguments=Words("", ""),
)
HELP = CommandTexts(
    summary=Words("i comandi, o come si usa uno", "the commands, or how to use one"),
    help=Words(
        "Senza argomento elenca i comandi. Un nome si può abbreviare finché\n"
        "non è ambiguo; il tasto Tab completa. Ctrl-C interrompe un comando.",
        "Without an argument it lists the commands. A name may be shortened as\n"
        "long as it is unambiguous; Tab completes it. Ctrl-C interrupts a command.",
    ),
    arguments=Words("[COMANDO]", "[COMMAND]"),
)
VERIFY = CommandTexts(
    summary=Words("programma, registro, impostazioni", "program, ledger, settings"),
    help=Words(
        "programma: ogni file come è stato installato (hash). registro: catena,\n"
        "movimenti, saldi, e ogni atto ripetuto. impostazioni: senza errori, e\n"
        "vale quello che è scritto. OK, NO, oppure ? dove non si può sapere.\n"
        "Può durare minuti; q o Ctrl-C interrompe.",
        "program: every file as it was installed (hashes). ledger: chain,\n"
        "postings, balances, and every act played again. settings: no mistakes,\n"
        "and what is written is in force. OK, FAIL, or ? if it cannot be checked.\n"
        "It may take minutes; q or Ctrl-C ends it.",
    ),
    arguments=Words("[programma|registro|impostazioni]", "[program|ledger|settings]"),
)
SELFTEST = CommandTexts(
    summary=Words("collaudo guidato del tavolo", "guided test of the cabinet"),
    help=Words(
        "Prova il tavolo parte per parte, e dice che cosa fare: premere un pulsante,\n"
        "mettere un gettone, guardare una lampada, girare la chiave. Una lampada\n"
        "vista accesa: o (ok); se no: n. s salta una parte, r la ripete, q termina.\n"
        "Invio non e' una risposta, e non lo e' un tasto premuto prima della domanda.\n"
        "Il rapporto va nel registro, e si rilegge su 40 colonne con: collaudo\n"
        "mostra. Una parte sola: programma registro spina gettoniera mescolatore\n"
        "sabot display lampade pulsanti ispettore posti vaschetta chiave linee, o per\n"
        "nome: collaudo posto 3. Al poker con mescolatore si prova anche il suo tasto\n"
        "verde: collaudo pulsante GREEN.\n"
        "Serve un tecnico entrato, e la chiave in S.",
        "Tests the cabinet part by part, and says what to do: press a button, put a\n"
        "token in, look at a lamp, turn the key. A lamp seen lit: y; if not: n. s\n"
        "skips a part, r repeats it, q ends the test. Enter is no answer, nor is a\n"
        "key typed before the question. The report goes on record, and is read again\n"
        "on 40 columns with: selftest show. One part alone: program ledger plug rail\n"
        "shuffler shoe display lamps buttons inspector seats tray key lines, or by\n"
        "its name: selftest seat 3. At a poker table with a deck shuffler its green\n"
        "button is tested, too: selftest button GREEN.\n"
        "A technician must have entered, with the key at S.",
    ),
    arguments=Words("[PARTE|mostra]", "[PART|show]"),
)
LAMP = CommandTexts(
    summary=Words("accende una lampada", "lights a lamp"),
    help=Words(
        "Accende una sola lampada: lo slot di un posto (lampada 3), il LED\n"
        "della consolle (lampada posto 3), un pulsante (lampada FLUSH), o tutte.\n"
        "Dice se la scheda trova che la lampada di uno slot non assorbe corrente.\n"
        "Servono un tecnico entrato e la chiave in S. Alla fine, in ogni caso, le\n"
        "uscite tornano al tavolo.",
        "Lights a single lamp: the slot of a seat (lamp 3), the panel's LED\n"
        "(lamp seat 3), a button (lamp FLUSH), or all of them.\n"
        "Says when the board finds that a slot lamp draws no current.\n"
        "A technician must have entered, with the key at S. However it ends, the\n"
        "table then controls its outputs again.",
    ),
    arguments=Words(
        "POSTO|posto POSTO|COMBINAZIONE|tutte [accesa|allarme|spenta]",
        "SEAT|seat SEAT|COMBINATION|all [on|alert|dark]",
    ),
)
DISPLAY = CommandTexts(
    summary=Words("prova il display", "tests the display"),
    help=Words(
        "Senza testo mostra tutti i segmenti, tutte le lettere, poi il numero delle\n"
        "due righe; un tasto: avanti. Con un testo mostra quello, a capo dove sta |.\n"
        "Servono un tecnico entrato e la chiave in S. Alla fine, in ogni caso, le\n"
        "uscite tornano al tavolo.",
        "Without a text it shows every segment, every letter, then both lines by\n"
        "number; any key continues. With a text it shows that; | begins line 2.\n"
        "A technician must have entered, with the key at S. However it ends, the\n"
        "table then controls its outputs again.",
    ),
    arguments=Words("[TESTO]", "[TEXT]"),
)
GATE = CommandTexts(
    summary=Words("apre uno sportello", "opens a gate"),
    help=Words(
        "Apre una volta lo sportello di un posto, al massimo 2 s, e dice che cosa\n"
        "hanno contato il sensore di caduta e la vaschetta. Mettere prima un gettone:\n"
        "quello che cade non e' una puntata, e va ripreso dalla vaschetta.\n"
        "Servono un tecnico entrato e la chiave in S. Alla fine, in ogni caso, le\n"
        "uscite tornano al tavolo.",
        "Opens the gate of a seat once, for at most 2 s, and says what the drop\n"
        "sensor and the tray counted. Put a token in first: what drops is not a\n"
        "stake, and must be taken back out of the tray.\n"
        "A technician must have entered, with the key at S. However it ends, the\n"
        "table then controls its outputs again.",
    ),
    arguments=Words("POSTO", "SEAT"),
)
WALK = CommandTexts(
    summary=Words("tutte le uscite, una per volta", "every output, one after the other"),
    help=Words(
        "Accende una per volta le lampade degli slot, i LED, i pulsanti, il display,\n"
        "e apre gli sportelli; il terminale dice che cosa si deve vedere.\n"
        "Un tasto: avanti; n: annota che non si accende; q: fine.\n"
        "Servono un tecnico entrato e la chiave in S. Alla fine, in ogni caso, le\n"
        "uscite tornano al tavolo.",
        "Lights the slot lamps, LEDs, buttons and display one after the other, and\n"
        "opens the gates; the terminal says what should be seen.\n"
        "Any key continues, n notes that it is not lit, q ends it.\n"
        "A technician must have entered, with the key at S. However it ends, the\n"
        "table then controls its outputs again.",
    ),
)
RAIL = CommandTexts(
    summary=Words("la gettoniera", "the coin rail"),
    help=Words(
        "La gettoniera: se e' collegata, che cosa vedono i sensori, lampade\n"
        "guaste, contatori, errori, matricola e firmware, linea per linea.\n"
        "Con trame [N] anche le ultime N (10, al massimo 32) di ogni linea, in\n"
        "esadecimale e in chiaro, la piu' recente per ultima: > verso il dispositivo,\n"
        "< da esso. Per esempio: trame 5.",
        "The coin rail: whether it is connected, what its sensors see, dead\n"
        "lamps, counters, errors, serial number and firmware, line by line.\n"
        "With frames [N] also the last N (10, at most 32) of each of its lines, in\n"
        "hex and in words, the newest last: > to the device, < from it.\n"
        "For instance: frames 5.",
    ),
    arguments=Words("[trame [N]]", "[frames [N]]"),
)
SHUFFLER = CommandTexts(
    summary=Words("il mescolatore", "the shuffler"),
    help=Words(
        "Il mescolatore: se e' collegato, mazzi, carte contate, errori, firmware.\n"
        "Con trame [N] anche le ultime N (10, al massimo 32) di ogni linea, in\n"
        "esadecimale e in chiaro, la piu' recente per ultima: > verso il dispositivo,\n"
        "< da esso. Per esempio: trame 5.",
        "The shuffler: whether it is connected, its decks, cards counted, errors,\n"
        "firmware.\n"
        "With frames [N] also the last N (10, at most 32) of each of its lines, in\n"
        "hex and in words, the newest last: > to the device, < from it.\n"
        "For instance: frames 5.",
    ),
    arguments=Words("[trame [N]]", "[frames [N]]"),
)
SHOE = CommandTexts(
    summary=Words("il sabot", "the shoe"),
    help=Words(
        "Il sabot: se e' collegato, carte uscite, errori, firmware.\n"
        "Con trame [N] anche le ultime N (10, al massimo 32) di ogni linea, in\n"
        "esadecimale e in chiaro, la piu' recente per ultima: > verso il dispositivo,\n"
        "< da esso. Per esempio: trame 5.",
        "The shoe: whether it is connected, cards drawn, errors, firmware.\n"
        "With frames [N] also the last N (10, at most 32) of each of its lines, in\n"
        "hex and in words, the newest last: > to the device, < from it.\n"
        "For instance: frames 5.",
    ),
    arguments=Words("[trame [N]]", "[frames [N]]"),
)
PANEL = CommandTexts(
    summary=Words("la consolle", "the dealer panel"),
    help=Words(
        "La consolle: se e' collegata e in che stato e'. Gli ingressi: osserva.\n"
        "Con trame [N] anche le ultime N (10, al massimo 32) di ogni linea, in\n"
        "esadecimale e in chiaro, la piu' recente per ultima: > verso il dispositivo,\n"
        "< da esso. Per esempio: trame 5.",
        "The dealer panel: whether it is plugged in, and its state. Inputs: watch.\n"
        "With frames [N] also the last N (10, at most 32) of each of its lines, in\n"
        "hex and in words, the newest last: > to the device, < from it.\n"
        "For instance: frames 5.",
    ),
    arguments=Words("[trame [N]]", "[frames [N]]"),
)
DECLARE = CommandTexts(
    summary=Words("il capotavolo dichiara", "the floor manager declares"),
    help=Words(
        "Il capotavolo, con il suo PIN, dichiara quello che nessun sensore vede.\n"
        "Prima mostra che cosa succederebbe, poi chiede conferma.\n"
        "{0}",
        "The floor manager, by name and PIN, declares what no sensor can see.\n"
        "It shows what would happen first, then asks for confirmation.\n"
        "{1}",
    ),
    arguments=Words("DICHIARAZIONE", "DECLARATION"),
)
"''`{0}`, `{1}`: all declarations, in each language.''"
