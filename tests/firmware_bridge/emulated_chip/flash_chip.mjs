// The Pico's flash, as the RP2040's ROM and MicroPython write to it: a W25Q16 behind the SSI peripheral. rp2040js
// itself reads the flash from memory and writes nothing. Power can go in the middle of a writing.
const PAGE = 256;
const SECTOR = 4096;
const UNIQUE_ID = [0xe6, 0x61, 0x41, 0x03, 0xe7, 0x45, 0x2d, 0x2f];
const SR_READY = 0x02 | 0x04; // transmit FIFO not full, empty
const SR_RECEIVED = 0x08;
const [SSIENR, TXFLR, RXFLR, SR, IDR, DR0] = [0x08, 0x20, 0x24, 0x28, 0x58, 0x60];
const SS_CTRL = 0x0c;
const [FORCED_LOW, FORCED_HIGH] = [2, 3];

export class PowerCut extends Error {}

export class FlashChip {
  constructor(bytes, random) {
    [this.bytes, this.random] = [bytes, random];
    [this.sent, this.mayWrite, this.cutAfter, this.written] = [[], false, Infinity, 0];
  }

  select() { this.sent = []; }

  exchange(byte) {
    const at = this.sent.push(byte) - 1;
    const command = this.sent[0];
    if (at === 0) {
      if (command === 0x06) this.mayWrite = true;
      return 0xff;
    }
    if (command === 0x05) return this.mayWrite ? 2 : 0;
    if (command === 0x4b) return at < 5 ? 0xff : UNIQUE_ID[(at - 5) % 8];
    if (command === 0x03) return at < 4 ? 0xff : this.bytes[this.address() + at - 4];
    return 0xff;
  }

  deselect() {
    const [command] = this.sent;
    if (this.mayWrite && command === 0x02 && this.sent.length > 4) this.program();
    if (this.mayWrite && command === 0x20) this.erase(SECTOR);
    if (this.mayWrite && command === 0xd8) this.erase(16 * SECTOR);
    this.sent = [];
  }

  address() { return (this.sent[1] << 16) | (this.sent[2] << 8) | this.sent[3]; }

  program() {
    const start = this.address();
    this.mayWrite = false;
    this.sent.slice(4).forEach((byte, at) => {
      const place = (start & ~(PAGE - 1)) | ((start + at) & (PAGE - 1));
      this.spend(() => { this.bytes[place] &= byte | Math.floor(this.random() * 256); });
      this.bytes[place] &= byte;
    });
  }

  erase(size) {
    const start = this.address() & ~(size - 1);
    this.mayWrite = false;
    for (let at = start; at < start + size; at++) {
      this.spend(() => { for (let i = at; i < start + size; i++) this.bytes[i] |= Math.floor(this.random() * 256); });
      this.bytes[at] = 0xff;
    }
  }

  spend(halfDone) { // one byte more has been written; the power may go with it
    if (++this.written < this.cutAfter) return;
    halfDone();
    throw new PowerCut();
  }
}

// `rp2040js` has these two as peripherals that do next to nothing.
export function wireFlash(mcu, BasePeripheral, chip) {
  let received = [];
  let forced = 0;
  class Ssi extends BasePeripheral {
    readUint32(offset) {
      if (offset === SR) return SR_READY | (received.length ? SR_RECEIVED : 0);
      if (offset === RXFLR) return received.length;
      if (offset === TXFLR) return 0;
      if (offset === DR0) return received.length ? received.shift() : 0;
      return offset === IDR ? 0x51535049 : 0;
    }
    writeUint32(offset, value) {
      if (offset === SSIENR) received = [];
      if (offset === DR0) received.push(forced === FORCED_LOW ? chip.exchange(value & 0xff) : 0);
    }
  }
  class IoQspi extends BasePeripheral {
    constructor(...all) { super(...all); this.registers = {}; }
    readUint32(offset) { return this.registers[offset] ?? 0; }
    writeUint32(offset, value) {
      this.registers[offset] = value;
      if (offset !== SS_CTRL) return;
      const now = (value >> 8) & 3;
      if (now === FORCED_LOW && forced !== FORCED_LOW) chip.select();
      if (now === FORCED_HIGH && forced === FORCED_LOW) chip.deselect();
      forced = now;
    }
  }
  mcu.peripherals[0x18000] = new Ssi(mcu, 'SSI');
  mcu.peripherals[0x40018] = new IoQspi(mcu, 'IO_QSPI');
}
