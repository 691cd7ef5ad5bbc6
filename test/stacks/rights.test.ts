import * as z from 'zod';
import { FUNCTION_NAMES, FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import type { Settings } from '#lib/settings.ts';
import { propertiesOf, synthesise, type SynthesisedStage } from '#support/stacks/synthesised.ts';
import { statementsOf, managedStatementsOf } from '#support/stacks/statements.ts';
import {
  COMMAND_NAMES,
  impliedRights,
  isAllowed,
  ownRights,
  rightsOfPolicy,
  type PolicyName,
} from '#lib/command-rights.ts';
import { EvaluatedPolicy } from '#support/stacks/iam-evaluator.ts';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { defined } from '#support/assertions/index.ts';

const { template } = await synthesise('prod');
const functions = template('Functions');
/** Without `ManagedPolicyArns` and `Policies`. */
const roleSchema = z.strictObject({
  AssumeRolePolicyDocument: z.unknown(),
  Description: z.string(),
  Tags: z.unknown(),
});

describe('the rights of the functions', () => {
  it.each<[string, Partial<Settings>]>([
    ['a region that the library does not know yet', { region: 'ap-southeast-9' }],
    ['another partition', { region: 'us-gov-west-1' }],
    ['an account that is given', { account: '111122223333' }],
  ])(
    'pass the checks in %s',
    async (_, change) => {
      const synth = synthesise('prod', (settings) => Object.assign(settings, change));
      await expect(synth).resolves.toHaveProperty('templates.Functions');
    },
    120_000,
  );

  it.each(FUNCTION_NAMES)(
    'are the recorded statements, and cover no resource by a star alone: %s',
    async (name) => {
      const statements = statementsOf(functions, name);
      await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot(`rights/${name}.txt`);
      for (const statement of statements) expect(statement).not.toMatch(/: \*|\*:|data\/\*/);
    },
  );

  it('come from no managed policy, and are those of a role that no other function has', () => {
    const roles = Object.values(propertiesOf(functions, 'AWS::IAM::Role', roleSchema));
    const descriptions = FUNCTION_NAMES.map((name) => `daybook-prod-${name}: what this function may do`);
    expect(roles.map(({ Description }) => Description).toSorted()).toEqual(descriptions.toSorted());
  });

  it.each([
    [
      'write no registry but its last good copy, which is for plan alone',
      /s3:Put.*(config|data\/?\*)/,
      ['plan s3:PutObject: data/config/last-good/merchants.json'],
    ],
    [
      'delete data files by sweep, and nothing else',
      /s3:Delete/,
      ['sweep s3:DeleteObject: data/invoices/*', 'sweep s3:DeleteObject: data/refunds/*'],
    ],
  ])('%s', (_, pattern, expected) => {
    const found = FUNCTION_NAMES.flatMap((name) =>
      statementsOf(functions, name)
        .filter((statement) => pattern.test(statement))
        .map((statement) => `${name} ${statement}`),
    );
    expect(found.sort()).toEqual(expected);
  });
});

const access = template('Access');
const POLICIES: readonly PolicyName[] = ['Operators', 'ReadOnly', 'Forget'];

/** IAM's limit for a managed policy, characters without blanks. */
const LONGEST = 6_144;
const [account, region] = ['111122223333', 'ap-southeast-9'];
/** The longest values that references can have: the ARN of a bucket, a key or a topic. */
const LONGEST_NAMES = { account, region, of: () => `arn:aws:sns:${region}:${account}:${'x'.repeat(64)}` };
/** Actions that AWS has no smaller resource for. Only one of them changes something: the account's suppression list. */
const ON_ACCOUNT: Record<PolicyName, string> = {
  Operators:
    'cloudwatch:DescribeAlarms, lakeformation:GetDataLakeSettings, lambda:GetAccountSettings, ses:DeleteSuppressedDestination, ses:GetAccount, ses:GetSuppressedDestination, ses:ListSuppressedDestinations',
  ReadOnly:
    'cloudwatch:DescribeAlarms, lakeformation:GetDataLakeSettings, lambda:GetAccountSettings, ses:GetAccount, ses:ListSuppressedDestinations',
  Forget: '',
  Verify: '',
};

const sets = (policy: PolicyName) =>
  new Set(rightsOfPolicy(policy).map(({ action, on }) => `${action} ${on}`));

describe('the policies for people', () => {
  it.each(POLICIES)(
    'are the recorded statements, with a star alone only where AWS has no smaller resource: %s',
    async (policy) => {
      const statements = managedStatementsOf(access, policy);
      await expect(`${statements.join('\n')}\n`).toMatchFileSnapshot(`rights/people/${policy}.txt`);
      const stars = statements.filter((line) => line.endsWith(': *'));
      expect(stars).toEqual(ON_ACCOUNT[policy] === '' ? [] : [`${ON_ACCOUNT[policy]}: *`]);
      for (const line of statements) expect(line).not.toMatch(/\*:|data\/\*/);
    },
  );

  it.each(POLICIES)(
    'fit into the limit of IAM for the longest names: %s',
    async (policy) => {
      const long = await synthesise('prod', (settings) => {
        settings.stage = 'a-stage-of-20-letter';
        settings.region = region;
        settings.mail.domain = `${'mail-domain.'.repeat(8)}example.com`;
        settings.mail.from = `reports@${settings.mail.domain}`;
        delete settings.mail.hostedZone;
        settings.credentials = {
          secret: `daybook/${'a-long-name/'.repeat(5)}credentials`,
          prefix: `daybook/${'a-long-name/'.repeat(5)}merchants/`,
          keyArn: `arn:aws-us-gov:kms:ap-southeast-9:111122223333:key/${'0'.repeat(36)}`,
        };
      });
      const { statements } = new EvaluatedPolicy(long.template('Access'), policy, LONGEST_NAMES);
      const document = JSON.stringify({ Version: '2012-10-17', Statement: statements });
      const asWritten = document.replaceAll(',"Condition":{}', '').replaceAll(/\["([^"]*)"\]/g, '"$1"');
      const size = asWritten.replaceAll('arn:aws:', 'arn:aws-us-gov:').replaceAll(/\s/g, '').length;
      expect(size).toBeGreaterThan(1_000);
      expect(size).toBeLessThanOrEqual(LONGEST);
    },
    180_000,
  );

  it('allow the commands that they are for', () => {
    for (const policy of POLICIES) {
      const allowed = sets(policy);
      const commands = COMMAND_NAMES.filter((name) => isAllowed(name, policy));
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) {
        const own = ownRights(command).filter((right) => policy === 'Operators' || !right.operatorsOnly);
        for (const { action, on } of [...own, ...impliedRights(own)]) {
          expect(allowed, command).toContain(`${action} ${on}`);
        }
      }
    }
  });

  it('let ReadOnly read neither secrets nor files with customers’ data, and change nothing', () => {
    const lines = managedStatementsOf(access, 'ReadOnly').join('\n');
    expect(lines).not.toMatch(/secretsmanager|data\/(invoices|refunds)|kms:GenerateDataKey/);
    const actions = new Set(rightsOfPolicy('ReadOnly').map(({ action }) => action.split(':')[1] ?? ''));
    for (const action of actions) expect(action).toMatch(/^(Get|List|Describe|Decrypt)/);
    expect(sets('ReadOnly').isSubsetOf(sets('Operators'))).toBe(true);
  });

  it('let only Forget delete for ever, and it lets nobody write or delete a registry, a secret or a seal of today', () => {
    const deletes = (policy: PolicyName) =>
      [...sets(policy)].filter((call) => call.startsWith('s3:DeleteObjectVersion'));
    expect(deletes('Operators')).toEqual([]);
    expect(deletes('ReadOnly')).toEqual([]);
    expect(deletes('Forget').join(' ')).not.toMatch(
      /config\/(?!refunds)|forgotten|mail-stops\/(?!merchant=)/,
    );
    const writes = [...sets('Forget')].filter((call) => /:(Put|Create|Update)/.test(call));
    expect(writes).toEqual(['s3:PutObject data/forgotten/*']);
  });

  it('let Operators write only the registry, mail stops, reopenings of statements, secrets, dead letters and the suppression list of SES', () => {
    const writes = rightsOfPolicy('Operators')
      .filter(({ action }) => /:(Put|Delete|Create|Update)/.test(action))
      .map(({ action, on }) => `${action} ${on}`);
    expect(writes.toSorted()).toEqual([
      's3:DeleteObject data/mail-stops/*',
      's3:PutObject data/config/last-good/merchants.json',
      's3:PutObject data/config/merchants.json',
      's3:PutObject data/mail-stops/*',
      's3:PutObject data/statements/*/reopened-*',
      'secretsmanager:CreateSecret secrets',
      'secretsmanager:PutSecretValue secrets',
      'secretsmanager:UpdateSecretVersionStage secrets',
      'ses:DeleteSuppressedDestination account',
      'sqs:DeleteMessage dead letters',
    ]);
  });
});

const queueSchema = z.object({ QueueName: z.string().optional(), VisibilityTimeout: z.int().optional() });
const queues = Object.values(propertiesOf(template('Functions'), 'AWS::SQS::Queue', queueSchema));

describe('every queue', () => {
  it.each(QUEUE_NAMES)('hides a message for longer than its worker runs: %s', (name) => {
    const queue = queues.find(({ QueueName }) => QueueName === `daybook-prod-${name}`);
    const seconds = FUNCTIONS[QUEUES[name].worker].timeoutMinutes * 60;
    expect(queue?.VisibilityTimeout).toBeGreaterThan(seconds);
  });

  it('rings for no alert check that only comes back: it is put aside before', () => {
    const longestWaits = 1.5 * (4 + 20);
    const runs = MAX_RECEIVES * FUNCTIONS['alert-check'].timeoutMinutes;
    expect(QUEUES.alerts.longestWaitMinutes).toBeGreaterThan(longestWaits + runs);
  });
});

const scheduleSchema = z.object({ Target: z.object({ Input: z.string() }) });

/** The event as the target gets it: the scheduler writes the time in place of its name. */
function eventOf(tick: string): unknown {
  const all = Object.entries(propertiesOf(template('Schedules'), 'AWS::Scheduler::Schedule', scheduleSchema));
  const [, { Target }] = defined(
    all.find(([id]) => id.startsWith(tick)),
    tick,
  );
  return JSON.parse(Target.Input.replaceAll('<aws.scheduler.scheduled-time>', '2026-11-21T03:00:00Z'));
}

it('the schedules pass their scheduled time in events that the functions accept', () => {
  const ofTick = { scheduledTime: '2026-11-21T03:00:00Z', byHand: false };
  expect(readPlanEvent(eventOf('DailyTick'))).toMatchObject({ is: 'tick', ...ofTick });
  expect(readPlanEvent(eventOf('StatementTick'))).toMatchObject({ is: 'statements', ...ofTick });
  expect(readPlanEvent(eventOf('AlertTick'))).toMatchObject({ is: 'day', kind: 'alert', ...ofTick });
  const now = Date.parse('2026-11-21T03:00:00Z');
  expect(readWatchEvent(eventOf('WatchTick'), () => now)).toEqual({ day: undefined, now, isAhead: false });
});

/*
 * A stack that uses what another one made must not go on with what is gone. CloudFormation holds what is exported and
 * imported. Everything else that stacks refer to has a name that the stacks choose, which stays when it is made anew.
 */

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() }))
    .default({}),
});
const madeSchema = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z
    .strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
    .transform((value) => value['Fn::GetAtt'][0]),
]);

/** The properties by which the stacks name a resource. */
const NAMES = ['EmailIdentity', 'FunctionName', 'Name', 'QueueName'];

/**
 * What each stack exports. If a line goes away, an upgrade is refused: the consumer still imports it when the producer is
 * deployed. Deploy the consumer alone first (`cdk deploy --exclusively`), and say so in the changelog.
 */
const EXPORTS = [
  'Data Bucket Arn',
  'Data Bucket Ref',
  'Data Key Arn',
  'Data AccessLogs Ref',
  'Functions DeadLetters Arn',
  'Functions DeadLetters QueueName',
  // The stack Lake grants what Athena needs.
  'Functions lakeRole Ref',
  'Mail Topic Ref',
].toSorted();

function exportsOf({ templates }: SynthesisedStage): string[] {
  return Object.entries(templates)
    .flatMap(([stack, template]) =>
      Object.values(templateSchema.parse(template.toJSON()).Outputs).flatMap(({ Value, Export }) => {
        if (Export === undefined) return [];
        const attribute = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).safeParse(Value);
        const id = madeSchema.parse(Value).replace(/[0-9A-F]{8}$/, '');
        return [`${stack} ${id} ${attribute.success ? attribute.data['Fn::GetAtt'][1] : 'Ref'}`];
      }),
    )
    .toSorted();
}

const CHANGES: [string, (settings: Settings) => void][] = [
  ['as they are', () => undefined],
  ['without the history', (settings) => (settings.lake.history = false)],
  ['without test events', (settings) => (settings.console.testEvents = 'none')],
  [
    'without people who get notices by mail',
    (settings) => {
      settings.ops.recipients = [];
      settings.ops.subscribers = ['operations@example.com'];
    },
  ],
];

describe.each(['dev', 'prod'])('the stacks of %s', (stage) => {
  it.each(CHANGES)(
    'hold what CloudFormation names, with every setting: %s',
    async (_, change) => {
      expect(exportsOf(await synthesise(stage, change))).toEqual(EXPORTS);
    },
    180_000,
  );

  it('import from another stack, so that it cannot be deleted under them', async () => {
    const { templates } = await synthesise(stage);
    const importers = (producer: string) =>
      Object.entries(templates)
        .filter(([, template]) =>
          JSON.stringify(template.toJSON()).includes(`{"Fn::ImportValue":"Daybook-${stage}-${producer}:`),
        )
        .map(([name]) => name)
        .toSorted();
    expect(importers('Data')).toEqual(['Access', 'Functions', 'Lake', 'Mail']);
    expect(importers('Mail')).toEqual(['Access', 'Functions', 'Monitoring']);
    expect(importers('Functions')).toEqual(['Lake', 'Monitoring', 'Schedules']);
  });

  it('refer in another way only to resources that they name themselves', async () => {
    const { templates } = await synthesise(stage);
    const references = Object.values(templates).flatMap((template) => [
      ...JSON.stringify(template.toJSON()).matchAll(
        /\{"Fn::GetStackOutput":\{"StackName":"Daybook-\w+-(\w+)"[^}]*"OutputName":"(\w+)"\}\}/g,
      ),
    ]);
    expect(references.length).toBeGreaterThan(15);
    for (const [, stack = '', output = ''] of references) {
      const producer = templateSchema.parse(templates[stack]?.toJSON());
      const made = producer.Resources[madeSchema.parse(producer.Outputs[output]?.Value)];
      const names = NAMES.flatMap((name) => made?.Properties[name] ?? []);
      expect(
        names.filter((name) => typeof name === 'string'),
        `${stack} ${output}`,
      ).not.toEqual([]);
    }
  });
});

const outputsSchema = z.record(z.string(), z.object({ Value: z.unknown() }));

/** Some outputs of a stage with other settings. The snapshots have all outputs of both stages. */
async function outputsWith(change: (settings: Settings) => void) {
  const { template } = await synthesise('prod', change);
  const outputs = outputsSchema.parse({
    ...template('Mail').findOutputs('*'),
    ...template('Functions').findOutputs('*'),
  });
  return ['OpsRecipients', 'CredentialsSecretPrefix', 'ServiceOrigins'].map((name) => outputs[name]?.Value);
}

it('the outputs leave out what a stage does not set, and list all values with commas between them', async () => {
  const bare = await outputsWith((changed) => {
    changed.ops.recipients = [];
    delete changed.credentials.prefix;
  });
  expect(bare).toEqual([undefined, undefined, 'https://api.payments.example.com']);
  const more = await outputsWith((changed) => {
    changed.ops.recipients = ['a@example.com', 'b@example.com'];
    changed.service.origins = ['https://one.example.com', 'https://two.example.com'];
  });
  expect(more).toEqual([
    'a@example.com,b@example.com',
    'daybook/prod/merchants/',
    'https://one.example.com,https://two.example.com',
  ]);
}, 180_000);
