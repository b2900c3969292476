/**
 * A prize is heard: a rising chord, longer the greater it is. Off unless the house wants it; a browser
 * plays it only where its kiosk allows sound (`--autoplay-policy=no-user-gesture-required`).
 */

/** The tones of each grade, in Hz, one after the other. */
const TONES = {
  moment: [659, 880],
  win: [523, 659, 784, 1047],
  jackpot: [392, 523, 659, 784, 1047, 1319, 1568, 2093],
};
const EACH_S = 0.16;
const RINGS_S = 0.9;
const LOUD = 0.2;
const SILENT = 0.0001;

let context = null;

/** @param {string} grade as `Awards` has it */
export function ring(grade) {
  context ??= new AudioContext();
  document.documentElement.dataset.rang = grade;
  TONES[grade].forEach((hertz, place) => strike(hertz, context.currentTime + place * EACH_S));
}

function strike(hertz, at) {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
  const volume = new GainNode(context, { gain: LOUD });
  volume.gain.setValueAtTime(LOUD, at);
  volume.gain.exponentialRampToValueAtTime(SILENT, at + RINGS_S);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + RINGS_S);
}
