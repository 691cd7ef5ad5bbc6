import { dayItemsOf } from '#support/plan/running-plan.ts';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import PostalMime from 'postal-mime';
import { createAlertCheck } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies as alertCheckOf } from '#alerts/alert-check/dependencies.ts';
import { createDailyReport } from '#page/daily-report/create-daily-report.ts';
import { buildDependencies as dailyReportOf } from '#page/daily-report/dependencies.ts';
import { createDeliveryWatch } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies as deliveryWatchOf } from '#watch/delivery-watch/dependencies.ts';
import { buildDependencies as mailEventsOf, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies as planOf } from '#functions/plan/dependencies.ts';
import { addressHash, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { manifestSchema } from '#records/revision/manifest.ts';
import { credentialsOf, sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { WorldClock, partsOf } from '#support/world/daybook-world.ts';
import { sesEvent } from '#support/mail-events/running-mail-events.ts';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { defined } from '#support/assertions/index.ts';

const DAY = '2026-11-20';
/** 06:00 in Kuwait on the day after. */
const TICK = '2026-11-21T03:00:00Z';
const DEADLINE = '2026-11-21T04:00:00.000Z';

const aws = await awsUnderTest();
const merchants = [sandboxMerchant(0), sandboxMerchant(1)];
const { merchantCode: FIRST } = defined(merchants[0]);
const payments = await startPaymentsSandbox({ merchants });
afterAll(() => payments.close());
const FROM = `daybook-${aws.mark}@example.com`;
const OPS = `ops-${aws.mark}@example.com`;
const ownerOf = (merchantCode: string) => `owner-${merchantCode}-${aws.mark}@merchants.example`;
await aws.verifySender(FROM);
const topicArn = await aws.createTopic(`daybook-ops-${aws.mark}`);
const secretName = `daybook/${aws.mark}/merchants`;
Object.assign(process.env, {
  DATA_BUCKET: aws.bucket,
  CREDENTIALS_SECRET: secretName,
  SERVICE_ORIGINS: payments.origin,
  MAIL_FROM: `Daybook <${FROM}>`,
  OPS_RECIPIENTS: OPS,
  OPS_TOPIC_ARN: topicArn,
});
await aws.putSecret(
  secretName,
  JSON.stringify({
    merchants: Object.fromEntries(
      merchants.map((merchant) => [merchant.merchantCode, credentialsOf(merchant)]),
    ),
  }),
);
await aws.write(
  'config/merchants.json',
  JSON.stringify({
    service: { baseUrl: payments.origin },
    defaults: {
      reportFrom: DAY,
      lookbackDays: [1],
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      refunds: { source: 'list', statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } },
      alerts: [{ name: 'too-many-unpaid', measure: 'unpaidCount', above: 5 }],
    },
    merchants: merchants.map(({ merchantCode, name }) => ({
      merchantCode,
      name,
      recipients: [ownerOf(merchantCode)],
    })),
  }),
);
for (const { merchantCode } of merchants)
  payments.data.seedDay(merchantCode, DAY, { invoices: 120, refunds: 4 });

/** The functions' clock: it starts the morning after, and waits are short. */
const clock = new WorldClock('2026-11-21T03:00:20Z');
const plan = createPlan(partsOf(planOf, clock));
const report = createDailyReport(partsOf(dailyReportOf, clock));
const check = createAlertCheck(partsOf(alertCheckOf, clock));
const mailEvents = createMailEvents(partsOf(mailEventsOf, clock));
const watch = createDeliveryWatch(partsOf(deliveryWatchOf, clock));

async function json(key: string): Promise<unknown> {
  return JSON.parse(defined(await aws.read(key), key).toString());
}
const ledgerOf = async (merchantCode: string, revision: number) =>
  ledgerSchema.parse(await json(ledgerKey(DAY, merchantCode, revision)));

test('gives each merchant one sealed day and one mail after plan, reports and watch', async () => {
  expect(await watch({ now: DEADLINE })).toMatchObject({ expected: 2, delivered: 0 });
  const { items: planned, rejected } = await plan({ kind: 'daily', scheduledTime: TICK });
  expect(rejected).toEqual([]);
  const items = dayItemsOf(planned);
  expect(items.flatMap(({ merchantCode, days }) => days.map((day) => [merchantCode, day]))).toEqual(
    merchants.flatMap(({ merchantCode }) => [
      [merchantCode, '2026-11-20'],
      [merchantCode, '2026-11-19'],
    ]),
  );
  for (const { merchantCode, days, send, scheduledTime } of items) {
    for (const day of days) {
      const answer = await report({ merchantCode, day, send, scheduledTime });
      expect(answer).toMatchObject({ revision: 1, balanced: true, differences: [] });
      expect(answer.mail.status).toBe(day === DAY ? 'sent' : 'skipped');
    }
  }
  expect(await watch({ now: DEADLINE })).toMatchObject({ expected: 2, delivered: 2, missing: [] });
});

test('changes nothing when the same tick comes again', async () => {
  const before = await aws.keys();
  aws.ses.taken();
  const again = await report({ merchantCode: FIRST, day: DAY, scheduledTime: TICK });
  expect(again).toMatchObject({ revision: 1, mail: { status: 'already-sent' } });
  expect(aws.ses.taken()).toEqual([]);
  expect(await aws.keys()).toEqual(before);
});

test('fires an alert once, and records its mail in a ledger', async () => {
  // The check is of the running day, at noon.
  const now = `${DAY}T09:00:00.000Z`;
  expect(await check({ merchantCode: FIRST, now })).toMatchObject({
    transitions: [{ rule: 'too-many-unpaid', from: 'ok', to: 'firing' }],
    mailed: true,
  });
  const later = await check({ merchantCode: FIRST, now: `${DAY}T09:15:00.000Z` });
  expect(later).toMatchObject({ transitions: [], mailed: false });
  const [alertLedger, ...more] = await aws.keys('mail/alerts/');
  expect(more).toEqual([]);
  expect(await json(defined(alertLedger))).toMatchObject({ status: 'accepted', kind: 'alert' });
});

test('records each event of SES once in the ledger, and a hard bounce stops the address', async () => {
  const recipient = addressHash(ownerOf(FIRST));
  const { recipients } = await ledgerOf(FIRST, 1);
  const mail = {
    from: FROM,
    messageId: defined(defined(recipients[0]).messageId),
    destinations: [ownerOf(FIRST)],
    tags: { kind: 'report', merchant: FIRST, day: DAY, revision: '1', recipient },
  };
  await mailEvents(await sesEvent('delivered', mail));
  await mailEvents(await sesEvent('delivered', mail));
  expect(await ledgerOf(FIRST, 1)).toMatchObject({ status: 'delivered' });
  await mailEvents(await sesEvent('bounced-permanent', mail));
  expect(await ledgerOf(FIRST, 1)).toMatchObject({ status: 'bounced' });
  expect(await aws.keys('mail-stops/')).toEqual([`mail-stops/${recipient}.json`]);
});

test('seals a second revision after a refund was given, and sends no correction to a stopped address', async () => {
  const [, { merchantCode: other } = { merchantCode: '' }] = merchants;
  for (const { merchantCode } of merchants) payments.data.insertRefund(merchantCode, DAY, { status: 1 });
  const sent = await report({ merchantCode: other, day: DAY });
  expect(sent).toMatchObject({ revision: 2, unchanged: false, mail: { status: 'sent' } });
  const stopped = await report({ merchantCode: FIRST, day: DAY });
  expect(stopped).toMatchObject({ revision: 2, unchanged: false, mail: { status: 'skipped' } });
  expect(await ledgerOf(other, 2)).toMatchObject({ status: 'accepted', kind: 'correction' });
  const mails = await aws.mailsTo(ownerOf(other));
  expect(mails).toHaveLength(2);
  for (const { raw } of mails) {
    expect((await PostalMime.parse(raw)).to).toEqual([{ address: ownerOf(other), name: '' }]);
  }
});

test('leaves only documented objects in the bucket', async () => {
  const keys = await aws.keys();
  const named = new Set<string>();
  const manifests = keys.filter((key) => key.startsWith('days/'));
  expect(manifests).toHaveLength(6);
  expect(manifests).toContain(manifestKey(DAY, FIRST, 2));
  for (const key of manifests) {
    const { files, counts, day, merchantCode, revision } = manifestSchema.parse(await json(key));
    expect(key).toBe(manifestKey(day, merchantCode, revision));
    for (const file of files) {
      named.add(file.key);
      const stored = defined(await aws.read(file.key));
      expect(stored.length).toBe(file.bytes);
      expect(createHash('sha256').update(stored).digest('hex')).toBe(file.sha256);
      const lines = gunzipSync(stored).toString().split('\n').length - 1;
      expect(lines).toBe(file.format === 'csv' ? file.rows + 1 : file.rows);
      if (file.table === 'invoices') expect(file.rows).toBe(counts.total);
    }
  }
  const data = keys.filter((key) => /^(?:invoices|refunds)\//.test(key));
  expect(new Set(data)).toEqual(named);
  const foreign = keys.filter(
    (key) =>
      !/^(?:invoices|refunds|days|changes|checked|history|mail|mail-stops|alerts|config|plan)\//.test(key),
  );
  expect(foreign).toEqual([]);
  const secrets = merchants.flatMap(({ cipher, password }) => [cipher.key, cipher.iv, password]);
  for (const key of keys) {
    const body = defined(await aws.read(key));
    const text = (key.endsWith('.gz') ? gunzipSync(body) : body).toString();
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});
