import { LARGEST_ANSWER } from './transport.ts';

/** The most bytes that an answer may take: its body, and an estimate of what is parsed from it. */
export interface AnswerRoom {
  body: number;
  parsed: number;
}

/** For all answers in memory together. The largest allowed answer takes nearly all of it. */
const ALL: AnswerRoom = { body: LARGEST_ANSWER, parsed: 48 * 1024 * 1024 };
/** The most answers in memory before the size of any answer is known. */
const FIRST_WINDOW = 4;

/**
 * How many answers may be in memory at once: on their way, or held until their turn. Ordinary pages never
 * reach this limit. A service with larger answers gets fewer requests at once. An answer that is larger than
 * its share waits until nothing before it is held.
 */
export class AnswerSizes {
  readonly #most: number;
  /** The share of all memory that the largest answer took. */
  #largest = 0;

  /** @param most the most answers at once, however small they are */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many answers may be in memory now: a whole number, at least 1. */
  get window(): number {
    const fitting = this.#largest === 0 ? FIRST_WINDOW : Math.floor(1 / this.#largest);
    return Math.max(1, Math.min(this.#most, fitting));
  }

  /** How much an answer may take that is requested now. An answer that is alone may take all. */
  room(isAlone: boolean): AnswerRoom {
    const share = isAlone ? 1 : this.window;
    return { body: ALL.body / share, parsed: ALL.parsed / share };
  }

  /** Records how much an answer took. */
  note({ body = 0, parsed = 0 }: Partial<AnswerRoom>): void {
    this.#largest = Math.max(this.#largest, body / ALL.body, parsed / ALL.parsed);
  }

  /** Records that an answer was larger than its room. @returns whether it has more room when it is alone */
  exceeded({ body }: AnswerRoom): boolean {
    this.note({ body: body * 2 });
    return body < ALL.body;
  }
}
