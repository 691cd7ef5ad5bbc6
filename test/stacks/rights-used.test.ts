import { basename } from 'node:path';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies } from '#functions/plan/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import { MOST_REFUND_IDS } from '#records/revision/check-record.ts';
import { alertStateKey, dataKey, ledgerKey, merchantDay, pageKey } from '#records/storage/keys.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { TABLES } from '#records/revision/manifest.ts';
import { FUNCTION_NAMES, type FunctionName, type OptionalFunctionName } from '#lib/functions.ts';
import type { RecordedRequest } from '#sandbox/aws/index.ts';
import { BUCKET, CODE, DAY, MORNING_AFTER, OPS_TOPIC, shareWorld } from '#support/world/daybook-world.ts';
import { announceOf, eventOf, objectEvents, sweep, watch } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import { prove } from '#support/proofs/running-prove.ts';
import { statementsOf } from '#support/stacks/statements.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

/** The rights that AWS asks for, by the operation of its API. */
const ACTIONS: Record<string, string> = {
  GetObject: 's3:GetObject',
  PutObject: 's3:PutObject',
  DeleteObject: 's3:DeleteObject',
  CreateMultipartUpload: 's3:PutObject',
  GetObjectVersion: 's3:GetObjectVersion',
  ListObjectsV2: 's3:ListBucket',
  ListObjectVersions: 's3:ListBucketVersions',
  PutEvents: 'events:PutEvents',
  GetPublicKey: 'kms:GetPublicKey',
  GetSecretValue: 'secretsmanager:GetSecretValue',
  SendRawEmail: 'ses:SendRawEmail',
  Sign: 'kms:Sign',
  Publish: 'sns:Publish',
  SendMessageBatch: 'sqs:SendMessage',
};

/** Rights for failures that the sandbox does not have, and rights that only AWS can check. */
const NOT_SEEN_HERE = [
  // An upload in parts, of which one failed: 5 MiB and more.
  /^s3:AbortMultipartUpload: /,
  // AWS itself encrypts and writes logs.
  /^(kms:Decrypt|logs|sqs)/,
  // S3 needs it to answer 404 for a missing object.
  /^s3:ListBucket: /,
  // One request to SES needs both rights.
  /^ses:SendRawEmail: .*:configuration-set\//,
  // The secret of a merchant with a `secretId`; the request is the same.
  /^secretsmanager:GetSecretValue: .*merchants\/\*$/,
];

const { template } = await synthesise('prod', (settings) => {
  Object.assign(settings, { events: { webhooks: [] }, proofs: true });
});
const granted = (name: string) => statementsOf(template('Functions'), name);

const world = shareWorld({
  merchants: 2,
  // The bucket keeps versions.
  operator: true,
  environment: { ...OPS_TOPIC, SES_CONFIGURATION_SET: 'daybook-prod' },
});
const used = new Map<string, RecordedRequest[]>();

async function calls(name: FunctionName | OptionalFunctionName, act: () => Promise<unknown>): Promise<void> {
  const before = world.aws.requests.length;
  await act();
  // The worker of the queues makes statements, too.
  const doers = name === 'statement' ? [name, 'daily-report'] : [name];
  for (const doer of doers) used.set(doer, [...(used.get(doer) ?? []), ...world.aws.requests.slice(before)]);
}

/** What a call of a service is on. Only an operator's command calls the others, and `lake` Athena. */
const ON: Partial<Record<RecordedRequest['service'], string>> = {
  kms: '<SigningKey.Arn>',
  eventBridge: 'bus',
  sns: '<Topic>',
  sqs: 'queue',
  ses: 'identity',
  secretsManager: 'secret',
};

/** A call as a statement would allow it: `s3:GetObject: data/days/day=2026-11-20/…`. */
function wanted({ service, operation, key = '' }: RecordedRequest): string {
  const action = ACTIONS[operation] ?? `${service}:${operation}`;
  if (service === 's3') return `${action}: data${operation.startsWith('ListObject') ? '' : `/${key}`}`;
  return `${action}: ${defined(ON[service], `a function may not call ${service}: what it is on`)}`;
}

/** Whether the statement's line allows the call, as IAM matches: a star is any text. */
function allows(statement: string, call: string): boolean {
  const [actions = '', rest = ''] = statement.split(/: (.*)/s);
  const [action = '', resource = ''] = call.split(/: (.*)/s);
  if (!actions.split(', ').includes(action)) return false;
  if (resource === 'bus') return rest.endsWith(':event-bus/default');
  if (resource === 'queue') return /queue/i.test(rest);
  if (resource === 'identity') return rest.includes(':identity/');
  if (resource === 'secret') return rest.includes(':secret:');
  return rest.endsWith('*') ? resource.startsWith(rest.slice(0, -1)) : resource === rest;
}

const RULES = [
  { name: 'unpaid', measure: 'unpaidCount', above: 0 },
  { name: 'refund', measure: 'largestRefund', above: '0.001' },
  { name: 'soon', measure: 'expiringUnpaid', withinDays: 30, above: 0 },
  { name: 'old', measure: 'reportAge', above: 1_000 },
  { name: 'usual', measure: 'shareOfUsualSoFar', above: 1_000 },
];

beforeAll(async () => {
  const { payments, aws } = world;
  const objects = objectEvents(world);
  /** Then it is unknown whether the next mail was sent, so ops are notified. */
  const loseAnswerOfSes = () => {
    world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses', operation: 'SendRawEmail' });
  };
  // More refunds than the record of a pull has: their ids are read from the sealed file.
  payments.data.seedDay(CODE, DAY, { invoices: 130, refunds: MOST_REFUND_IDS + 1 });
  world.clock.setTo('2026-11-21T03:00:00Z');
  const settings = { attachCsv: true, refunds: { source: 'both', statuses: {} }, alerts: RULES };
  await world.putRegistry({ [CODE]: settings, 700002: { timeZone: 'Nowhere' } });

  const plan = createPlan({ ...buildDependencies(readEnvironment(process.env)), clock: world.clock });
  await calls('plan', () => plan({ kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' }));

  await calls('daily-report', () => world.report());
  payments.data.insertInvoice(CODE, DAY, { invoice_status: 0 });
  loseAnswerOfSes();
  await calls('daily-report', () => world.report().catch(() => undefined));
  await calls('daily-report', () => world.report().catch(() => undefined));
  payments.behaviour.loginRefused = true;
  await calls('daily-report', () => world.report().catch(() => undefined));
  payments.behaviour.loginRefused = false;

  loseAnswerOfSes();
  await calls('alert-check', () => world.alertCheck({ day: DAY, now: '2026-11-20T18:00:00Z' }));
  await calls('alert-check', () => world.alertCheck({ day: DAY, now: '2026-11-20T18:15:00Z' }));

  // Rules on counts need no sealed day: the history says whose records these must be.
  const others = { 700002: { timeZone: 'Nowhere' } };
  await world.putRegistry({ [CODE]: { ...settings, alerts: RULES.slice(0, 1) }, ...others });
  await calls('alert-check', () => world.alertCheck({ now: '2026-11-21T02:00:00Z' }));
  await world.putRegistry({ [CODE]: settings, ...others });

  const [report] = world.mails('report');
  await calls('mail-events', async () => mailEventsOf(world)(await sesEvent('bounced-permanent', report)));
  const [notice] = world.mails('ops');
  await calls('mail-events', async () => mailEventsOf(world)(await sesEvent('complained', report)));
  await calls('mail-events', async () => mailEventsOf(world)(await sesEvent('bounced-permanent', notice)));
  const [alert] = world.mails('alert');
  await calls('mail-events', async () => mailEventsOf(world)(await sesEvent('delivered', alert)));

  // One run died earlier in the middle of its mail, another between upload and seal.
  const [alertLedger = ''] = world.keys('mail/alerts/');
  for (const key of [ledgerKey(DAY, CODE, 2), alertLedger]) {
    const ledger = ledgerSchema.parse(JSON.parse(await world.text(key)));
    const recipients = ledger.recipients.map((entry) => ({ ...entry, status: 'intended', round: 2 }));
    await aws.s3.write(BUCKET, key, JSON.stringify({ ...ledger, status: 'intended', round: 2, recipients }));
  }
  const state = membersOf(JSON.parse(await world.text(alertStateKey(CODE))));
  const owed = { check: basename(alertLedger, '.json'), day: DAY, lines: [] };
  await aws.s3.write(BUCKET, alertStateKey(CODE), JSON.stringify({ ...state, owed }));
  const orphans = TABLES.map((table) => dataKey(table, 'json', DAY, CODE, '20261121T030005Z-9f2c61aa'));
  for (const key of orphans) await aws.s3.write(BUCKET, key, 'half');
  world.clock.setTo(Date.parse(MORNING_AFTER) + 3 * 60 * 60 * 1_000);
  await calls('sweep', () => sweep(world));
  for (let hour = 0; hour < 25; hour += 1) {
    world.clock.setTo(Date.parse(MORNING_AFTER) + (72 + hour) * 60 * 60 * 1_000);
    await calls('sweep', () => sweep(world));
  }
  expect(world.keys()).not.toContain(orphans[0]);

  // The week's statement, whose mail may or may not have been sent. Then a day of it changes.
  const weekly = { on: 'thursday', at: '08:00' };
  // No mail goes to the first address any more.
  const recipients = ['week@merchants.example'];
  const merchants = {
    [CODE]: { ...settings, recipients, attachXlsx: true, statements: { weekly, waitFor: '1h' } },
    700002: { timeZone: 'Nowhere' },
  };
  const group = { name: 'shops', merchants: [CODE], recipients, weekly, waitFor: '1h' };
  await world.putRegistry(merchants, {}, { groups: [group] });
  world.clock.setTo('2026-11-26T03:00:00Z');
  const WEEK = { merchantCode: CODE, period: '2026-W47' };
  loseAnswerOfSes();
  await calls('statement', () => world.statement(WEEK));
  // The second time, the page and its mail are there.
  for (const _ of ['first', 'again']) {
    await calls('statement', () => world.statement({ group: 'shops', period: '2026-W47' }));
  }
  const [statement] = world.mails('statement');
  await calls('mail-events', async () => mailEventsOf(world)(await sesEvent('bounced-permanent', statement)));
  await calls('delivery-watch', () => watch(world));
  payments.data.insertInvoice(CODE, DAY, { invoice_status: 0 });
  await world.report({ send: false });
  const again = { kind: 'statement', scheduledTime: '2026-11-26T05:00:00Z' };
  world.clock.setTo('2026-11-26T05:00:00Z');
  await calls('plan', () => plan(again));
  const [statementLedger = ''] = world.keys('mail/period=');
  const open = ledgerSchema.parse(JSON.parse(await world.text(statementLedger)));
  const unsettled = open.recipients.map((entry) => ({ ...entry, status: 'intended' }));
  await aws.s3.write(
    BUCKET,
    statementLedger,
    JSON.stringify({ ...open, status: 'intended', recipients: unsettled }),
  );
  world.clock.setTo('2026-11-26T09:00:00Z');
  await calls('sweep', () => sweep(world));

  await calls('delivery-watch', () => watch(world, { now: '2026-11-26T09:00:00Z' }));
  await aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 1));
  await aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 2));
  await calls('delivery-watch', () => watch(world));

  await calls('prove', () => prove(world));
  world.clock.setTo('2026-11-27T00:30:00Z');
  await calls('prove', () => prove(world));

  await aws.s3.write(BUCKET, pageKey({ ...merchantDay(CODE, DAY), revision: 9 }), 'spoilt');
  for (const event of objects) await calls('announce', () => announceOf(world)(event));
  // A person may name an object without a version.
  for (const prefix of ['mail/day=', 'mail/ops/watch/', 'alerts/', 'mail-stops/'])
    await calls('announce', () => announceOf(world)(eventOf(defined(world.keys(prefix)[0]))));
});

/**
 * `lake` asks Athena, which no world has: lake-function.test.ts has its rights. optional-functions.test.ts has those of the
 * functions that readers call.
 */
const CALLING = [...FUNCTION_NAMES.filter((name) => name !== 'lake'), 'announce', 'prove'];

it.each(CALLING)('%s has every right that it uses', (name) => {
  const statements = granted(name);
  const forbidden = [...new Set(defined(used.get(name)).map(wanted))].filter(
    (call) => !statements.some((statement) => allows(statement, call)),
  );
  expect(forbidden).toEqual([]);
});

it.each(CALLING)('%s uses every right that it has', (name) => {
  const did = defined(used.get(name)).map(wanted);
  const idle = granted(name)
    .filter((statement) => !NOT_SEEN_HERE.some((pattern) => pattern.test(statement)))
    .filter((statement) => !did.some((call) => allows(statement, call)));
  expect(idle).toEqual([]);
});
