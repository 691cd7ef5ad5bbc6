import { dataKey } from '#records/storage/keys.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import {
  registryText,
  functionVariables,
  LAST_GOOD,
  plannerOn,
  REGISTRY,
  sandboxOfFile,
} from '#support/plan/running-plan.ts';
import { defined, textLike, textWith } from '#support/assertions/index.ts';

const sandbox = await sandboxOfFile();
const TICK = '2026-11-21T03:00:00Z';
const NEXT = '2026-11-21T03:15:00Z';
const DAILY = { kind: 'daily', scheduledTime: TICK };

function merchants(count: number): { merchantCode: string }[] {
  return Array.from({ length: count }, (_, index) => ({ merchantCode: String(700_001 + index) }));
}

/** `plan` with a registry of these entries, and the texts of its mails. */
async function planning(entries: readonly unknown[], more: Record<string, unknown> = {}) {
  const planner = plannerOn(sandbox);
  await planner.write(REGISTRY, registryText(entries, more));
  const texts = () => planner.mails().map(({ raw }) => raw.toString().replaceAll('=\r\n', ''));
  return { ...planner, texts };
}

let output: ReturnType<typeof captureOutput>;
beforeEach(() => {
  output = captureOutput();
  sandbox.faults.clear();
  sandbox.mail.messages.length = 0;
});

/** The metrics of all invocations in this test. */
function metrics(name: string): unknown[] {
  return output.lines().flatMap((line) => (name in line ? [line[name]] : []));
}

describe('a tick', () => {
  test('answers with the items and sends each as a message', async () => {
    const later = { merchantCode: 'LATER', reportAt: '07:00' };
    const { plan, read, keys, sent } = await planning([...merchants(2), later]);
    const days = ['2026-11-20', '2026-11-19', '2026-11-17', '2026-11-13'];
    const item = { days, send: true, scheduledTime: TICK };
    const result = await plan(DAILY);
    expect(result).toEqual({
      itemCount: 2,
      sent: true,
      items: [
        { merchantCode: '700001', ...item },
        { merchantCode: '700002', ...item },
      ],
      rejected: [],
      notices: [],
    });
    expect(sent('reports')).toEqual(result.items);
    expect(JSON.parse(defined(await read('plan/daily.json')))).toEqual({
      tick: TICK,
      since: '2026-11-21T02:45:00.000Z',
    });
    expect(keys('plan/')).toEqual(['plan/daily.json']);
    expect(metrics('DueMerchants')).toEqual([2]);
  });

  test('that comes a second time gives the same items, also after a cold start and after a longer window', async () => {
    const { plan, coldStart } = await planning(merchants(1));
    await plan({ kind: 'daily', scheduledTime: '2026-11-21T02:00:00Z' });
    // The ticks between did not come, so this tick covers an hour and a half.
    const scheduledTime = '2026-11-21T03:30:00Z';
    const first = await plan({ kind: 'daily', scheduledTime });
    expect(first.items).toHaveLength(1);
    expect(await plan({ kind: 'daily', scheduledTime })).toEqual(first);
    coldStart();
    expect(await plan({ kind: 'daily', scheduledTime })).toEqual(first);
  });

  test('narrowed or silenced by hand does not affect the schedule', async () => {
    const { plan, keys } = await planning(merchants(3));
    const some = await plan({ ...DAILY, merchants: ['700002', '999', '700001'] });
    expect(some.items?.map(({ merchantCode }) => merchantCode)).toEqual(['700001', '700002']);
    expect(some.rejected).toEqual([{ path: 'merchants[1]', reason: 'the registry has no such merchant' }]);
    const silent = await plan({ ...DAILY, send: false });
    expect(silent.items?.map(({ send }) => send)).toEqual([false, false, false]);
    expect(keys('plan/daily.json')).toEqual([]);
    const whole = await plan(DAILY);
    expect(whole.items?.map(({ send }) => send)).toEqual([true, true, true]);
  });

  test('for 501 merchants answers without the items that it sends', async () => {
    const { plan, write, sent } = await planning(merchants(500));
    expect(await plan({ ...DAILY, dryRun: true })).toMatchObject({ items: { length: 500 }, sent: false });
    await write(REGISTRY, registryText(merchants(501)));
    const result = await plan(DAILY);
    expect(result).toEqual({ itemCount: 501, sent: true, rejected: [], notices: [] });
    expect(sent('reports')).toHaveLength(501);
  });

  test('of which a merchant is known to be large sends it first', async () => {
    const { plan, write, sent } = await planning(merchants(3));
    const sizes = { '700001': 1_000, '700003': 900_000 };
    for (const [code, bytes] of Object.entries(sizes)) {
      const key = dataKey('invoices', 'json', '2026-11-19', code, '20261120T030005Z-9f2c61aa');
      await write(key, 'x'.repeat(bytes));
    }
    await plan(DAILY);
    // What is not known may be large.
    expect(sent('reports')).toMatchObject(
      ['700003', '700002', '700001'].map((merchantCode) => ({ merchantCode })),
    );
  });

  test('sends all the same when the sizes of days cannot be listed', async () => {
    const { plan, sent } = await planning(merchants(2));
    const action = { kind: 'error', status: 503, code: 'SlowDown' } as const;
    sandbox.faults.add({ service: 's3', operation: 'ListObjectsV2', times: 20, action });
    expect(await plan(DAILY)).toMatchObject({ sent: true });
    expect(sent('reports')).toHaveLength(2);
  });

  test('whose messages cannot be sent is not recorded, and the next tick sends them', async () => {
    const { plan, read, sent } = await planning(merchants(2));
    await plan({ kind: 'daily', scheduledTime: '2026-11-21T02:45:00Z' });
    const remembered = await read('plan/daily.json');
    const action = { kind: 'error', status: 503, code: 'ServiceUnavailable' } as const;
    sandbox.faults.add({ service: 'sqs', times: 20, action });
    await expect(plan(DAILY)).rejects.toMatchObject({
      name: 'QueueError',
      message: textLike(/^SQS SendMessageBatch of plan-.*-reports failed: ServiceUnavailable$/),
    });
    expect(await read('plan/daily.json')).toBe(remembered);
    sandbox.faults.clear();
    expect(await plan({ ...DAILY, scheduledTime: NEXT })).toMatchObject({ itemCount: 2, sent: true });
    expect(sent('reports')).toHaveLength(2);
  });
});

test('the alert kind plans all merchants with rules at every tick, for today in each zone', async () => {
  const alerts = [{ name: 'too-many-unpaid' }];
  const west = { merchantCode: 'W', alerts, timeZone: 'America/New_York' };
  const { plan, keys, sent } = await planning([...merchants(1), west]);
  for (const time of ['03:00:00', '03:05:00']) {
    const scheduledTime = `2026-11-21T${time}Z`;
    const { items } = await plan({ kind: 'alert', scheduledTime });
    expect(items).toEqual([{ merchantCode: 'W', days: ['2026-11-20'], send: true, scheduledTime }]);
  }
  expect(sent('alerts')).toHaveLength(2);
  expect(keys('plan/')).toEqual([]);
});

describe('by hand', () => {
  test('a backfill over many days goes to its own queue, without its items in the answer', async () => {
    const { plan, sent } = await planning(merchants(40));
    const result = await plan({ kind: 'daily', from: '2025-11-21', to: '2026-11-20' });
    expect(result).toEqual({ itemCount: 40, sent: true, rejected: [], notices: [] });
    expect(sent('reports')).toEqual([]);
    // Every try of a message has the same time, so that none does again what one has done.
    const [first] = sent('backfills');
    const scheduledTime = '2026-11-21T03:00:05.000Z';
    expect(first).toMatchObject({ send: false, days: { length: 365 }, scheduledTime });
  });

  test('an unusable event changes nothing', async () => {
    const { plan, keys } = await planning(merchants(1));
    await expect(plan({ kind: 'daily', day: '2026-11-22' })).rejects.toMatchObject({
      name: 'InvalidEventError',
      member: 'day',
    });
    await expect(plan({ kind: 'daily', dya: '2026-11-22' })).rejects.toMatchObject({ member: 'dya' });
    expect(keys()).toEqual([REGISTRY]);
  });
});

describe('a problem in the registry', () => {
  test('bad entries are left out, named by their path in the answer, and reported to ops once', async () => {
    const bad = { merchantCode: 'B', timeZone: 'Nowhere', recipients: ['b@example.com'] };
    const { plan, write, mails, texts } = await planning([...merchants(1), bad, 'x']);
    for (const scheduledTime of [TICK, NEXT, '2026-11-21T03:30:00Z']) {
      const { rejected } = await plan({ kind: 'daily', scheduledTime, merchants: ['700001', 'B'] });
      expect(rejected).toEqual([
        { path: 'merchants[1].timeZone', reason: 'is not a time zone (merchant B)' },
        { path: 'merchants[2]', reason: 'must be object' },
        { path: 'merchants[1]', reason: 'the entry of this merchant in the registry is not usable' },
      ]);
    }
    expect(mails().map(({ destinations }) => destinations)).toEqual([['ops@example.com']]);
    expect(texts()[0]).toContain('merchants[1].timeZone: is not a time zone');
    expect(metrics('RejectedEntries')).toEqual([2, 2, 2]);

    await write(REGISTRY, registryText([...merchants(1), bad]));
    await plan(DAILY);
    expect(mails()).toHaveLength(2);
  });

  test('bad alert rules are named by their path in the answer and reported to ops once; their merchants are still planned', async () => {
    const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };
    const alerts = [rule, { ...rule, name: 'b', above: 'many' }];
    const defaults = { alerts: [{ ...rule, measure: 'unpaid' }] };
    const entries = [...merchants(3), { merchantCode: 'A', alerts }];
    const { plan, mails, texts } = await planning(entries, { defaults });
    const reason = 'must be a whole number, not negative (merchant A)';
    const rejected = [
      { path: 'defaults.alerts[0].measure', reason: textLike(/^must be one of /) },
      { path: 'merchants[3].alerts[1].above', reason },
    ];
    expect(await plan(DAILY)).toMatchObject({ itemCount: 4, rejected });
    const narrowed = { kind: 'alert', scheduledTime: TICK, merchants: ['A', 'Z'] };
    expect(await plan(narrowed)).toMatchObject({
      items: [{ merchantCode: 'A' }],
      rejected: [{ path: 'merchants[1]', reason: 'the registry has no such merchant' }, ...rejected],
    });
    expect(mails().map(({ destinations }) => destinations)).toEqual([['ops@example.com']]);
    const [text] = texts();
    expect(text).toContain('Subject: [Daybook] 2 alert rules of the registry cannot be used');
    expect(text).toContain('merchants[3].alerts[1].above: must be a whole number, not negative');
    expect(metrics('RejectedRules')).toEqual([2, 2]);
    expect(metrics('RejectedEntries')).toEqual([0, 0]);
  });

  test('bad groups are named by their path in the answer and reported to ops once; all merchants are still planned', async () => {
    const group = { name: 'shops', merchants: 'all', recipients: ['canary@example.com'], daily: true };
    const groups = [
      { ...group, weekly: { on: 'Sunday', at: '08:00' } },
      { ...group, name: 'good', merchants: ['700001', '9'] },
      { ...group, name: 'twice' },
      { ...group, name: 'twice' },
    ];
    const { plan, texts } = await planning(merchants(2), { groups });
    const reason = 'is the name of more than one group, and none of them is used (group twice)';
    const found = {
      itemCount: 2,
      rejected: [
        {
          path: 'groups[0].weekly.on',
          reason: textLike(/^must be one of sunday, .*, given "Sunday" \(group shops\)$/),
        },
        { path: 'groups[2].name', reason },
        { path: 'groups[3].name', reason },
      ],
      // It stops nothing: the group goes on with its other merchants.
      notices: [{ path: 'groups[1].merchants[1]', message: 'is the code of no merchant in the registry' }],
    };
    expect(await plan(DAILY)).toMatchObject(found);
    const { rejected } = found;
    expect(await plan({ ...DAILY, scheduledTime: NEXT })).toMatchObject({ rejected });
    expect(texts()).toHaveLength(2);
    const subject = 'Subject: [Daybook] 3 groups of the registry cannot be used';
    const text = texts().find((one) => one.includes(subject));
    expect(text).toContain('groups[0].weekly.on: must be one of');
    expect(texts().join('')).toContain('groups[1].merchants[1]');
    expect(texts().join('')).not.toContain('canary');
    expect(metrics('RejectedGroups')).toEqual([3, 3]);
    expect(metrics('RejectedEntries')).toEqual([0, 0]);
  });

  test('a bad default is named once, and every entry that inherits it is counted', async () => {
    const own = { merchantCode: 'A', timeZone: 'Asia/Kuwait' };
    const defaults = { timeZone: 'Asia/Kuwiat', reportAt: '06:00' };
    const { plan, texts } = await planning([...merchants(2_000), own], { defaults });
    const { itemCount, rejected } = await plan(DAILY);
    expect(itemCount).toBe(1);
    const reason = textLike(/^is not a time zone, given "Asia\/Kuwiat"; 2000 entries inherit it \(/);
    expect(rejected).toEqual([{ path: 'defaults.timeZone', reason }]);
    expect(metrics('RejectedEntries')).toEqual([2_000]);
    expect(texts()[0]).toContain('2000 entries of the registry cannot be used');
  });

  test('the answer names what does no harm to the plan: unknown members and a foreign origin', async () => {
    const alerts = [{ name: 'r', measure: 'unpaidCount', above: 50, clearat: 40 }];
    const { plan } = await planning([{ merchantCode: 'A', reciepients: ['a@example.com'], alerts }], {
      $schema: '../docs/schema/registry.schema.json',
      service: { baseUrl: 'https://other.example.com' },
      defaults: { balance: { ignore: ['statsPayed'] }, merchantCode: 'A', redact: ['nickname'] },
    });
    const unknown = 'is not known here and has no effect';
    const silent = { kind: 'daily', send: false };
    await plan(silent);
    expect((await plan(silent)).notices).toEqual([
      {
        path: 'service.baseUrl',
        message: 'is not one of SERVICE_ORIGINS; no request is sent, and every report fails',
      },
      { path: 'defaults.merchantCode', message: 'is for one merchant and has no effect in the defaults' },
      { path: 'defaults.balance.ignore[0]', message: 'is not the name of a comparison and has no effect' },
      {
        path: 'defaults.redact[0]',
        message: 'is not a column of the contract and has an effect only if the service sends it',
      },
      { path: 'merchants[0].reciepients', message: unknown },
      { path: 'merchants[0].alerts[0].clearat', message: unknown },
    ]);
    // They are logged once for a registry.
    expect(output.lines().filter(({ level }) => level === 'WARN')).toMatchObject([
      {
        count: 5,
        paths: [
          'defaults.merchantCode',
          'defaults.balance.ignore[0]',
          'defaults.redact[0]',
          'merchants[0].reciepients',
          'merchants[0].alerts[0].clearat',
        ],
      },
    ]);
    expect(output.text()).not.toContain('a@example.com');
  });

  test('one rule with very many unknown members does not make a tick fail', async () => {
    const members = Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [`member${index}`, 1]));
    const rule = { name: 'many', measure: 'invoiceCount', above: 3, ...members };
    const { plan, texts } = await planning([...merchants(1), { merchantCode: '700002', alerts: [rule] }]);
    expect(await plan(DAILY)).toMatchObject({ itemCount: 2 });
    expect(texts()).toEqual([textWith('250000 members of the registry are not known')]);
  });

  test('the answer stays short when there are thousands of faults, or faults with long names', async () => {
    const answerTo = async (entries: readonly unknown[]) =>
      (await planning(entries)).plan({ kind: 'daily', send: false });
    const { rejected } = await answerTo(merchants(2_000).map((of) => ({ ...of, timeZone: 'Nowhere' })));
    expect(rejected).toHaveLength(501);
    expect(rejected.at(-1)).toEqual({ path: 'merchants', reason: 'and 1500 more that are not listed here' });
    expect(metrics('RejectedEntries')).toEqual([2_000]);

    const stranger = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`stranger${index}`, 1]));
    const { notices } = await answerTo([{ merchantCode: 'A', ...stranger, ['x'.repeat(2_000)]: 1 }]);
    expect(notices).toHaveLength(101);
    expect(notices.at(-1)).toEqual({ path: '(root)', message: 'and 201 more that are not listed here' });
    expect((await answerTo([{ merchantCode: 'A', ['a@example.com']: 1 }])).notices).toEqual([
      { path: 'merchants[0].(another name)', message: 'is not known here and has no effect' },
    ]);

    const refunds = { statuses: { ['x'.repeat(2_000)]: 5 } };
    const lookbackDays = Array.from({ length: 20 }, () => 'no day');
    const bad = merchants(20).map((of) => ({ ...of, refunds, lookbackDays }));
    const { rejected: long } = await answerTo([...bad, { merchantCode: 'A' }]);
    expect(JSON.stringify(long).length).toBeLessThan(66 * 1024);
    expect(long[0]?.path).toBe('merchants[0].lookbackDays[0]');
    expect(long.at(-1)?.reason).toMatch(/^and \d+ more that are not listed here$/);
  });

  test.each([
    ['is cut off', '{ "service": {', 'the registry is not JSON (line 1, column 15: the text ends too early)'],
    ['has lost too many merchants', registryText(merchants(18)), 'lacks 2 of the 20 merchants'],
    ['is missing', undefined, 'there is no registry at config/merchants.json'],
  ])('when it %s, the last good registry is used and ops are notified once', async (_, text, why) => {
    const planner = await planning(merchants(20));
    expect((await planner.plan(DAILY)).itemCount).toBe(20);
    if (text === undefined) await planner.remove(REGISTRY);
    else await planner.write(REGISTRY, text);
    planner.coldStart();
    for (let repeat = 0; repeat < 3; repeat += 1) {
      expect((await planner.plan(DAILY)).itemCount).toBe(20);
    }
    expect(planner.texts()).toEqual([textWith(why)]);
    expect(metrics('RegistryAlarm')).toEqual([0, 1, 1, 1]);
    expect(await planner.read(LAST_GOOD)).toBe(registryText(merchants(20)));
  });

  test('a registry that could not be used later as the last good one is not kept as that, and the tick is still made', async () => {
    const good = registryText([{ merchantCode: 'A' }]);
    // The good entry has no time zone of its own, so this wrong default makes it unusable.
    const twice = [1, 2].map((name) => ({ merchantCode: 'A', name: `${name}`, timeZone: 'UTC' }));
    const planner = await planning(twice, { defaults: { timeZone: 'Nowhere' } });
    await planner.write(LAST_GOOD, good);
    const { rejected } = await planner.plan(DAILY);
    expect(rejected.map(({ path }) => path)).toEqual([
      'merchants[0].merchantCode',
      'merchants[1].merchantCode',
    ]);
    expect(planner.texts()[0]).toContain('2 entries of the registry cannot be used');
    expect(planner.keys('plan/')).toEqual(['plan/daily.json']);
    expect(await planner.read(LAST_GOOD)).toBe(good);
  });
});

test('the function itself reads its environment at the first event, and again after a failure to read it', async () => {
  const { handler } = await import('#functions/plan/plan.lambda.ts');
  await expect(handler(DAILY)).rejects.toMatchObject({
    name: 'EnvironmentError',
    message: 'environment variable DATA_BUCKET is missing',
  });
  const { bucket } = await planning(merchants(1));
  Object.assign(process.env, functionVariables(bucket));
  expect(await handler(DAILY)).toMatchObject({ itemCount: 1 });
  await expect(handler({ kind: 'x' })).rejects.toMatchObject({ name: 'InvalidEventError' });
});
