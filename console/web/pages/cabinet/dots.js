/** The display's characters, 5 columns of 7 dots each; bit 0 of a column is its upper end. */

export const COLUMNS = 5;
export const ROWS = 7;

/** From blank (32) to underscore (95); the display has no other ones. */
const SHAPES = [
  "0000000000", "00005f0000", "0007000700", "147f147f14", "242a7f2a12", "2313086462",
  "3649562050", "0008070300", "001c224100", "0041221c00", "2a1c7f1c2a", "08083e0808",
  "0050300000", "0808080808", "0060600000", "2010080402", "3e5149453e", "00427f4000",
  "4261514946", "2141454b31", "1814127f10", "2745454539", "3c4a494930", "0171090503",
  "3649494936", "064949291e", "0036360000", "0056360000", "0814224100", "1414141414",
  "0041221408", "0201510906", "3e415d594e", "7e1111117e", "7f49494936", "3e41414122",
  "7f4141221c", "7f49494941", "7f09090901", "3e4149497a", "7f0808087f", "00417f4100",
  "2040413f01", "7f08142241", "7f40404040", "7f020c027f", "7f0408107f", "3e4141413e",
  "7f09090906", "3e4151215e", "7f09192946", "4649494931", "01017f0101", "3f4040403f",
  "1f2040201f", "3f4038403f", "6314081463", "0708700807", "6151494543", "007f414100",
  "0204081020", "0041417f00", "0402010204", "4040404040",
];
const FIRST = 32;
const UNKNOWN = "7f4141417f";

/**
 * The columns of a character; of one that the display does not have, an empty box.
 * @param {string} character
 * @returns {number[]}
 */
export function columnsOf(character) {
  const shape = SHAPES[character.toUpperCase().charCodeAt(0) - FIRST] ?? UNKNOWN;
  return Array.from({ length: COLUMNS }, (_, at) => Number.parseInt(shape.slice(2 * at, 2 * at + 2), 16));
}
