"""Renders the figures of devices for the terminal. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from console.texts.language import Language, Words
from console.texts.layout.columns import columns, share
from console.texts.layout.paragraphs import paragraph
from console.texts.technician import device_texts
from console.texts.technician.device_texts import DOWN, TITLES, UP
from devices.figures import DeviceFigures, FrameSeen, LineCounts

_ITALIAN = {
    "asked": "chiesto",
    "awaited": "tavoli attesi",
    "award": "vincita",
    "calls waiting": "chiamate in attesa",
    "each": "a testa",
    "host": "server",
    "last answered": "ultima risposta",
    "role": "ruolo",
    "session": "sessione",
    "timeline": "timeline",
    "version": "versione",
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


def render_device(device: DeviceFigures, language: Language) -> list[str]:
    """Render one line of a device: whether it is connected, its state, counts and identity."""
    up = (UP if device.up else DOWN).in_(language)
    why = f" ({device.why_down})" if device.why_down and not device.up else ""
    lines = paragraph(f"{device.line}: {up}{why}", after="  ")
    lines += _render_facts(device_texts.STATE, device.state, language)
    if device.counts.received or device.counts.sent:
        counts = _render_counts(device.counts, language)
        lines += _render_fact(device_texts.FRAMES, counts, language)
    lines += _render_fact(device_texts.LINE, _render_connections(device.counts, language), language)
    lines += _render_facts(device_texts.IDENTITY, device.identity, language)
    return lines + _render_fact(device_texts.DRIVER, device.driver, language)


def _render_facts(title: Words, facts: Mapping[str, str], language: Language) -> list[str]:
    text = ", ".join(
        f"{_translate(key, language)} {_translate(value, language)}" for key, value in facts.items()
    )
    return _render_fact(title, text, language)


def _render_fact(title: Words, text: str, language: Language) -> list[str]:
    if not text:
        return []
    return paragraph(text, first=f"  {title.in_(language):10}", after=INDENT)


def _translate(word: str, language: Language) -> str:
    return _ITALIAN.get(word, word) if language is Language.IT else word


def _render_counts(counts: LineCounts, language: Language) -> str:
    words = device_texts.BAD_OUT_SENT_AGAIN
    bad = share(counts.bad, counts.received)
    text = words.in_(language).format(counts.received, counts.bad, bad, counts.sent, counts.retries)
    if not counts.unproven:
        return text
    unproven = device_texts.NOT_PROVED.in_(language)
    return text + unproven.format(counts.unproven)


def _render_connections(counts: LineCounts, language: Language) -> str:
    words = device_texts.CONNECTIONS_BOOTS
    text = words.in_(language).format(counts.connections, counts.boots)
    if counts.round_trip_ms is None:
        return text
    trip = device_texts.ROUND_TRIP_MS_MEAN
    last, mean = _render_ms(counts.round_trip_ms), _render_ms(counts.round_trip_mean_ms)
    return f"{text}, {trip.in_(language).format(last, mean)}"


def _render_ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def render_frames(frames: Sequence[FrameSeen], language: Language) -> list[str]:
    """Render the frames, newest last: how long ago, direction, bytes in hex, meaning."""
    if not frames:
        return [device_texts.NO_FRAMES.in_(language)]
    lines: list[str] = []
    for frame in frames:
        way = ">" if frame.sent else "<"
        head = f"{-frame.ago_ms / 1000:10.3f} s {way} "
        margin = " " * len(head)
        hex_lines = _hex_lines(frame.raw)
        lines += [f"{margin if at else head}{line}" for at, line in enumerate(hex_lines)]
        if frame.says:
            lines += paragraph(frame.says, first=margin, after=f"{margin}  ")
    return lines


def _hex_lines(raw: bytes) -> list[str]:
    """Render sixteen bytes per line, in two groups of eight."""
    rows = [raw[at : at + BYTES_A_LINE] for at in range(0, len(raw), BYTES_A_LINE)] or [b""]
    half = BYTES_A_LINE // 2
    return [f"{row[:half].hex(' ')}  {row[half:].hex(' ')}".rstrip() for row in rows]


def render_lines(devices: Iterable[DeviceFigures], language: Language) -> list[str]:
    """Render every line's counts in a table; disconnected lines come first."""
    rows = [TITLES.in_(language).split()]
    for device in sorted(devices, key=lambda device: device.up):
        counts = device.counts
        rows.append(
            [
                device.line,
                (device_texts.IS_UP if device.up else device_texts.NO).in_(language),
                str(counts.received),
                str(counts.sent),
                str(counts.bad),
                share(counts.bad, counts.received),
                str(counts.retries),
                str(counts.connections),
                str(counts.boots),
                _render_ms(counts.round_trip_ms),
                _render_ms(counts.round_trip_mean_ms),
            ]
        )
    return columns(rows, right=range(2, len(rows[0])))
