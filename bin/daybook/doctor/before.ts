import { AthenaClient, GetWorkGroupCommand, InvalidRequestException } from '@aws-sdk/client-athena';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { GetQueueUrlCommand, QueueDoesNotExist, SQSClient } from '@aws-sdk/client-sqs';
import { groupWorkGroup } from '#lake/sql/groups.ts';
import { historyWorkGroup, lakeDatabase, lakeWorkGroup } from '#lake/sql/lake-database.ts';
import { FUNCTIONS, QUEUE_NAMES } from '#lib/functions.ts';
import { pastedLine } from '#mail/notices/ops-command.ts';
import { SettingsError, exampleSettings, readSettings } from '#lib/settings.ts';
import type { Settings } from '#lib/settings.ts';
import type { CommandContext } from '../context.ts';
import { findStack } from '../stage/stage.ts';
import { knownStages, stageName } from '../stage/stage-names.ts';
import { UsageError, when } from '../terminal/command-errors.ts';
import { createClients, fine, orFine, quotaIncrease, unknown, wait, wrong } from './check.ts';
import type { Check, Finding } from './check.ts';
import { dmarcFinding } from './checks/connections.ts';
import { lambdaQuota } from './checks/functions.ts';
import { lakeFormation } from './checks/lake.ts';
import { priceFinding, productionAccess, sendingFindings } from './checks/ses.ts';

type Account = ReturnType<typeof accountBefore>;

const STACKS = ['Data', 'Mail', 'Functions', 'Schedules', 'Lake', 'Monitoring', 'Access', 'Console'];

/**
 * Reads the settings of a stage, and nothing of AWS yet.
 *
 * @param file the file of the settings; `true`: that of the stage in lib/stages
 * @param dnsServers addresses with or without a port. Empty: those of this machine
 * @throws {UsageError} when there are none, or they are wrong
 */
export function accountBefore(context: CommandContext, file: string | true, dnsServers: readonly string[]) {
  const settings = readOwnSettings(context, file);
  const { stage: name, region, concurrency } = settings;
  const lines = context.account(file === true ? name : file, region);
  const client = createClients(false);
  const cloudFormation = client(CloudFormationClient);
  const find = (stack: string) => findStack(cloudFormation, stack);
  const findAll = async () => {
    const all = await Promise.all(STACKS.map((each) => find(`Daybook-${name}-${each}`)));
    return new Map(
      all.flatMap((stack, at) => (stack === undefined ? [] : [[STACKS[at] ?? '', stack] as const])),
    );
  };
  let found: ReturnType<typeof findAll> | undefined;
  return {
    stage: { name, lines, concurrency },
    /** Writes the settings anew. */
    init: file === true ? lines.daybook('init') : pastedLine('daybook', ['init', file], {}),
    settings,
    client,
    dnsServers,
    find,
    /** The stacks of the stage that are there, by names such as `Mail`. Read once. */
    stacks: () => (found ??= findAll()),
  };
}

function readOwnSettings({ stageNamed, lines }: CommandContext, file: string | true): Settings {
  try {
    if (file !== true) return readSettings(file);
    const name = stageName(stageNamed());
    if (knownStages().includes(name)) return readSettings(name);
    if (name === 'local')
      throw new UsageError('--before looks at an account of AWS: give --stage, not --local');
    throw new UsageError(`lib/stages has no file ${name}.json: "${lines.daybook('init')}" writes it`);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** Names that AWS gives once, with the stack that takes them. `find` throws when there is none. */
function takenOnce({ stage: { name, lines }, settings: { lake }, client }: Account) {
  const [lambda, sqs, athena] = [client(LambdaClient), client(SQSClient), client(AthenaClient)];
  const [stage, database] = [`daybook-${name}`, lakeDatabase(name)];
  return [
    {
      what: 'function',
      stack: 'Functions',
      names: Object.keys(FUNCTIONS).map((each) => `${stage}-${each}`),
      find: (each: string): Promise<unknown> =>
        lambda.send(new GetFunctionConfigurationCommand({ FunctionName: each })),
      remove: (each: string) => lines.aws('lambda', 'delete-function', '--function-name', each),
    },
    {
      what: 'queue',
      stack: 'Functions',
      names: QUEUE_NAMES.flatMap((each) => [`${stage}-${each}`, `${stage}-${each}-dead`]),
      find: (each: string): Promise<unknown> => sqs.send(new GetQueueUrlCommand({ QueueName: each })),
      remove: (each: string) => `delete the queue ${each} in the console of SQS, if nothing uses it`,
    },
    {
      what: 'workgroup',
      stack: 'Lake',
      names: [
        ...[lakeWorkGroup(database), historyWorkGroup(database)],
        ...lake.groups.map((group) => groupWorkGroup(database, group)),
      ],
      find: (each: string): Promise<unknown> => athena.send(new GetWorkGroupCommand({ WorkGroup: each })),
      remove: (each: string) =>
        lines.aws('athena', 'delete-work-group', '--work-group', each, '--recursive-delete-option'),
    },
  ];
}

function noneIfMissing(error: unknown): Finding[] {
  const isMissing = error instanceof ResourceNotFoundException || error instanceof QueueDoesNotExist;
  if (isMissing || (error instanceof InvalidRequestException && /is not found/.test(error.message)))
    return [];
  throw error;
}

function identityOf(ses: SESv2Client, name: string) {
  const read = ses.send(new GetEmailIdentityCommand({ EmailIdentity: name }));
  return read.catch(when(NotFoundException, () => undefined));
}

/** What only others can mend. */
function asWait(finding: Finding): Finding {
  return finding.verdict === 'wrong' ? { ...finding, verdict: 'wait' } : finding;
}

/** The function `lake` runs one query after the other; the rest is for people and dashboards. */
const FEWEST_QUERIES = 5;

/** What to look at before a deploy, in the order in which the deploy needs it. */
export const CHECKS_BEFORE: readonly Check<Account>[] = [
  {
    name: 'Settings',
    looksAt: ({ stage }) => `the settings of ${stage.name}`,
    look: ({ init, settings: own }) => {
      const examples = exampleSettings(own);
      if (examples.length === 0) return [fine('none is an example')];
      return [wrong(`still examples: ${examples.join(', ')}`, init)];
    },
  },
  {
    name: 'SES account',
    looksAt: () => 'sending, sandbox, quotas and price',
    look: async ({ stage: { lines }, settings: { ops, mail }, client }) => {
      const ses = client(SESv2Client);
      const account = await ses.send(new GetAccountCommand({}));
      const { Max24HourSend: most = 0, MaxSendRate: rate = 0 } = account.SendQuota ?? {};
      const quota = `${most === -1 ? 'any number of' : most} mails a day, ${rate} a second; each recipient of a report takes one`;
      const paid = [...sendingFindings(account), priceFinding(account)];
      if (account.ProductionAccessEnabled !== false) return [fine(quota), ...paid];
      const addresses = [...new Set([...ops.recipients, ...mail.sandboxRecipients])];
      const unverified = await Promise.all(
        addresses.map(async (address) => {
          const identity = await identityOf(ses, address);
          const verify = lines.aws('sesv2', 'create-email-identity', '--email-identity', address);
          if (identity?.VerifiedForSendingStatus === true) return [];
          const how = identity === undefined ? verify : 'answer the mail that AWS sent there';
          return [wrong(`in the sandbox ${address} gets no mail before it is verified`, how)];
        }),
      );
      const sandbox = `SES is in its sandbox: ${quota}, and only verified addresses get mail`;
      return [wait(sandbox, productionAccess(lines)), ...unverified.flat(), ...paid];
    },
  },
  {
    name: 'Mail domain',
    looksAt: ({ settings: { mail } }) => mail.domain,
    look: async ({ stage: { lines }, settings: { mail }, client, stacks: read }) => {
      const identity = await identityOf(client(SESv2Client), mail.domain);
      const there = await read();
      const zone = mail.hostedZone;
      if (identity === undefined) {
        if (zone !== undefined)
          return [fine(`the deploy makes it in SES, and its records in the zone ${zone.id}`)];
        const ask = `tell who keeps its DNS that three CNAME records come; when the stack Mail is deployed, this check shows them`;
        return [wait('the deploy makes it in SES, and its DNS must have records then', ask)];
      }
      if (!there.has('Mail')) {
        const remove = lines.aws('sesv2', 'delete-email-identity', '--email-identity', mail.domain);
        const or = 'if nothing else sends with it; or choose another mail.domain';
        return [wrong('SES has it already, so the deploy cannot make it', `${remove}, ${or}`)];
      }
      if (identity.VerifiedForSendingStatus === true) return [fine('SES has verified it')];
      if (zone !== undefined)
        return [wait(`SES has not seen its records in the zone ${zone.id} yet`, 'look again later')];
      const outputs = there.get('Mail')?.Outputs ?? [];
      const records = outputs.flatMap(({ OutputKey: key = '', OutputValue: value = '' }) =>
        key.startsWith('Dkim') ? [value] : [],
      );
      return [wait('SES waits for its DNS records', `add to your DNS: ${records.join('; ')}`)];
    },
  },
  {
    name: 'DMARC',
    looksAt: ({ settings: { mail } }) => `_dmarc.${mail.domain}`,
    look: async ({ settings: { mail }, dnsServers }) => [asWait(await dmarcFinding(mail.domain, dnsServers))],
  },
  {
    ...lambdaQuota,
    look: async (account) => (await lambdaQuota.look(account)).map(asWait),
  },
  {
    name: 'Athena quota',
    looksAt: () => 'queries at the same time',
    look: async ({ stage, client }) => {
      const list = new ListServiceQuotasCommand({ ServiceCode: 'athena' });
      const { Quotas = [] } = await client(ServiceQuotasClient).send(list);
      const { Value: value, QuotaCode: code = '' } =
        Quotas.find(({ QuotaName }) => QuotaName === 'Active DML queries') ?? {};
      if (value === undefined) return [unknown('AWS does not say how many queries it runs')];
      const found = `the quota is ${value}; Daybook runs one query after the other, the rest is for analysts`;
      if (value >= FEWEST_QUERIES) return [fine(found)];
      return [wait(found, stage.lines.aws(...quotaIncrease('athena', code, '20')))];
    },
  },
  lakeFormation,
  {
    name: 'CDK',
    looksAt: () => 'the stack CDKToolkit',
    look: async ({ stage, find }) =>
      (await find('CDKToolkit')) === undefined
        ? [wrong('CDK has not prepared this account and region', stage.lines.cdk('bootstrap'))]
        : [fine('CDK has prepared this account and region')],
  },
  {
    name: 'Stacks',
    looksAt: ({ stage }) => `Daybook-${stage.name}-…`,
    look: async ({ stage: { lines }, stacks: read }) => {
      const there = await read();
      const failed = [...there.values()].filter(({ StackStatus }) => StackStatus === 'ROLLBACK_COMPLETE');
      const unprotect = [
        'update-termination-protection',
        '--no-enable-termination-protection',
        '--stack-name',
      ];
      const findings = failed.map(({ StackName = '' }) =>
        wrong(
          `the first deploy of ${StackName} failed: the next one deletes it, if nothing protects it`,
          lines.aws('cloudformation', ...unprotect, StackName),
        ),
      );
      const names = [...there.keys()].join(', ');
      return orFine(findings, names === '' ? 'none is there yet' : `already deployed: ${names}`);
    },
  },
  // What is left of a stage of the same name, or belongs to something else.
  {
    name: 'Names',
    looksAt: ({ stage }) => `daybook-${stage.name}-…`,
    look: async (account) => {
      const { stage } = account;
      const there = await account.stacks();
      const wanted = takenOnce(account).filter(({ stack }) => !there.has(stack));
      if (wanted.length === 0) return [fine('they are those of the deployed stage')];
      const taken = wanted.flatMap(({ what, names: all, find, remove }) =>
        all.map((each) =>
          find(each).then(
            () => [wrong(`the ${what} ${each} is there, and of no stack of this stage`, remove(each))],
            noneIfMissing,
          ),
        ),
      );
      const bad = (await Promise.all(taken)).flat();
      const kinds = wanted.map(({ what }) => what).join(', ');
      const groups = `/aws/lambda/daybook-${stage.name}-`;
      return [
        ...orFine(bad, `nothing has them yet (${kinds})`),
        unknown(
          'logs that a destroyed stage of this name left behind would stop the deploy',
          `list them: ${stage.lines.aws('logs', 'describe-log-groups', '--log-group-name-prefix', groups)}`,
        ),
      ];
    },
  },
];
