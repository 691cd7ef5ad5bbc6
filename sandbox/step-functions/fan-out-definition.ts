import type { FanOutKind } from '#lib/functions.ts';
import type { Definition } from './definition.ts';
import { definitionOf, fanOutStack } from './fan-out-stack.ts';

export { BUCKET_NAME } from './bucket-name.ts';

/** Settings that a test may change. */
export interface FanOutChanges {
  /** The percentage of items that may still fail after the second round. */
  toleratedFailurePercentage?: number;
}

/**
 * The definition of a state machine as the stacks deploy it. Callers who need no more than this import this file: its
 * types are free of CDK, which takes seconds to check.
 */
export function fanOutDefinition(kind: FanOutKind, changes: FanOutChanges = {}): Definition {
  return definitionOf(fanOutStack(kind, changes).template);
}
