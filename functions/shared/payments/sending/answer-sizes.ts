import { LARGEST_ANSWER } from './transport.ts';

/** What an answer may take, bytes: its body, and what is parsed from it as that is estimated. */
export interface AnswerRoom {
  body: number;
  parsed: number;
}

/** For all answers that are there at once; the largest that an answer may be takes nearly all of it. */
const ALL: AnswerRoom = { body: LARGEST_ANSWER, parsed: 48 * 1024 * 1024 };
/** Answers that may be there before any has told how large they are. */
const FIRST_WINDOW = 4;

/**
 * How many answers of a service may be there at once, on their way or held until their turn comes. Ordinary pages never
 * come near; a service that sends larger ones, all at once or after small ones, gets fewer requests, and what is larger
 * than its share waits until nothing before it is held.
 */
export class AnswerSizes {
  readonly #most: number;
  /** The part of all room that the largest answer takes. */
  #largest = 0;

  /** @param most answers at once, however small they are */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many answers may be there now: a whole number, at least 1. */
  get window(): number {
    const fitting = this.#largest === 0 ? FIRST_WINDOW : Math.floor(1 / this.#largest);
    return Math.max(1, Math.min(this.#most, fitting));
  }

  /** What an answer may take that is asked for now; one that is alone may take all. */
  room(isAlone: boolean): AnswerRoom {
    const share = isAlone ? 1 : this.window;
    return { body: ALL.body / share, parsed: ALL.parsed / share };
  }

  /** An answer took so much. */
  note({ body = 0, parsed = 0 }: Partial<AnswerRoom>): void {
    this.#largest = Math.max(this.#largest, body / ALL.body, parsed / ALL.parsed);
  }

  /** An answer was larger than its room. @returns whether there is more room for it in its turn */
  exceeded({ body }: AnswerRoom): boolean {
    this.note({ body: body * 2 });
    return body < ALL.body;
  }
}
