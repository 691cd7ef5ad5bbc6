import { FaultBoard, type AnyFault, type WaitingAction } from '../fault-board.ts';

export type FaultAction =
  /** The service answers with this error, in its own wire format, and does nothing else. */
  | { kind: 'error'; status: number; code: string; message?: string }
  /** The connection is cut: before anything is done, or after the operation was done. */
  | { kind: 'reset'; when: 'before' | 'after' }
  | WaitingAction;

/** A fault and the requests that it applies to. A missing member matches every request. */
export interface Fault extends AnyFault {
  service?: string;
  operation?: string;
  /** Tested against the request's key. A request without a key never matches. */
  key?: RegExp;
  action: FaultAction;
}

/** What of a request a fault selects by. */
export interface FaultTarget {
  service: string;
  /** The API's name of the operation; `Unknown` if the request could not be parsed. */
  operation: string;
  key?: string;
}

export type AwsFaults = ReturnType<typeof createFaults>;

export function createFaults() {
  return new FaultBoard<Fault, FaultTarget>(matches);
}

function matches(fault: Fault, target: FaultTarget): boolean {
  if (fault.service !== undefined && fault.service !== target.service) return false;
  if (fault.operation !== undefined && fault.operation !== target.operation) return false;
  if (fault.key === undefined) return true;
  // `search` ignores the flags g and y. With them `test` would remember its last position.
  return target.key !== undefined && target.key.search(fault.key) >= 0;
}
