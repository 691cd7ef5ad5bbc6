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
