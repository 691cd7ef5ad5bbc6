/** What a fault does to its request. */
export type FaultAction =
  /** The service answers with this error, in its own wire format, and does nothing else. */
  | { kind: 'error'; status: number; code: string; message?: string; headers?: Record<string, string> }
  /** The connection is cut: before anything is done, or after the operation was done. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No answer, until the client goes or the sandbox closes. With `before` (default) nothing is done. */
  | { kind: 'hang'; when?: 'before' | 'after' }
  /** The request is served this much later. */
  | { kind: 'delay'; milliseconds: number }
  /** A hook for races: it runs around the operation, which waits for it. */
  | { kind: 'call'; before?: () => Promise<void> | void; after?: () => Promise<void> | void };

/** A fault and the requests that it applies to. A missing member matches every request. */
export interface Fault {
  service?: string;
  operation?: string;
  /** Tested against the request's key. A request without a key never matches. */
  key?: RegExp;
  /** How many requests it applies to; default 1, `Infinity` allowed. */
  times?: number;
  /** How many matching requests pass first; default 0. */
  skip?: number;
  action: FaultAction;
}

/** The controls for a test or a person. */
export interface Faults {
  add(fault: Fault): void;
  /** Removes every fault. Requests that already wait in one keep waiting. */
  clear(): void;
}

/** What the faults can match in a request. */
interface FaultTarget {
  service: string;
  operation: string;
  key?: string | undefined;
}

interface ArmedFault {
  fault: Fault;
  toSkip: number;
  left: number;
}

/**
 * The active faults. A request meets at most one: the first matching one that is due, in the order of adding. So two faults
 * for the same operation hit two requests, one after the other.
 */
export class FaultBoard implements Faults {
  #armed: ArmedFault[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Takes the action for this request; `undefined` if there is no fault for it. */
  take(target: FaultTarget): FaultAction | undefined {
    for (const armed of this.#armed) {
      if (armed.left <= 0 || !matches(armed.fault, target)) continue;
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

function matches(fault: Fault, target: FaultTarget): boolean {
  if (fault.service !== undefined && fault.service !== target.service) return false;
  if (fault.operation !== undefined && fault.operation !== target.operation) return false;
  if (fault.key === undefined) return true;
  // `search` ignores the flags g and y. With them `test` would remember its last position.
  return target.key !== undefined && target.key.search(fault.key) >= 0;
}
