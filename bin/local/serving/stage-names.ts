import { LIVE } from '#lib/functions.ts';
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

/** What the local stage's schedules and commands start, as in AWS. */
export function liveStateMachineArn(machine: 'reports' | 'alerts'): string {
  return `${stateMachineArn(machine)}:${LIVE}`;
}

/** The name of a function of the local stage, as in AWS. */
export function functionNameOf(name: FunctionName): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}

/** What the local stage's schedules and commands call, as in AWS. */
export function liveFunctionNameOf(name: FunctionName): string {
  return `${functionNameOf(name)}:${LIVE}`;
}
