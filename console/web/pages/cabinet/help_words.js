/** The help's own text. `needs`: only for a table that has this, or a shuffler of this kind. */

export const HELP = [
  {
    needs: "rail",
    word: {
      it: "Un clic su un posto punta il gettone, un altro lo riprende. Si trascina una carta dal mazzetto "
        + "sopra un posto per coprirlo, e via dal posto per scoprirlo. «In mano» cambia ciò che fa il clic. "
        + "Il tasto destro, o ⋯, mostra tutte le azioni di un posto.",
      en: "A click on a seat puts a token in, another one takes it back. Drag a card from the stack onto a "
        + "seat to cover it, and away from it to uncover it. “In hand” changes what a click does. The right "
        + "button, or ⋯, shows all that can be done at a seat.",
    },
  },
  {
    word: {
      it: "La chiave gira con un clic sulla posizione, o con le frecce. La spina e i cavi sono sotto il "
        + "tavolo. Ogni gesto è un atto di uno scenario: «Salva come scenario» li scrive in un file.",
      en: "The key turns by a click on a position, or by the arrow keys. Plug and cables are under the "
        + "table. All that is done is an act of a scenario: “Save as scenario” writes them into a file.",
    },
  },
];

const COMBINATIONS = { it: "le combinazioni, da sinistra", en: "the combinations, from the left" };
const STAKE = { it: "punta o riprende il gettone", en: "put the token in, or take it back" };
const COVER = { it: "copre o scopre il posto", en: "cover the seat, or uncover it" };
const MANAGER = { it: "capotavolo e tecnico", en: "floor manager and technician" };

export const KEYS = [
  { keys: "C", word: { it: "COIN IN", en: "COIN IN" } },
  { keys: "G", word: { it: "GAME OVER", en: "GAME OVER" } },
  { keys: "J", needs: "rail", word: { it: "JPOT", en: "JPOT" } },
  { keys: "Q W E R T", needs: "rail", word: COMBINATIONS },
  { keys: "1 … 7", needs: "rail", word: STAKE },
  { keys: "Shift 1 … 7", needs: "rail", word: COVER },
  { keys: "K, ← →", word: { it: "va alla chiave, la gira", en: "go to the key, turn it" } },
  { keys: "P", needs: "dealer", word: { it: "prende il pacchetto", en: "take the packet" } },
  { keys: "D", needs: "shoe", word: { it: "estrae una carta", en: "draw a card" } },
  { keys: "M", word: MANAGER },
  { keys: "/", word: { it: "scrive un atto", en: "type an act" } },
  { keys: "?", word: { it: "questo aiuto", en: "this help" } },
];
