"""A coin rail's board, complete except for its pins: docs/reference/wire-protocol.md.

Call `receive` with the bytes from the port, call `poll` every millisecond, and send what it
returns. Set `occupied`, and call `count_drop` and `count_tray`, from the sensors. Drive lamps and
gates from `lamps` and `gates`. Times are milliseconds since boot, in a counter that never wraps.

For a product take firmware_bridge/board instead: it also debounces the sensors, makes such a
counter of a chip's, and bounds every buffer.
"""

import hashlib
import struct
import zlib


def stuffed(data):
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def unstuffed(data):
    out, at = b"", 0
    while at < len(data):
        out += data[at + 1 : at + data[at]] + b"\0"
        at += data[at]
    return out[:-1] if at == len(data) else b""


def frame(payload):
    return stuffed(payload + struct.pack("<I", zlib.crc32(payload))) + b"\0"


class MinimalBoard:
    def __init__(self, boot):
        self.boot, self.number, self.applied, self.session = boot, 0, 0, None
        self.attended, self.heard_at, self.sent_at, self.sent = False, 0, -300, None
        self.lamps, self.gates, self.occupied, self.tray = 0, 0, 0, 0
        self.drops, self.served, self.close_at = [0] * 7, [0] * 7, [0] * 7
        self.gathered, self.out = b"", b""

    def receive(self, data, now):
        for byte in data:
            if byte:
                self.gathered = (self.gathered + bytes([byte]))[:256]  # 256: too long
                continue
            body = unstuffed(self.gathered) if len(self.gathered) < 256 else b""
            self.gathered = b""
            if len(body) > 4 and zlib.crc32(body) == 0x2144DF1C:
                self.obey(body[:-4], now)

    def obey(self, message, now):
        if message[0] == 0x01 and len(message) >= 6:
            version, session = struct.unpack_from("<BI", message, 1)
            self.out = b"\0" + frame(self.identity(1, session))
            if version == 1:
                self.attend(session, now)
        elif message[0] == 0x02 and len(message) >= 8 and self.attended:
            number, lamps, gates, turn = struct.unpack_from("<HHBH", message, 1)
            if not number or lamps >> 14 or gates >> 7 or (gates and not turn):
                return
            self.heard_at = now
            if self.applied and not 0 < (number - self.applied) % 65536 < 32768:
                return
            self.applied, self.lamps = number, lamps
            self.gates &= gates
            for seat in range(7):
                if gates >> seat & 1 and self.served[seat] != turn:
                    self.served[seat], self.close_at[seat] = turn, now + 2000
                    self.gates |= 1 << seat

    def identity(self, version, session):
        head = struct.pack("<BBBBII", 0x81, version, 1, 7, self.boot, session)
        return head + b"MINIMAL " + bytes([1, 0, 0])

    def attend(self, session, now):
        self.attended, self.heard_at, self.sent = True, now, None
        if session != self.session:
            self.session, self.applied, self.gates = session, 0, 0

    def prove(self, message):
        return message

    def count_drop(self, seat):
        self.drops[seat - 1] = (self.drops[seat - 1] + 1) % 65536
        self.gates &= ~(1 << (seat - 1))

    def count_tray(self):
        self.tray = (self.tray + 1) % 65536

    def poll(self, now):
        if self.attended and now - self.heard_at >= 1000:
            self.attended, self.applied, self.lamps, self.gates = False, 0, 0, 0
        for seat in range(7):
            if now >= self.close_at[seat]:
                self.gates &= ~(1 << seat)
        out, self.out = self.out, b""
        body = struct.pack(
            "<IHBBB7HHB",
            self.boot,
            self.applied,
            not self.attended,
            self.occupied,
            self.gates,
            *self.drops,
            self.tray,
            0,
        )
        if now - self.sent_at >= (300 if body == self.sent else 5):
            self.number = (self.number + 1) % 65536
            self.sent, self.sent_at = body, now
            out += frame(self.prove(struct.pack("<BH", 0x82, self.number) + body))
        return out


def mac(key, data):
    return hashlib.blake2s(data, key=key).digest()[:8]


class Session:
    def __init__(self, number, key):
        self.number, self.key, self.sent, self.taken = number, key, 0, 0

    def prove(self, message):
        self.sent = min(self.sent + 1, 0xFFFFFFFF)
        message += struct.pack("<II", self.number, self.sent)
        return message + mac(self.key, message)

    def take(self, message):
        if len(message) > 16:
            number, count = struct.unpack_from("<II", message, len(message) - 16)
            proved = mac(self.key, message[:-8]) == message[-8:]
            if proved and number == self.number and count > self.taken:
                self.taken = count
                return message[:-16]
        return None


class ProvedBoard(MinimalBoard):
    def __init__(self, boot, key=None):
        super().__init__(boot)
        self.key, self.jumper = key, False
        self.greeted, self.greeting, self.next, self.present = None, 0, None, None

    def obey(self, message, now):
        version, challenge = message[1:2], message[6:14]
        if message[0] == 0x01 and len(message) >= 14 and version == b"\2":
            session = struct.unpack_from("<I", message, 2)[0]
            self.greet(session, challenge)
            self.answer(session, challenge)
        elif message[0] == 0x01 and len(message) >= 6 and self.key:
            self.answer(struct.unpack_from("<I", message, 2)[0], b"")
        elif message[0] == 0x03 and len(message) >= 30 and version == b"\2":
            self.take_key(message)
        elif message[0] == 0x02 and self.key:
            self.take_want(message, now)
        else:
            super().obey(message, now)

    def greet(self, session, challenge):
        if self.greeted == (session, challenge):
            return
        self.greeted, self.next = (session, challenge), None
        if self.greeting < 0xFFFFFFFF:
            self.greeting += 1
            if self.key:
                seed = b"\0" + challenge
                seed += struct.pack("<III", session, self.boot, self.greeting)
                key = hashlib.blake2s(seed, key=self.key).digest()
                self.next = Session(session, key)

    def answer(self, session, challenge):
        state = (1 if self.key else 0) | (2 if self.jumper else 0)
        head = self.identity(2, session) + struct.pack("<BI", state, self.greeting)
        proved = mac(self.key, challenge + head) if self.key and challenge else bytes(8)
        self.out = b"\0" + frame(head + proved)

    def take_key(self, message):
        session, key = struct.unpack_from("<I", message, 2)[0], message[14:30]
        mine = message[6:14] == b"MINIMAL " and self.greeted and self.greeted[0] == session
        if mine and key != self.key and (self.jumper or not self.key):
            self.key = key  # write it, read it back
            self.greeted = self.next = self.present = self.sent = None
            self.attended, self.applied, self.lamps, self.gates = False, 0, 0, 0

    def take_want(self, message, now):
        taken = self.next.take(message) if self.next else None
        if taken:
            self.present, self.next, self.session = self.next, None, None
            self.attend(self.present.number, now)
        elif self.present:
            taken = self.present.take(message)
        if taken:
            super().obey(taken, now)

    def prove(self, message):
        if not self.key:
            return message
        return self.present.prove(message) if self.present else message + bytes(16)
