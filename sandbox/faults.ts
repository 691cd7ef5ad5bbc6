/** What a fault does to the request it meets. */
export type FaultAction =
  /** The service answers with this error, in its own wire format, and does nothing else. */
  | { kind: 'error'; status: number; code: string; message?: string; headers?: Record<string, string> }
  /** The connection is cut: before anything is done, or after the operation took effect. */
  | { kind: 'reset'; when: 'before' | 'after' }
  /** No answer ever, until the client goes or the sandbox closes; `before` (default) nothing is done. */
  | { kind: 'hang'; when?: 'before' | 'after' }
  /** The request is served, this much later. */
  | { kind: 'delay'; milliseconds: number }
  /** A hook for races: runs around the operation, which waits for it. */
  | { kind: 'call'; before?: () => Promise<void> | void; after?: () => Promise<void> | void };

/** A fault and the requests that it meets; a member left out matches every request. */
export interface Fault {
  service?: string;
  operation?: string;
  /** Tested against the request's key; a request without a key never matches. */
  key?: RegExp;
  /** How many requests it meets; default 1, `Infinity` allowed. */
  times?: number;
  /** How many matching requests pass first; default 0. */
  skip?: number;
  action: FaultAction;
}

/** The switches that a test or a person holds. */
export interface Faults {
  add(fault: Fault): void;
  /** Removes every fault; requests already held by one stay held. */
  clear(): void;
}

/** What is known of a request when it is tested against the faults. */
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
 * The faults in force. A request meets one fault at most: the first in the order of adding that matches and is
 * due, so that two faults added for the same operation strike two requests, one after the other.
 */
export class FaultBoard implements Faults {
  #armed: ArmedFault[] = [];

  add(fault: Fault): void {
    this.#armed.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** The action that this request meets, used up by the call; `undefined` for a request that is left alone. */
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
  // `search` ignores the flags g and y, with which `test` would remember where it stopped.
  return target.key !== undefined && target.key.search(fault.key) >= 0;
}
