import { FORGOTTEN, LAST_TICK, PROOFS } from '#records/storage/keys.ts';
import { FUNCTION_NAMES, LAST_GOOD, MAIL_STOPS, REGISTRY, REGISTRY_KEY } from './functions.ts';
import type { FunctionName } from './functions.ts';

/* This file imports nothing of CDK: the command, scripts and tests read it, too, and CDK takes seconds to load. */

/**
 * What a call is on. `data` is the bucket, `data/` and a key its objects: a star at the end stands for any text. `account`:
 * AWS has no smaller resource for the call.
 * `secrets key`: the key of `credentials.keyArn`, if the settings name one.
 */
export type CommandResource =
  | 'account'
  | 'configuration set'
  | 'data'
  | 'dead letters'
  | 'identity'
  | 'key'
  | 'lake stack'
  | 'optional functions'
  | 'queues'
  | 'schedules'
  | 'secrets'
  | 'secrets key'
  | 'stacks'
  | 'topic'
  | `data/${string}`
  | `function/${FunctionName}`;

export interface CommandRight {
  /** IAM's name, such as `s3:GetObject`. */
  action: string;
  on: CommandResource;
  /** A command of `ReadOnly` does without this call, and says so. */
  operatorsOnly?: true;
}

/**
 * The managed policies for people. `ReadOnly` allows the commands that only look, `Operators` all but those that delete for ever
 * and the one that reads customers' data, `Forget` the former, and `Verify` the latter. A stage without proofs has no `Verify`.
 */
export type PolicyName = 'Operators' | 'ReadOnly' | 'Forget' | 'Verify';

interface CommandDefinition {
  /** The smallest policy that is enough. */
  policy: PolicyName;
  rights: readonly CommandRight[];
}

function calls(action: string, ...resources: readonly CommandResource[]): CommandRight[] {
  return resources.map((on) => ({ action, on }));
}

function reads(...keys: readonly string[]): CommandRight[] {
  return keys.flatMap((key) => calls('s3:GetObject', `data/${key}`));
}

function invokes(...names: readonly FunctionName[]): CommandRight[] {
  return names.flatMap((name) => calls('lambda:InvokeFunction', `function/${name}`));
}

function byOperators(rights: readonly CommandRight[]): CommandRight[] {
  return rights.map((right) => ({ ...right, operatorsOnly: true }));
}

/** Ledgers of all mails, and records of notices. One pattern, because a policy of IAM has little room. */
const LEDGERS = 'mail/*';
/** The registry alone, for commands that edit it. */
const READ_CURRENT = reads(REGISTRY_KEY);
/** The registry that is used now: the last good one, if it has to serve. */
const READ_REGISTRY = reads(...REGISTRY);
const READ_VERSIONS = [
  ...calls('s3:ListBucketVersions', 'data'),
  ...calls('s3:GetObjectVersion', `data/${REGISTRY_KEY}`),
];
const WRITE_REGISTRY = calls('s3:PutObject', `data/${REGISTRY_KEY}`);
/** Takes a merchant out of the last good registry. */
const WRITE_LAST_GOOD = calls('s3:PutObject', `data/${LAST_GOOD}`);
const READ_SECRETS = calls('secretsmanager:GetSecretValue', 'secrets');
/** The new value is stored first. Then the label of the present value moves to it, if nobody else moved it. */
const WRITE_SECRETS = [
  ...calls('secretsmanager:PutSecretValue', 'secrets'),
  ...calls('secretsmanager:UpdateSecretVersionStage', 'secrets'),
];
/** For a merchant's own secret. */
const CREATE_SECRETS = calls('secretsmanager:CreateSecret', 'secrets');
const LOOK_AT_SECRETS = byOperators(READ_SECRETS);
/** What became of a merchant's day. Not the files with customers' data. */
const READ_DAYS = reads('days/*', LEDGERS);
/** Statements and pages of groups, with the figures of merchants. */
const READ_STATEMENTS = reads('statements/*');
/** Records that a closed statement was reopened. */
const REOPENED = 'statements/*/reopened-*';
/** How many messages wait, and how many were put aside. */
const COUNT_MESSAGES = calls('sqs:GetQueueAttributes', 'queues', 'dead letters');
/** Receives them and gives them back at once. */
const READ_DEAD_LETTERS = [
  ...calls('sqs:ReceiveMessage', 'dead letters'),
  ...calls('sqs:ChangeMessageVisibility', 'dead letters'),
];
/** Who only looks must not hide dead letters from the alarm. */
const LOOK_AT_DEAD_LETTERS = byOperators(READ_DEAD_LETTERS);
const EXPLORE = calls(
  'lambda:GetFunctionConfiguration',
  ...FUNCTION_NAMES.map((name) => `function/${name}` as const),
);

function commandsOf(policy: PolicyName) {
  return (...rights: readonly (readonly CommandRight[])[]): CommandDefinition => ({
    policy,
    rights: rights.flat(),
  });
}
const readOnly = commandsOf('ReadOnly');
const operators = commandsOf('Operators');
const forget = commandsOf('Forget');
const verify = commandsOf('Verify');

/** Finds versions and deletes them for ever. The record of it stays. */
function erases(...prefixes: readonly string[]): CommandRight[] {
  return [
    ...calls('s3:ListBucketVersions', 'data'),
    ...calls('s3:DeleteObjectVersion', ...prefixes.map((prefix) => `data/${prefix}*` as const)),
    ...calls('s3:PutObject', `data/${FORGOTTEN}*`),
    ...calls('cloudformation:DescribeStacks', 'lake stack'),
  ];
}

/** The starts of keys that have data of one merchant alone, and pages of groups. */
const OF_MERCHANTS = [
  'invoices/',
  'refunds/',
  'days/',
  'checked/',
  'history/',
  'statements/',
  'mail/',
  'alerts/',
  'config/refunds/',
  'mail-stops/merchant=',
  'links/',
];

/** Every command that works with a stage, with the calls that it makes besides those that others need, too. */
const COMMANDS = {
  'registry pull': readOnly(READ_CURRENT),
  'registry diff': readOnly(READ_CURRENT),
  'registry push': operators(READ_REGISTRY, WRITE_REGISTRY, WRITE_LAST_GOOD),
  'registry history': readOnly(READ_VERSIONS, reads(LAST_GOOD)),
  'registry rollback': operators(READ_REGISTRY, READ_VERSIONS, WRITE_REGISTRY, WRITE_LAST_GOOD),
  'merchant list': readOnly(READ_REGISTRY),
  'merchant show': readOnly(READ_REGISTRY, reads('history/*'), LOOK_AT_SECRETS),
  'merchant add': operators(
    READ_REGISTRY,
    WRITE_REGISTRY,
    READ_SECRETS,
    WRITE_SECRETS,
    CREATE_SECRETS,
    invokes('daily-report'),
  ),
  'merchant set': operators(READ_REGISTRY, WRITE_REGISTRY),
  'merchant remove': operators(READ_REGISTRY, WRITE_REGISTRY, WRITE_LAST_GOOD, READ_SECRETS, WRITE_SECRETS),
  'merchant forget': forget(
    READ_REGISTRY,
    calls('s3:GetObjectVersion', 'data/statements/*'),
    erases(...OF_MERCHANTS),
    invokes('lake'),
  ),
  'customer forget': forget(
    READ_REGISTRY,
    reads('days/*'),
    erases('invoices/', 'refunds/', 'links/'),
    invokes('daily-report', 'lake'),
  ),
  'secret put': operators(READ_CURRENT, READ_SECRETS, CREATE_SECRETS, WRITE_SECRETS),
  'secret rotate': operators(READ_CURRENT, READ_SECRETS, WRITE_SECRETS),
  'secret check': operators(READ_CURRENT, READ_SECRETS),
  status: readOnly(READ_REGISTRY, reads('checked/*'), READ_DAYS, READ_STATEMENTS, COUNT_MESSAGES),
  why: readOnly(
    READ_REGISTRY,
    reads('checked/*'),
    READ_DAYS,
    READ_STATEMENTS,
    reads(MAIL_STOPS, LAST_TICK),
    COUNT_MESSAGES,
    LOOK_AT_DEAD_LETTERS,
  ),
  verify: verify(reads(`${PROOFS}*`, 'days/*', 'invoices/*', 'refunds/*'), READ_STATEMENTS),
  report: operators(READ_REGISTRY, invokes('daily-report')),
  statement: operators(READ_REGISTRY, invokes('statement')),
  'statement reopen': operators(
    READ_REGISTRY,
    READ_STATEMENTS,
    calls('s3:PutObject', `data/${REOPENED}`),
    invokes('statement'),
  ),
  backfill: operators(reads('checked/*'), invokes('plan'), COUNT_MESSAGES, READ_DEAD_LETTERS),
  redrive: operators(
    COUNT_MESSAGES,
    READ_DEAD_LETTERS,
    calls('sqs:StartMessageMoveTask', 'dead letters'),
    calls('sqs:ListMessageMoveTasks', 'dead letters'),
  ),
  'alerts test': operators(reads(LEDGERS), invokes('alert-check')),
  'alerts try': operators(READ_REGISTRY, reads('history/*', LEDGERS), WRITE_REGISTRY),
  'alerts history': readOnly(READ_REGISTRY, reads(LEDGERS)),
  'alerts resend': operators(reads(LEDGERS), invokes('alert-check')),
  'lake check': operators(invokes('lake')),
  'suppression list': readOnly(
    READ_REGISTRY,
    reads(MAIL_STOPS),
    calls('ses:ListSuppressedDestinations', 'account'),
  ),
  'suppression add': operators(READ_REGISTRY, reads(MAIL_STOPS), calls('s3:PutObject', `data/${MAIL_STOPS}`)),
  'suppression remove': operators(
    READ_REGISTRY,
    READ_DAYS,
    reads(MAIL_STOPS),
    calls('s3:DeleteObject', `data/${MAIL_STOPS}`),
    calls('ses:GetSuppressedDestination', 'account'),
    calls('ses:DeleteSuppressedDestination', 'account'),
  ),
  doctor: readOnly(
    READ_REGISTRY,
    LOOK_AT_SECRETS,
    EXPLORE,
    calls('lambda:GetAccountSettings', 'account'),
    calls('ses:GetAccount', 'account'),
    calls('ses:GetEmailIdentity', 'identity'),
    calls('ses:GetConfigurationSet', 'configuration set'),
    calls('ses:GetConfigurationSetEventDestinations', 'configuration set'),
    calls('sns:ListSubscriptionsByTopic', 'topic'),
    calls('scheduler:GetSchedule', 'schedules'),
    COUNT_MESSAGES,
    calls('cloudwatch:DescribeAlarms', 'account'),
    calls('lakeformation:GetDataLakeSettings', 'account'),
    // The first day of the lake. The first sealed day comes from a list of keys, without a right to read the objects.
    calls('cloudformation:DescribeStacks', 'lake stack'),
  ),
  invoke: operators(invokes(...FUNCTION_NAMES), calls('lambda:InvokeFunction', 'optional functions')),
} satisfies Record<string, CommandDefinition>;

/** A command as it is typed, such as `registry pull`. */
export type CommandName = keyof typeof COMMANDS;

/** The commands in the order of docs/rights.md. */
export const COMMAND_NAMES: readonly CommandName[] = Object.keys(COMMANDS).filter(isCommandName);

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** The smallest policy that is enough for a command. */
export function policyOf(command: CommandName): PolicyName {
  return COMMANDS[command].policy;
}

/** The calls of a command, besides those of {@link impliedRights}. */
export function ownRights(command: CommandName): readonly CommandRight[] {
  return COMMANDS[command].rights;
}

/** The calls for finding the stage, telling a missing object from a forbidden one, the key, and moving messages. */
export function impliedRights(own: readonly CommandRight[]): CommandRight[] {
  const has = (action: string) =>
    own.some((right) => right.action === action && right.on.startsWith('data/'));
  const writes = has('s3:PutObject');
  const readsSecret = own.some(({ action }) => action === 'secretsmanager:GetSecretValue');
  const writesSecret = own.some(({ action }) => action === 'secretsmanager:PutSecretValue');
  const moves = own.some(({ action }) => action === 'sqs:StartMessageMoveTask');
  return [
    ...calls('cloudformation:DescribeStacks', 'stacks'),
    ...(has('s3:GetObject') ? calls('s3:ListBucket', 'data') : []),
    ...(has('s3:GetObject') || writes ? calls('kms:Decrypt', 'key') : []),
    ...(writes ? calls('kms:GenerateDataKey', 'key') : []),
    ...(readsSecret ? calls('kms:Decrypt', 'secrets key') : []),
    ...(writesSecret ? calls('kms:GenerateDataKey', 'secrets key') : []),
    // SQS moves messages with the rights of who starts it.
    ...(moves ? [...calls('sqs:DeleteMessage', 'dead letters'), ...calls('sqs:SendMessage', 'queues')] : []),
  ];
}

/** Whether a policy allows a command. */
export function isAllowed(command: CommandName, policy: PolicyName): boolean {
  const smallest = policyOf(command);
  return smallest === policy || (smallest === 'ReadOnly' && policy === 'Operators');
}

/** The calls that a policy allows, each once. */
export function rightsOfPolicy(policy: PolicyName): CommandRight[] {
  const allowed = COMMAND_NAMES.filter((command) => isAllowed(command, policy)).flatMap((command) => {
    const own = ownRights(command).filter(
      ({ operatorsOnly = false }) => policy === 'Operators' || !operatorsOnly,
    );
    return [...own, ...impliedRights(own)];
  });
  return [...new Map(allowed.map(({ action, on }) => [`${action} ${on}`, { action, on }])).values()];
}
