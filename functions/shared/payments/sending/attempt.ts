import type { ClientRequest } from 'node:http';

/** One attempt to get an answer, which can end before the answer is there. */
export class Attempt {
  /** Whether it was given up. */
  isOver = false;
  #sent: ClientRequest | undefined;

  /** Sets the request that is under way now. */
  begin(sent: ClientRequest): void {
    this.#sent = sent;
    if (this.isOver) sent.destroy();
  }

  /** Closes the connection. Whoever waits for the answer gets an error. */
  giveUp(): void {
    this.isOver = true;
    this.#sent?.destroy();
  }
}
