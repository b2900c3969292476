// An RP2040 with the board's image, in lock step with who asks: one JSON line in, one out.
//   node lockstep.mjs FOLDER IMAGE.uf2 '{"load": 26, "clock": 27, "data": 28, "inputs": [...], "lamps": [...], "outputs": [...]}'
// FOLDER has rp2040js and bootrom.json. A line runs the chip until `ms`; all else in it is optional:
//   {"ms": T, "rx": "hex", "pins": {"16": 0}, "shifted": 255, "power": true, "cut_after": bytes, "hang": true,
//    "tokens": {"count": N, "pitch": ms, "cover": ms}, "slow": 4}
// `tokens`: so many pass each drop sensor and the tray's, one every `pitch` ms, each sensor a little after the one before.
// `slow`: the program runs so many times slower; timers, watchdog, PIO, DMA and the serial line do not.
// The answer: {"tx": "hex", "pins": {"9": "High"}, "off": the power was cut, "resets": by the watchdog, "written": bytes,
//   "pass": microseconds, the longest time between two feedings of the watchdog that ended since the last line,
//   "passing": tokens are still on their way}
import fs from 'fs';
import readline from 'readline';
import { createRequire } from 'module';
import { FlashChip, PowerCut, wireFlash } from './flash_chip.mjs';

const [folder, image, wires] = process.argv.slice(2);
const load = createRequire(`${folder}/`);
const { RP2040, GPIOPinState, ConsoleLogger, LogLevel, BasePeripheral } = load('rp2040js');
const { SimulationClock } = load(`${folder}/node_modules/rp2040js/dist/cjs/clock/simulation-clock.js`);
const rom = new Uint32Array(JSON.parse(fs.readFileSync(`${folder}/bootrom.json`)));
const lines = JSON.parse(wires);

const BYTE_NANOS = 86805; // ten bits at 115200
const CYCLE_NANOS = 8; // 125 MHz
const WATCHDOG_LOAD = 4;
const TXINTR = 1 << 5;
const FLASH_SIZE = 2 * 1024 * 1024;

let seed = 1;
const random = () => { // the same in every run
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) / 0x1000000;
};

const flash = new FlashChip(new Uint8Array(FLASH_SIZE).fill(0xff), random);
const levels = Object.fromEntries(lines.inputs.map((pin) => [pin, 0]));
const TRAY = 1 << 15;
let clock, mcu, nextByte, nextSample, register, startNanos = 0, sent = [], line = [], shifted = 0x7f7f, resets = 0;
let off = false, hung = false, slow = 1, fedAt, longest = 0, edges = [];

class WatchdogReset extends Error {}

function flashImage(uf2) {
  for (let at = 0; at < uf2.length; at += 512)
    flash.bytes.set(uf2.subarray(at + 32, at + 32 + 256), uf2.readUInt32LE(at + 12) - 0x10000000);
}

// The emulator holds the transmit interrupt high for ever; a PL011 raises it when a byte has gone, and
// the handler clears it. MicroPython's handler would never end otherwise.
function mendUart(uart) {
  const write = uart.writeUint32.bind(uart);
  uart.checkInterrupts = function () {
    this.rp2040.setInterrupt(this.irq, !!(this.interruptStatus & this.interruptMask));
  };
  uart.writeUint32 = function (offset, value) {
    write(offset, value);
    if (offset === 0) { this.interruptStatus |= TXINTR; this.checkInterrupts(); }
  };
}

// The emulator runs the PIO by the host's own timer; here it goes by the chip's time, a cycle of its divided clock a time.
function mendPio(pio) {
  pio.run = () => { nextSample = clock.nanos; };
}

function stepPio() {
  const pio = mcu.pio[0];
  while (!pio.stopped && clock.nanos >= nextSample) {
    pio.step();
    nextSample += pio.machines[0].clockDivInt * CYCLE_NANOS;
  }
}

function watchFeeding(watchdog) {
  const write = watchdog.writeUint32.bind(watchdog);
  watchdog.writeUint32 = (offset, value) => {
    write(offset, value);
    if (offset !== WATCHDOG_LOAD) return;
    if (fedAt !== undefined) longest = Math.max(longest, clock.nanos - fedAt);
    fedAt = clock.nanos;
  };
}

// Two 74HC165: input H of the first comes first. Behind a lamp that is lit there is no supply to be seen.
function wireShiftRegisters() {
  const show = () => mcu.gpio[lines.data].setInputValue(!!(register & 0x8000));
  mcu.gpio[lines.load].addListener((state) => {
    if (state !== GPIOPinState.Low) return;
    const lit = lines.lamps.reduce((mask, pin, lamp) => mask | (mcu.gpio[pin].value === GPIOPinState.High) << lamp, 0);
    register = shifted & ~lit;
    show();
  });
  mcu.gpio[lines.clock].addListener((state, before) => {
    if (state === GPIOPinState.High && before === GPIOPinState.Low) { register = (register << 1) & 0xffff; show(); }
  });
}

function addTokens({ count, pitch, cover }) {
  const sensors = lines.inputs.length + 1;
  for (let token = 0; token < count; token++) {
    for (let sensor = 0; sensor < sensors; sensor++) {
      const at = startNanos + clock.nanos + (token + sensor / sensors) * pitch * 1e6;
      edges.push([at, sensor, 1], [at + cover * 1e6, sensor, 0]);
    }
  }
  edges.sort((one, other) => other[0] - one[0]); // the next one is the last
}

function moveTokens() {
  while (edges.length && edges.at(-1)[0] <= startNanos + clock.nanos) {
    const [, sensor, level] = edges.pop();
    if (sensor === lines.inputs.length) shifted = level ? shifted | TRAY : shifted & ~TRAY;
    else {
      levels[lines.inputs[sensor]] = level;
      mcu.gpio[lines.inputs[sensor]].setInputValue(level === 1);
    }
  }
}

function powerOn(nanos) {
  [startNanos, line, register, off, hung, fedAt] = [nanos, [], 0, false, false, undefined];
  clock = new SimulationClock();
  nextByte = 0;
  mcu = new RP2040(clock);
  mcu.logger = new ConsoleLogger(LogLevel.Error);
  mcu.loadBootrom(rom);
  mcu.flash = flash.bytes; // read as it is, written through the SSI
  mcu.flash16 = new Uint16Array(flash.bytes.buffer);
  mcu.flashView = new DataView(flash.bytes.buffer);
  wireFlash(mcu, BasePeripheral, flash);
  mcu.uart.forEach(mendUart);
  mcu.uart[0].onByte = (byte) => sent.push(byte);
  mendPio(mcu.pio[0]);
  watchFeeding(mcu.peripherals[0x40058]);
  mcu.peripherals[0x40058].onWatchdogTrigger = () => { throw new WatchdogReset(); };
  for (const [pin, level] of Object.entries(levels)) mcu.gpio[pin].setInputValue(level === 1);
  wireShiftRegisters();
  mcu.core.PC = 0x10000000;
}

function step(until) {
  if (line.length && clock.nanos >= nextByte) {
    mcu.uart[0].feedByte(line.shift());
    nextByte = clock.nanos + BYTE_NANOS;
  }
  if (edges.length) moveTokens();
  if (!mcu.pio[0].stopped) stepPio();
  if (hung || mcu.core.waiting) {
    const wakes = [until, line.length ? nextByte : Infinity, mcu.pio[0].stopped ? Infinity : nextSample];
    const left = Math.min(...wakes) - clock.nanos;
    clock.tick(Math.max(1, Math.min(clock.nanosToNextAlarm || left, left)));
  } else {
    clock.tick(mcu.core.executeInstruction() * CYCLE_NANOS * slow);
  }
}

function runUntil(nanos) {
  while (!off && startNanos + clock.nanos < nanos) {
    try {
      step(nanos - startNanos);
    } catch (error) {
      if (error instanceof WatchdogReset) {
        resets++;
        powerOn(startNanos + clock.nanos);
      } else if (error instanceof PowerCut) {
        [off, flash.cutAfter] = [true, Infinity];
      } else {
        throw error;
      }
    }
  }
}

function pinStates() {
  return Object.fromEntries(lines.outputs.map((pin) => [pin, off ? 'Input' : GPIOPinState[mcu.gpio[pin].value]]));
}

flashImage(fs.readFileSync(image));
powerOn(0);
for await (const asked of readline.createInterface({ input: process.stdin })) {
  const { ms, rx = '', pins = {}, power = false, hang = false, cut_after: cut, shifted: now, tokens, slow: slower = slow } = JSON.parse(asked);
  Object.assign(levels, pins);
  shifted = now ?? shifted;
  slow = slower;
  if (tokens) addTokens(tokens);
  if (cut) flash.cutAfter = flash.written + cut;
  if (power) powerOn(startNanos + clock.nanos);
  for (const [pin, level] of Object.entries(pins)) mcu.gpio[pin].setInputValue(level === 1);
  hung ||= hang;
  if (!off) line.push(...Buffer.from(rx, 'hex'));
  runUntil(ms * 1e6);
  if (off) clock.nanosCounter = ms * 1e6 - startNanos;
  const tx = Buffer.from(sent).toString('hex');
  const pass = Math.round(longest / 1000);
  [sent, longest] = [[], 0];
  process.stdout.write(JSON.stringify({ tx, pins: pinStates(), off, resets, written: flash.written, pass, passing: edges.length > 0 }) + '\n');
}
