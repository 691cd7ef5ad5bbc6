import type { FunctionName } from '#lib/functions.ts';

/** The name of the local run's stage. */
export const LOCAL_STAGE = 'local';

/** What the local stage consists of, beside the sandboxes. */
export interface LocalStage {
  /** The functions' variables. The stage's outputs are made of them, so that both always agree. */
  environment: Readonly<Record<string, string>>;
  /** Runs a function. */
  invoke: (name: FunctionName, event: unknown) => Promise<unknown>;
}

/** The ARN of a state machine of the local stage. */
export function stateMachineArn(machine: 'reports' | 'alerts'): string {
  return `arn:aws:states:us-east-1:000000000000:stateMachine:daybook-${LOCAL_STAGE}-${machine}`;
}

/** The name of a function of the local stage, as in AWS. */
export function functionNameOf(name: FunctionName): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}
