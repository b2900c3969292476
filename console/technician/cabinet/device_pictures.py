"""How a device's figures are laid out for a person: what is wrong first, then what it is. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from console.texts.language import Language, Words
from console.texts.layout.columns import columns, share
from console.texts.layout.paragraphs import paragraph
from devices.figures import DeviceFigures, FrameSeen, LinkFigures

UP = Words("presente", "there")
DOWN = Words("ASSENTE", "NOT THERE")

_ITALIAN = {
    "boot": "avvio",
    "card waiting": "carta in attesa",
    "counters ran backwards": "contatori all'indietro",
    "dead lamps": "lampade guaste",
    "drops": "cadute",
    "firmware": "firmware",
    "kind": "tipo",
    "line 1": "riga 1",
    "line 2": "riga 2",
    "none": "nessuno",
    "occupied": "occupati",
    "open gates": "sportelli aperti",
    "protocol": "protocollo",
    "seats": "posti",
    "serial": "matricola",
    "tray": "vaschetta",
}

INDENT = " " * 12
BYTES_A_LINE = 16


def device_lines(one: DeviceFigures, language: Language) -> list[str]:
    """A line of a device: whether it is there, its state, its counts, its identity."""
    up = (UP if one.up else DOWN).in_(language)
    why = f" ({one.why_down})" if one.why_down and not one.up else ""
    told = paragraph(f"{one.line}: {up}{why}", after="  ")
    told += _facts(Words("stato", "state"), one.state, language)
    if one.link.received or one.link.sent:
        told += _fact(Words("trame", "frames"), _counts(one.link, language), language)
    told += _fact(Words("linea", "link"), _link(one.link, language), language)
    told += _facts(Words("identita'", "identity"), one.identity, language)
    return told + _fact(Words("driver", "driver"), one.driver, language)


def _facts(title: Words, facts: Mapping[str, str], language: Language) -> list[str]:
    told = ", ".join(
        f"{_translate(key, language)} {_translate(value, language)}" for key, value in facts.items()
    )
    return _fact(title, told, language)


def _fact(title: Words, text: str, language: Language) -> list[str]:
    if not text:
        return []
    return paragraph(text, first=f"  {title.in_(language):10}", after=INDENT)


def _translate(word: str, language: Language) -> str:
    return _ITALIAN.get(word, word) if language is Language.IT else word


def _counts(link: LinkFigures, language: Language) -> str:
    words = Words(
        "{0} ricevute, {1} errate ({2} %), {3} inviate, {4} ripetute",
        "{0} in, {1} bad ({2} %), {3} out, {4} sent again",
    )
    bad = share(link.bad, link.received)
    return words.in_(language).format(link.received, link.bad, bad, link.sent, link.retries)


def _link(link: LinkFigures, language: Language) -> str:
    words = Words("collegamenti {0}, riavvii {1}", "connections {0}, boots {1}")
    told = words.in_(language).format(link.connections, link.boots)
    if link.round_trip_ms is None:
        return told
    trip = Words("andata e ritorno {0} ms, media {1}", "round trip {0} ms, mean {1}")
    times = trip.in_(language).format(_ms(link.round_trip_ms), _ms(link.round_trip_mean_ms))
    return f"{told}, {times}"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def frame_lines(frames: Sequence[FrameSeen], language: Language) -> list[str]:
    """The frames, newest last: how long ago, which way, the bytes in hex, what they say."""
    if not frames:
        return [Words("  nessuna trama", "  no frames").in_(language)]
    lines: list[str] = []
    for frame in frames:
        way = ">" if frame.sent else "<"
        head = f"{-frame.ago_ms / 1000:10.3f} s {way} "
        margin = " " * len(head)
        hexed = _hex_lines(frame.raw)
        lines += [f"{margin if at else head}{line}" for at, line in enumerate(hexed)]
        if frame.says:
            lines += paragraph(frame.says, first=margin, after=f"{margin}  ")
    return lines


def _hex_lines(raw: bytes) -> list[str]:
    """Sixteen bytes a line, in two groups of eight, which a person can count."""
    rows = [raw[at : at + BYTES_A_LINE] for at in range(0, len(raw), BYTES_A_LINE)] or [b""]
    half = BYTES_A_LINE // 2
    return [f"{row[:half].hex(' ')}  {row[half:].hex(' ')}".rstrip() for row in rows]


TITLES = Words(
    "LINEA ? RICEVUTE INVIATE ERRATE % RIPET TROV AVVII MS MEDIA",
    "LINE ? IN OUT BAD % AGAIN FOUND BOOTS MS MEAN",
)


def link_table(devices: Iterable[DeviceFigures], language: Language) -> list[str]:
    """Every line's counts in a table; what is not there comes first."""
    rows = [TITLES.in_(language).split()]
    for one in sorted(devices, key=lambda one: one.up):
        link = one.link
        rows.append(
            [
                one.line,
                (Words("si'", "up") if one.up else Words("NO", "NO")).in_(language),
                str(link.received),
                str(link.sent),
                str(link.bad),
                share(link.bad, link.received),
                str(link.retries),
                str(link.connections),
                str(link.boots),
                _ms(link.round_trip_ms),
                _ms(link.round_trip_mean_ms),
            ]
        )
    return columns(rows, right=range(2, len(rows[0])))
