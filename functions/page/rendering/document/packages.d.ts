/** What the package's own types say of it, as an import of Node gets it. They describe a default export that its CommonJS has not. */
declare module 'bidi-js' {
  export interface EmbeddingLevels {
    /** Of each UTF-16 unit. An odd level is written from the right. */
    levels: Uint8Array;
  }
  /** The Unicode bidirectional algorithm (UAX #9). `start` and `end` are UTF-16 units; `end` is the last one. */
  export interface Bidi {
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): EmbeddingLevels;
    /** The units of a line from left to right. */
    getReorderedIndices(text: string, levels: EmbeddingLevels, start: number, end: number): number[];
    /** The other bracket of a pair, or null. */
    getMirroredCharacter(character: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
declare module 'linebreak' {
  interface Break {
    position: number;
    required: boolean;
  }
  /** The Unicode line breaking algorithm (UAX #14). */
  export default class LineBreaker {
    constructor(text: string);
    /** The places in their order, then null. The last place is the text's end. */
    nextBreak(): Break | null;
  }
}
