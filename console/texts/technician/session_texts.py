"""What the technician's line says of commands, people and sessions."""

from console.texts.language import Words

EXAMPLE = Words("esempio", "example")
LISTED = Words("aiuto li elenca.", "help lists them.")
PERHAPS = Words("Forse: {0}", "Perhaps: {0}")
NO_COMMAND = Words("comando sconosciuto: {0}.", "no command {0}.")
WHICH_ONE = Words("quale: {0}?", "which one: {0}?")
WHAT_WRONG = Words("Che cosa non va", "What is wrong")
TESTING_CABINET_OUTPUTS_KEY = Words(
    "Provare il mobile (le uscite: chiave in S)",
    "Testing the cabinet (outputs: key at S)",
)
MAKING_CHANGES_NAME_AND = Words("Modificare (con nome e PIN)", "Making changes (with name and PIN)")
POKER = Words("Il poker", "Poker")
PROGRAM_AND_LINE = Words("Il programma e questa linea", "The program and this line")
SECOND = Words("Nome del cassiere che conferma: ", "Name of the cashier who confirms: ")
