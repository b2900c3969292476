"""What `banco forecast` and the supervisor's tile say in both languages."""

from console.texts.language import Words

COSTS = Words(
    "Su 100 gettoni ({0}) il jackpot costa {1}.",
    "Of 100 tokens ({0}) the jackpot costs {1}.",
)
WON_WHOLE = Words(
    "È vinto intero una volta ogni {0} gettoni ({1} di gioco); un premio ogni {2} gettoni ({3}).",
    "It is won whole once in {0} tokens ({1} of play); some prize once in {2} tokens ({3}).",
)
NEVER_WHOLE = Words(
    "Non è mai vinto intero; un premio ogni {0} gettoni ({1} di gioco).",
    "It is never won whole; some prize once in {0} tokens ({1} of play).",
)
METER_AFTER = Words(
    "Dopo 24 ore segna {0} (dal 5 al 95 %: {1} - {2}), dopo 30 giorni {3} ({4} - {5}).",
    "After 24 hours it reads {0} (5 to 95 %: {1} - {2}), after 30 days {3} ({4} - {5}).",
)
MINUTES = Words("{0} min", "{0} min")
HOURS = Words("{0} h", "{0} h")
PER_100 = Words("Su 100 gettoni, {0}", "Of 100 tokens, {0}")
TO_JACKPOT = Words("al jackpot", "to the jackpot")
TO_RESERVE = Words("alla riserva", "to the reserve")
PRIZES_BY_HOUSE = Words("premi pagati dalla casa", "prizes that the house pays")
PRIZE = Words("premio", "prize")
PAYS = Words("paga", "pays")
ENVY = Words("envy", "envy")
TOKENS_BETWEEN = Words("gettoni tra due", "tokens between")
TIME_BETWEEN = Words("gioco tra due", "play between")
BY_HOUSE = Words("{0}, casa", "{0}, house")
METER = Words("jackpot, {0}", "meter, {0}")
PAID_BACK = Words("torna, %", "paid back, %")
HOUSE_KEEPS = Words("resta alla casa, %", "the house keeps, %")
OPENING = Words("apertura", "opening")
BASE = Words("base", "base")
LIMIT = Words("limite", "limit")
EQUILIBRIUM = Words("equilibrio", "equilibrium")
BREAK_EVEN = Words("pareggio", "break-even")
NO_EQUILIBRIUM = Words(
    "Equilibrio: nessuno, il jackpot non paga mai quanto riceve.",
    "Equilibrium: none, the jackpot never pays out what it is brought.",
)
NO_BREAK_EVEN = Words(
    "Pareggio: nessuno, un gettone non vale mai il suo prezzo.",
    "Break-even: none, a token is never worth its price.",
)
ABOVE_LIMIT = Words("{0} (sopra il limite)", "{0} (above the limit)")
SIMULATED = Words(
    "Simulazione: {0} serie di {1} ore di gioco, {2} gettoni e {3} mani l'ora, --seed {4}",
    "Simulation: {0} runs of {1} hours of play, {2} tokens and {3} hands an hour, --seed {4}",
)
MEDIAN = Words("mediana", "median")
AFTER_A_DAY = Words("jackpot dopo 24 ore", "meter after 24 hours")
AFTER_A_MONTH = Words("jackpot dopo 30 giorni", "meter after 30 days")
AT_THE_END = Words("jackpot alla fine", "meter at the end")
LARGEST = Words("vincita più alta", "largest award")
PAID = Words("vincite pagate", "awards paid")
BY_RESERVE = Words("dalla riserva per la base", "by the reserve for the base")
BY_HOUSE_FOR_BASE = Words("dalla casa per la base", "by the house for the base")
BY_HOUSE_FOR_PRIZES = Words("dalla casa per i premi", "by the house for prizes")
RUNS_DONE = Words("\rserie {0} di {1}", "\rrun {0} of {1}")
PLOT_TITLE = Words("Jackpot previsto, {0}", "The meter forecast, {0}")
PLOT_BAND = Words("dal 5 al 95 % delle serie", "5 to 95 % of the runs")
PLOT_MEDIAN = Words("mediana", "median")
PLOT_PLAYED = Words("giocato davvero", "really played")
PLOT_HOURS = Words("ore di gioco", "hours of play")
NOT_PROGRESSIVE = Words(
    "{0} non ha jackpot: non c'è niente da prevedere",
    "{0} has no progressive: there is nothing to forecast",
)
