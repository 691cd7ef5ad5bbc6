/** What a fault of any service may do to its request. */
export type WaitingAction =
  /** No answer, until the client goes or the sandbox closes. With `before` (default) nothing is done. */
  | { kind: 'hang'; when?: 'before' | 'after' }
  /** The service's own answer, this much later. */
  | { kind: 'delay'; milliseconds: number }
  /** A hook for races: it runs around the operation, which waits for it. */
  | { kind: 'call'; before?: () => Promise<void> | void; after?: () => Promise<void> | void };

/** What a fault of any service says besides its requests. */
export interface AnyFault {
  /** How many requests it applies to; default 1, `Infinity` allowed. */
  times?: number;
  /** How many matching requests pass first; default 0. */
  skip?: number;
  action: unknown;
}

/** A request meets the first matching one that is due, in the order of adding: two faults hit two requests. */
export class FaultBoard<Fault extends AnyFault, Request> {
  #armed: { fault: Fault; toSkip: number; left: number }[] = [];
  readonly #matches: (fault: Fault, request: Request) => boolean;

  constructor(matches: (fault: Fault, request: Request) => boolean) {
    this.#matches = matches;
  }

  add(fault: Fault): void {
    this.#armed.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  /** Removes every fault. Requests that already wait in one keep waiting. */
  clear(): void {
    this.#armed = [];
  }

  /** Takes the action for this request; `undefined` if there is no fault for it. */
  take(request: Request): Fault['action'] | undefined {
    for (const armed of this.#armed) {
      if (armed.left <= 0 || !this.#matches(armed.fault, request)) continue;
      if (armed.toSkip > 0) {
        armed.toSkip -= 1;
        continue;
      }
      armed.left -= 1;
      return armed.fault.action;
    }
    return undefined;
  }
}
