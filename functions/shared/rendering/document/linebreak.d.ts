declare module 'linebreak' {
  /** A place where a line may end. */
  interface Break {
    /** UTF-16 units from the beginning of the text. */
    position: number;
    /** Whether the line must end here. */
    required: boolean;
  }
  /** The Unicode line breaking algorithm (UAX #14). */
  export default class LineBreaker {
    constructor(text: string);
    /** The places in their order, then null. The last place is the text's end. */
    nextBreak(): Break | null;
  }
}
