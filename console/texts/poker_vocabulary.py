"""The words of a poker table's records in both languages: acts and decisions."""

from collections.abc import Mapping

from console.texts.language import Words

POKER_ACTS: Mapping[str, Words] = {
    "boards": Words("{who}: {boards} board", "{who}: {boards} boards"),
    "board-corrected": Words("{who}: board corretto", "{who}: board mended"),
    "time-adjusted": Words("{who}: tempo {seconds}", "{who}: time {seconds}"),
    "clock": Words("{who}: orologio in moto: {running}", "{who}: clock running: {running}"),
    "clock-set": Words("{who}: orologio al livello {level}", "{who}: clock set to level {level}"),
    "clock-shown": Words("orologio dalla centrale", "clock from the centre"),
    "prior-level": Words("{who}: bui del livello precedente", "{who}: blinds of the prior level"),
    "hand-for-hand": Words("{who}: mano per mano: {on}", "{who}: hand for hand: {on}"),
    "go": Words("{who}: via", "{who}: go"),
    "change": Words("{who}: mazzo da cambiare", "{who}: deck to be changed"),
    "half-rake": Words("{who}: rake dimezzata: {on}", "{who}: half rake: {on}"),
    "jackpot-hit": Words("{who}: jackpot al posto {seat}", "{who}: jackpot hit at seat {seat}"),
    "players": Words("{who}: giocatori {players}", "{who}: players {players}"),
    "rake-corrected": Words("{who}: rake corretta", "{who}: rake corrected"),
    "drop": Words("{who}: cassetta {cents}", "{who}: rake box {cents}"),
}

POKER_DECISIONS: Mapping[str, Words] = {
    "hand-begun": Words("mano, {players} giocatori", "hand, {players} players"),
    "dealt": Words("carte date, distribuzione {deal}", "cards dealt, deal {deal}"),
    "misdeal": Words("misdeal", "misdeal"),
    "hand-over": Words("mano finita", "hand over"),
    "new-dealer": Words("cambio mazziere", "new dealer"),
    "deck-changed": Words("mazzo cambiato", "deck changed"),
    "level-announced": Words("livello {level}", "level {level}"),
    "break-announced": Words("pausa", "break"),
    "time-called": Words("tempo chiamato", "time called"),
    "time-expired": Words("tempo scaduto", "time is up"),
    "rake-taken": Words("rake {parts}", "rake {parts}"),
    "rake-corrected": Words("rake ora {parts}", "rake now {parts}"),
    "jackpot-hit": Words("quota {share} %", "share {share} %"),
    "drop-counted": Words(
        "attesi {expected_cents}, differenza {difference_cents}",
        "expected {expected_cents}, difference {difference_cents}",
    ),
}
