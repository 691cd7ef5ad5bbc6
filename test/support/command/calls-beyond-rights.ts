import { impliedRights, ownRights } from '#lib/command-rights.ts';
import type { CommandName, CommandRight } from '#lib/command-rights.ts';
import type { RecordedRequest } from '#sandbox/aws/index.ts';
import { COMMAND } from './command-stage.ts';

/** IAM's names for operations that have another name there. */
const ACTIONS: Readonly<Record<string, string>> = {
  Invoke: 'lambda:InvokeFunction',
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
  ChangeMessageVisibilityBatch: 'sqs:ChangeMessageVisibility',
};
const PREFIXES: Record<RecordedRequest['service'], string> = {
  athena: 'athena',
  s3: 's3',
  secretsManager: 'secretsmanager',
  ses: 'ses',
  sns: 'sns',
  sqs: 'sqs',
  cloudFormation: 'cloudformation',
  cloudWatch: 'cloudwatch',
  lakeFormation: 'lakeformation',
  lambda: 'lambda',
  scheduler: 'scheduler',
  sesV2: 'ses',
};

export interface CommandCall {
  /** Such as `s3:GetObject`. */
  action: string;
  /** What it was on, where the record says it: an object, a function, or a stack. */
  resource: string | undefined;
}

function resourceOf({ service, operation, key = '' }: RecordedRequest): string | undefined {
  if (service === 's3') return operation === 'ListObjectsV2' ? 'data' : `data/${key}`;
  if (service === 'cloudFormation') return key.endsWith('-Lake') ? 'lake stack' : 'stacks';
  if (service === 'sqs') return key.endsWith('-dead') ? 'dead letters' : 'queues';
  return service === 'lambda' && key !== ''
    ? `function/${key.replace(/^daybook-local-(.*):live$/, '$1')}`
    : undefined;
}

/** The calls that commands made, without those of the functions that they invoked. */
export function callsOfCommands(requests: readonly RecordedRequest[]): CommandCall[] {
  return requests
    .filter(({ application }) => application === COMMAND)
    .map((call) => ({
      action: ACTIONS[call.operation] ?? `${PREFIXES[call.service]}:${call.operation}`,
      resource: resourceOf(call),
    }));
}

/** Whether a right allows a call. Of other resources than objects, functions and stacks a stage has one kind for each action. */
export function allows({ action, on }: CommandRight, call: CommandCall): boolean {
  if (action !== call.action) return false;
  if (call.resource === undefined) return true;
  return on.endsWith('*') ? call.resource.startsWith(on.slice(0, -1)) : call.resource === on;
}

/** The calls that no right of the command allows: none. */
export function callsBeyond(command: CommandName, calls: readonly CommandCall[]): string[] {
  const own = ownRights(command);
  const rights = [...own, ...impliedRights(own)];
  const beyond = calls.filter((call) => !rights.some((right) => allows(right, call)));
  return [...new Set(beyond.map(({ action, resource }) => `${action} ${resource ?? ''}`))];
}
