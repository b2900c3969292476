"""Why a file that a person names cannot be used."""

from console.texts.language import Words

TOO_LONG = Words("è più lungo di {0} byte", "is longer than {0} bytes")
NOT_UTF_8 = Words(
    "non è testo UTF-8 (byte {0}): salvarlo come UTF-8",
    "is not UTF-8 text (wrong at byte {0}): save it as UTF-8",
)
UTF_16 = Words(
    "non è testo UTF-8 (UTF-16): salvarlo come UTF-8",
    "is not UTF-8 text (UTF-16): save it as UTF-8",
)
UNREADABLE = Words("non si può leggere: {0}", "cannot be read: {0}")
NOT_TOML = Words("non è TOML: {0}", "is not TOML: {0}")
TOO_DEEP = Words(
    "non è TOML leggibile: troppi livelli uno nell'altro",
    "is not TOML that can be read: it is nested too deeply",
)
NUMBER_TOO_LARGE = Words(
    "non è TOML leggibile: un numero è troppo grande",
    "is not TOML that can be read: a number is too large",
)
KEY_TOO_LARGE = Words("{0}: il numero è troppo grande", "{0}: the number is too large")
