import { impliedRights, ownRights } from '#lib/command-rights.ts';
import type { CommandName, CommandResource } from '#lib/command-rights.ts';
import type { RecordedRequest } from '#sandbox/aws/index.ts';
import { COMMAND } from './command-stage.ts';
import type { CommandStage } from './command-stage.ts';

/** IAM's names for operations that have another name there. */
const ACTIONS: Readonly<Record<string, string>> = {
  Invoke: 'lambda:InvokeFunction',
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
};
const PREFIXES: Record<RecordedRequest['service'], string> = {
  s3: 's3',
  secretsManager: 'secretsmanager',
  ses: 'ses',
  sns: 'sns',
  cloudFormation: 'cloudformation',
  cloudWatch: 'cloudwatch',
  lambda: 'lambda',
  scheduler: 'scheduler',
  sesV2: 'ses',
  stepFunctions: 'states',
};

/** What a call was on, where the record says it: an object, or a function. */
function resourceOf({ service, operation, key = '' }: RecordedRequest): string | undefined {
  if (service === 's3') return operation === 'ListObjectsV2' ? 'data' : `data/${key}`;
  return service === 'lambda' && key !== '' ? `function/${key.replace(/^daybook-local-/, '')}` : undefined;
}

function covers(on: CommandResource, resource: string | undefined): boolean {
  if (resource === undefined) return true;
  return on.endsWith('*') ? resource.startsWith(on.slice(0, -1)) : resource === on;
}

/**
 * The calls that commands made on a stage and that the policy of this command does not allow: none. Also fails when no
 * command made any call.
 */
export function callsBeyondRights(stage: CommandStage, command: CommandName): string[] {
  const own = ownRights(command);
  const rights = [...own, ...impliedRights(own)];
  const calls = stage.aws.requests.filter(({ application }) => application === COMMAND);
  if (calls.length === 0) throw new Error('no command has made a call');
  const beyond = calls.flatMap((call) => {
    const action = ACTIONS[call.operation] ?? `${PREFIXES[call.service]}:${call.operation}`;
    const resource = resourceOf(call);
    const isAllowed = rights.some((right) => right.action === action && covers(right.on, resource));
    return isAllowed ? [] : [`${action} ${resource ?? ''}`];
  });
  return [...new Set(beyond)];
}
