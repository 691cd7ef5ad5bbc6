import * as fc from 'fast-check';

/** Every character of Unicode. The unit `binary` of fast-check is the same, and takes seconds when it is first used. */
export const ANY_CHARACTER = fc
  .integer({ min: 0, max: 0x10_f7_ff })
  .map((place) => String.fromCodePoint(place < 0xd8_00 ? place : place + 0x8_00));
