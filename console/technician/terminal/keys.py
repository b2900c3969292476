"""Decodes the bytes of a terminal into keys, and ignores noise.

Pure and incremental: pieces of any size and content raise nothing, and at most `LONGEST_SEQUENCE`
bytes are kept. A printable ASCII character is itself; a letter with an accent becomes `e'`, as on
the display.
"""

from collections.abc import Iterator, Mapping
from enum import Enum

from console.texts.layout import plain


class Key(Enum):
    """A key other than a character."""

    ENTER = "enter"
    TAB = "tab"
    ESCAPE = "escape"
    BACKSPACE = "backspace"
    DELETE = "delete"
    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"
    HOME = "home"
    END = "end"
    WORD_LEFT = "word left"
    WORD_RIGHT = "word right"
    ERASE_WORD = "erase word"
    ERASE_BEFORE = "erase before"
    ERASE_AFTER = "erase after"
    REDRAW = "redraw"
    INTERRUPT = "interrupt"
    END_OF_INPUT = "end of input"
    PAUSE = "pause"
    GO_ON = "go on"


Press = str | Key
"""One printable ASCII character, or a key."""

SEQUENCE_S = 0.1
"""An incomplete sequence is given up this long after its last byte; a lone ESC is then the key.

At 9600 baud a byte takes 1 ms, and a USB adapter delivers every 16 ms."""

LONGEST_SEQUENCE = 16
"""Most bytes of a control sequence with a meaning."""

LONGEST_STRING = 256
"""Most bytes ignored as a terminal's unrequested report."""

_ESC, _NUL, _LF, _CR, _SPACE, _DEL = 0x1B, 0x00, 0x0A, 0x0D, 0x20, 0x7F
_PRINTABLE = range(_SPACE, _DEL)
_FINAL = range(0x40, _DEL)

_HIGH = 0x80
_UTF8_FIRST = range(0xC2, 0xF5)
_UTF8_THREE, _UTF8_FOUR = 0xE0, 0xF0

_CONTROLS: Mapping[int, Key] = {
    0x01: Key.HOME,  # Ctrl-A
    0x02: Key.LEFT,  # Ctrl-B
    0x03: Key.INTERRUPT,  # Ctrl-C
    0x04: Key.END_OF_INPUT,  # Ctrl-D
    0x05: Key.END,  # Ctrl-E
    0x06: Key.RIGHT,  # Ctrl-F
    0x08: Key.BACKSPACE,
    0x09: Key.TAB,
    _LF: Key.ENTER,
    0x0B: Key.ERASE_AFTER,  # Ctrl-K
    0x0C: Key.REDRAW,  # Ctrl-L
    _CR: Key.ENTER,
    0x0E: Key.DOWN,  # Ctrl-N
    0x10: Key.UP,  # Ctrl-P
    0x11: Key.GO_ON,  # Ctrl-Q, XON
    0x13: Key.PAUSE,  # Ctrl-S, XOFF
    0x15: Key.ERASE_BEFORE,  # Ctrl-U
    0x17: Key.ERASE_WORD,  # Ctrl-W
    _DEL: Key.BACKSPACE,
}

_FINALS: Mapping[str, Key] = {
    "A": Key.UP,
    "B": Key.DOWN,
    "C": Key.RIGHT,
    "D": Key.LEFT,
    "H": Key.HOME,
    "F": Key.END,
}
"""`ESC [ A`, `ESC O A`, and with parameters between."""

_NUMBERED: Mapping[str, Key] = {
    "1": Key.HOME,
    "3": Key.DELETE,
    "4": Key.END,
    "7": Key.HOME,
    "8": Key.END,
}
"""`ESC [ 3 ~`."""

_BY_WORDS: Mapping[Key, Key] = {Key.LEFT: Key.WORD_LEFT, Key.RIGHT: Key.WORD_RIGHT}
_WITH_CTRL_OR_ALT = ("3", "5", "7")

_WITH_ESC: Mapping[int, Key] = {
    ord("b"): Key.WORD_LEFT,
    ord("f"): Key.WORD_RIGHT,
    0x08: Key.ERASE_WORD,
    _DEL: Key.ERASE_WORD,
}
"""Alt and a key."""

_STRINGS = b"]PX^_"


class KeyReader:
    """Decodes a stream of bytes.

    `moves_cursor`: a cursor key's sequence has come, so the terminal understands such sequences.
    """

    def __init__(self) -> None:
        self.moves_cursor = False
        self._sequence = bytearray()  # since ESC, ESC included
        self._swallowed = 0  # of a string, or of a sequence that is too long
        self._letter = bytearray()  # a UTF-8 character so far
        self._after_cr = False
        self._last_s = 0.0

    @property
    def deadline(self) -> float | None:
        """When to call `flush`, in seconds of the clock passed to `feed`; None: never."""
        return self._last_s + SEQUENCE_S if self._sequence or self._letter else None

    def feed(self, data: bytes, now: float) -> list[Press]:
        """Take bytes and return the keys that they complete."""
        self._last_s = now
        presses: list[Press] = []
        for byte in data:
            if byte in _PRINTABLE and not (self._sequence or self._letter):
                self._after_cr = False
                presses.append(chr(byte))
            else:
                presses.extend(self._take(byte))
        return presses

    def flush(self, now: float) -> list[Press]:
        """Return the key of an incomplete sequence after the deadline: a lone ESC."""
        if self.deadline is None or now < self.deadline:
            return []
        alone = len(self._sequence) == 1
        broken = bool(self._letter)
        self._forget()
        return [Key.ESCAPE] if alone else ["?"] if broken else []

    def _forget(self) -> None:
        self._sequence.clear()
        self._letter.clear()
        self._swallowed = 0

    def _take(self, byte: int) -> Iterator[Press]:
        if self._letter:
            if byte & 0xC0 == _HIGH:
                yield from self._continue_letter(byte)
                return
            self._letter.clear()
            yield "?"
        if byte == _ESC:
            self._forget()
            self._sequence.append(byte)
        elif self._sequence:
            yield from self._continue_sequence(byte)
        else:
            yield from self._take_single(byte)

    def _take_single(self, byte: int) -> Iterator[Press]:
        after_cr, self._after_cr = self._after_cr, byte == _CR
        if after_cr and byte in (_LF, _NUL):
            return
        if byte in _PRINTABLE:
            yield chr(byte)
        elif byte in _CONTROLS:
            yield _CONTROLS[byte]
        elif byte >= _HIGH:
            if byte in _UTF8_FIRST:
                self._letter.append(byte)
            else:
                yield "?"

    def _continue_letter(self, byte: int) -> Iterator[Press]:
        self._letter.append(byte)
        first = self._letter[0]
        if len(self._letter) < (2 + (first >= _UTF8_THREE) + (first >= _UTF8_FOUR)):
            return
        yield from plain(self._letter.decode("utf-8", "replace"))[:4]
        self._letter.clear()

    def _continue_sequence(self, byte: int) -> Iterator[Press]:
        if len(self._sequence) == 1:
            yield from self._take_after_esc(byte)
        elif byte < _SPACE:
            # No sequence contains a control character: the bytes before it were noise.
            self._forget()
            yield from self._take_single(byte)
        elif self._sequence[1] in _STRINGS:
            self._swallow(LONGEST_STRING)
        elif byte >= _DEL:
            self._forget()
        else:
            yield from self._take_control(byte)

    def _take_after_esc(self, byte: int) -> Iterator[Press]:
        if byte in b"[O" or byte in _STRINGS:
            self._sequence.append(byte)
            return
        self._forget()
        if byte in _WITH_ESC:
            yield _WITH_ESC[byte]
        elif byte < _SPACE:
            yield Key.ESCAPE
            yield from self._take_single(byte)

    def _take_control(self, byte: int) -> Iterator[Press]:
        function_key = self._sequence == b"\x1b[" and byte == ord("[")  # Linux: `ESC [ [ A`
        if byte not in _FINAL or function_key:
            if len(self._sequence) < LONGEST_SEQUENCE:
                self._sequence.append(byte)
            else:
                self._swallow(LONGEST_STRING)
            return
        parameters = self._sequence[2:].decode("ascii").split(";")
        too_long = self._swallowed > 0
        self._forget()
        key = None if too_long else _key_of(chr(byte), parameters)
        if key is not None:
            self.moves_cursor = True
            yield key

    def _swallow(self, at_most: int) -> None:
        self._swallowed += 1
        if self._swallowed >= at_most:
            self._forget()


def _key_of(final: str, parameters: list[str]) -> Key | None:
    """Return the key of a control sequence; None if it has no meaning here."""
    if final == "~":
        return _NUMBERED.get(parameters[0])
    key = _FINALS.get(final)
    if key is None or parameters[0].startswith("["):
        return None
    return _BY_WORDS.get(key, key) if parameters[-1] in _WITH_CTRL_OR_ALT else key
