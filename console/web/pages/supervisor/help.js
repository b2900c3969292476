/** What the page's parts show, and what it cannot do. */

import { put } from "../common/frame.js";
import { language } from "../common/words.js";

const TEXT = {
  it: [
    ["Adesso", "Il tavolo com'è in questo momento: fase, mano, posti, chiave, conti, guasti presenti con quello che c'è da fare, e il registro che cresce. I contatori partono dall'ultima conta della vaschetta."],
    ["Mani", "Le mani di una notte, le più nuove in alto: gettoni, vincite, durata da COIN IN a GAME OVER. Il numero di una mano la apre atto per atto, ripetuta dal registro: se un atto non concorda, è indicato."],
    ["Bordereau", "Il bordereau di ogni notte, come lo stampa banco report: sulla pagina, come testo di 40 colonne, come PDF."],
    ["Andamento", "Il jackpot nel tempo, i gettoni per mano, la durata delle mani: stanotte, le ultime sette notti, o un periodo a scelta. Sotto ogni grafico gli stessi dati in tabella. Una pausa di più di 30 minuti non conta come mano."],
    ["Che cosa non si può fare", "Da questa pagina non si modifica nulla: né il tavolo, né il registro, né le impostazioni. Per questo ci sono la consolle e il terminale del tecnico."],
    ["Accesso e uscita", "La sessione scade dopo 10 minuti senza toccare la pagina, in ogni caso dopo 8 ore, e quando cambia l'elenco delle persone. Gli aggiornamenti automatici non la prolungano. Dopo tre PIN sbagliati bisogna aspettare, ogni volta di più."],
    ["Se il tavolo non risponde", "La pagina lo scrive in alto, e riprende da sola. Mani, bordereau e andamento si leggono anche intanto, finché il processo delle pagine è acceso."],
    ["Le ore", "Sono quelle di questo computer; sul bordereau, quelle del tavolo."],
  ],
  en: [
    ["Now", "The table as it is at this moment: phase, round, seats, key, accounts, the faults present with what to do about them, and the record as it grows. The meters begin where the tray was last counted."],
    ["Rounds", "A night's rounds, the newest on top: tokens, awards, the time from COIN IN to GAME OVER. Click a round's number to see it act by act, replayed from the record; an act that does not agree is marked."],
    ["Bordereaux", "Each night's bordereau, as banco report prints it: on the page, as text of 40 columns, as PDF."],
    ["Trends", "The jackpot over time, tokens per round, hand times: tonight, the last seven nights, or a period of your choice. The same data as a table stands under each plot. A pause of more than 30 minutes does not count as a hand."],
    ["What cannot be done", "This page changes nothing: not the table, not the ledger, not the settings. Use the panel and the technician's terminal for that."],
    ["Signing in and out", "A session ends after 10 minutes without activity, after 8 hours in any case, and when the list of people changes. Automatic refreshes do not extend it. After three wrong PINs you have to wait, longer each time."],
    ["When the table does not answer", "The page says so at the top, and recovers by itself. Meanwhile rounds, bordereaux and trends can still be read, as long as the process that serves the pages is running."],
    ["Times", "Times are in this computer's time zone; on a bordereau, in the table's."],
  ],
};

/** @param {HTMLElement} root */
export function writeHelp(root) {
  root.replaceChildren();
  for (const [title, text] of TEXT[language()]) {
    put("h3", "", root, title);
    put("p", "", root, text);
  }
}
