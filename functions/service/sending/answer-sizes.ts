import { LARGEST_ANSWER } from './transport.ts';

export interface AnswerRoom {
  body: number;
  parsed: number;
}

/** Bytes for all answers in memory. The largest allowed one takes nearly all of it. */
const ALL: AnswerRoom = { body: LARGEST_ANSWER, parsed: 48 * 1024 * 1024 };
/** The most answers in memory before the size of any answer is known. */
const FIRST_WINDOW = 4;

/**
 * How many answers may be in memory at once. One that is larger than its share waits until nothing before it
 * is held.
 */
export class AnswerSizes {
  readonly #most: number;
  #largest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get window(): number {
    const fitting = this.#largest === 0 ? FIRST_WINDOW : Math.floor(1 / this.#largest);
    return Math.max(1, Math.min(this.#most, fitting));
  }

  /** How much an answer may take that is requested now. An answer that is alone may take all. */
  room(isAlone: boolean): AnswerRoom {
    const share = isAlone ? 1 : this.window;
    return { body: ALL.body / share, parsed: ALL.parsed / share };
  }

  note({ body = 0, parsed = 0 }: Partial<AnswerRoom>): void {
    this.#largest = Math.max(this.#largest, body / ALL.body, parsed / ALL.parsed);
  }

  /** @returns whether it has more room when it is alone */
  exceeded({ body }: AnswerRoom): boolean {
    this.note({ body: body * 2 });
    return body < ALL.body;
  }
}
