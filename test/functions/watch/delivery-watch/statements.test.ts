import { notifiedPeriodKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import type { WatchAnswer } from '#watch/delivery-watch/create-delivery-watch.ts';
import { NO_STATEMENTS, watch } from '#support/watch/running-watch.ts';
import { happensTo } from '#support/mail-events/running-mail-events.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { sealPage, sealPeriod } from '#support/statement/statement-world.ts';
import { BUCKET, OPS_TOPIC, useWorld } from '#support/world/daybook-world.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const [FIRST, SECOND] = ['700001', '700002'] as const;
const BOSS = 'boss@group.example';
const MONTH = '2026-11';
/** The statement of November is due at 9:00 in Kuwait, waits for twelve hours, and the watch for one more. */
const DEADLINE = Date.parse('2026-12-01T19:00:00Z');
const MONTHLY = { monthly: { onDay: 1, at: '09:00' } };
const GROUP = { name: 'shops', merchants: 'all', recipients: [BOSS] };

const world = useWorld({
  merchants: 2,
  environment: OPS_TOPIC,
  defaults: { statements: MONTHLY },
});
beforeEach(() => world.clock.setTo(DEADLINE));

async function watchStatements(event: Record<string, unknown> = {}): Promise<WatchAnswer['statements']> {
  const { statements } = await watch(world, { now: new Date(world.clock.now()).toISOString(), ...event });
  return statements;
}

/** The subjects of the notices about statements. Those about the days' reports do not matter here. */
const subjects = () =>
  world.aws.notices.messages.flatMap(({ subject = '' }) =>
    /statement|page/.test(subject) ? [subject.replace('[Daybook] ', '')] : [],
  );
const messages = () => world.aws.notices.messages.map(({ message }) => message).join('\n');

const statement = (merchantCode: string, event: Record<string, unknown> = {}) =>
  world.statement({ merchantCode, period: MONTH, ...event });

async function bothSealed(): Promise<void> {
  await sealPeriod(world, MONTH, { merchantCode: FIRST });
  await sealPeriod(world, MONTH, { merchantCode: SECOND });
}

/** The first merchant's statement is fine, so every notice is about the second one. */
async function firstIsWell(): Promise<void> {
  await bothSealed();
  await statement(FIRST);
}

const WELL = { ...NO_STATEMENTS, expected: 2, delivered: 2 };

function secondMissing(reason: string): object {
  return { ...WELL, delivered: 1, missing: [{ merchantCode: SECOND, period: MONTH, reason }] };
}

const ONE_WELL = { ...NO_STATEMENTS, expected: 1, delivered: 1 };

describe('when all statements arrived', () => {
  it('the watch is quiet about them, and counts them', async () => {
    await firstIsWell();
    await statement(SECOND);
    const output = captureOutput();
    expect(await watchStatements()).toEqual(WELL);
    expect(subjects()).toEqual([]);
    expect(world.keys('mail/ops/watch/period=')).toEqual([]);
    const counts = { StatementsExpected: 2, StatementsDelivered: 2, StatementsMissing: 0 };
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ service: 'delivery-watch', ...counts, StatementsProvisional: 0 }),
    );
  });

  it.each([
    ['was not to be mailed', { send: false }],
    ['was sent again', { resend: true }],
  ])('one that %s counts', async (_what, event) => {
    await firstIsWell();
    if ('resend' in event) await statement(SECOND);
    await statement(SECOND, event);
    expect(await watchStatements()).toEqual(WELL);
  });

  it('a later revision that is not mailed counts with the mail of the one before', async () => {
    await firstIsWell();
    await statement(SECOND);
    await sealPage(world, { merchantCode: SECOND, day: '2026-11-03', revision: 2 });
    expect(await statement(SECOND)).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(await watchStatements()).toEqual(WELL);
  });

  it('nothing is expected before the deadline, and of a day that is asked for', async () => {
    await bothSealed();
    world.clock.setTo(DEADLINE - 60_000);
    expect(await watchStatements()).toEqual(NO_STATEMENTS);
    world.clock.setTo(DEADLINE);
    expect(await watchStatements({ day: '2026-11-30' })).toEqual(NO_STATEMENTS);
    expect(subjects()).toEqual([]);
  });
});

describe('a statement that did not arrive', () => {
  it('is told once, and its end once', async () => {
    await firstIsWell();
    const output = captureOutput();
    for (let time = 0; time < 3; time += 1)
      expect(await watchStatements()).toEqual(secondMissing('not sealed'));
    expect(subjects()).toEqual([`Merchant ${SECOND}, ${MONTH}: statement did not arrive`]);
    const text = messages();
    expect(text).toContain('1 of 2 statements that were due did not arrive: 1 × not sealed.');
    expect(text).toContain(`npx daybook statement ${SECOND} --period ${MONTH} --local`);
    expect(text).toContain(`${SECOND}, period ${MONTH}: not sealed`);
    expect(output.lines()).toContainEqual(expect.objectContaining({ StatementsMissing: 1, WatchRan: 1 }));
    expect(JSON.parse(await world.text(notifiedPeriodKey(MONTH)))).toMatchObject({
      period: MONTH,
      spell: 0,
      told: [{ owner: `merchant=${SECOND}`, badness: 2 }],
      nothingSealed: [],
    });
    await statement(SECOND);
    for (let time = 0; time < 2; time += 1) expect(await watchStatements()).toEqual(WELL);
    expect(subjects().slice(1)).toEqual([`Merchant ${SECOND}, ${MONTH}: the statement is there now`]);
  });

  it('is looked at until it is there, also days later, and nobody else is', async () => {
    await firstIsWell();
    await watchStatements();
    world.clockAhead += 10 * DAY;
    const before = world.aws.requests.length;
    expect(await watchStatements()).toMatchObject({ expected: 1, missing: [{ merchantCode: SECOND }] });
    const read = world.aws.requests.slice(before).map(({ key }) => key ?? '');
    expect(read.filter((key) => key.startsWith('mail/period='))).toEqual([]);
    await statement(SECOND);
    expect(await watchStatements()).toEqual(NO_STATEMENTS);
    expect(subjects().at(-1)).toBe(`Merchant ${SECOND}, ${MONTH}: the statement is there now`);
  });

  it('of a merchant none of whose days is sealed is told once, and then not looked at any more', async () => {
    await sealPeriod(world, MONTH, { merchantCode: FIRST });
    await statement(FIRST);
    const days = () => world.aws.requests.filter(({ key }) => key === 'days/day=2026-11-02/').length;
    expect(await watchStatements()).toEqual(secondMissing('nothing sealed'));
    const listed = days();
    expect(listed).toBeGreaterThan(0);
    expect(await watchStatements()).toEqual(secondMissing('nothing sealed'));
    // Ops know it, so its days are not listed again.
    expect(days()).toBe(listed);
    world.clockAhead += 2 * DAY;
    expect(await watchStatements()).toEqual(NO_STATEMENTS);
    expect(subjects()).toEqual([`Merchant ${SECOND}, ${MONTH}: statement did not arrive`]);
  });

  it('because its mail is held, until an event says that it arrived', async () => {
    await firstIsWell();
    world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses', key: new RegExp(`owner-${SECOND}`) });
    expect((await statement(SECOND)).mail.status).toBe('held');
    expect(await watchStatements()).toEqual(secondMissing('mail held'));
    expect(messages()).toContain(`npx daybook statement ${SECOND} --period ${MONTH} --resend --failed`);
    // A day later a person has to act, who was notified of it.
    world.clockAhead += 2 * DAY;
    expect(await watchStatements()).toEqual(NO_STATEMENTS);
    await happensTo(world, `owner-${SECOND}@merchants.example`, 'delivered');
    await watchStatements();
    expect(subjects().at(-1)).toBe(`Merchant ${SECOND}, ${MONTH}: the statement is there now`);
  });

  it('many of them are one notice', async () => {
    await bothSealed();
    await world.putRegistry({}, {}, { groups: [{ ...GROUP, ...MONTHLY }] });
    await watchStatements();
    expect(subjects()).toEqual([`2 merchants, Group shops, ${MONTH}: statements did not arrive`]);
    expect(messages()).toContain('3 of 3 statements that were due did not arrive:');
    expect(messages()).toContain(`group shops, period ${MONTH}: nothing sealed`);
  });
});

it('a provisional statement is named apart and told once; it is not missing', async () => {
  await firstIsWell();
  await world.aws.s3.remove(BUCKET, `days/day=2026-11-17/merchant=${SECOND}/r0001.json`);
  expect(await statement(SECOND)).toMatchObject({ final: false, mail: { status: 'sent' } });
  const output = captureOutput();
  const provisional = [{ merchantCode: SECOND, period: MONTH }];
  for (let time = 0; time < 2; time += 1) expect(await watchStatements()).toEqual({ ...WELL, provisional });
  expect(subjects()).toEqual([`Merchant ${SECOND}, ${MONTH}: statement is provisional`]);
  expect(messages()).toContain(`npx daybook why ${SECOND} ${MONTH} --local`);
  expect(output.lines()).toContainEqual(
    expect.objectContaining({ StatementsMissing: 0, StatementsProvisional: 1 }),
  );
  await sealPage(world, { merchantCode: SECOND, day: '2026-11-17' });
  await statement(SECOND);
  expect(await watchStatements()).toEqual(WELL);
  world.clockAhead += 2 * DAY;
  expect(await watchStatements()).toEqual(NO_STATEMENTS);
  expect(subjects()).toHaveLength(1);
});

describe('a group’s page', () => {
  beforeEach(async () => {
    const own = { statements: null };
    const groups = [{ ...GROUP, ...MONTHLY }];
    await world.putRegistry({ [FIRST]: own, [SECOND]: own }, {}, { groups });
    await bothSealed();
  });
  const page = () => world.statement({ group: 'shops', period: MONTH });
  const wholePage = async () => {
    for (const merchantCode of [FIRST, SECOND]) await statement(merchantCode, { send: false });
    await page();
  };
  const missing = (reason: string) => {
    const pages = [{ group: 'shops', period: MONTH, reason }];
    return { ...NO_STATEMENTS, expected: 1, missing: pages };
  };

  it('is missing while nobody has made it, and there when it is mailed', async () => {
    expect(await watchStatements()).toEqual(missing('nothing sealed'));
    await wholePage();
    expect(await watchStatements()).toEqual(ONE_WELL);
    expect(subjects()).toEqual([
      `Group shops, ${MONTH}: page did not arrive`,
      `Group shops, ${MONTH}: the page is there now`,
    ]);
    expect(messages()).toContain(`npx daybook statement --group shops --period ${MONTH} --local`);
  });

  it('is not sealed while its merchants’ statements are', async () => {
    await statement(FIRST, { send: false });
    expect(await watchStatements()).toEqual(missing('not sealed'));
  });

  it('is provisional when a merchant is missing', async () => {
    await statement(FIRST, { send: false });
    await page();
    const provisional = [{ group: 'shops', period: MONTH }];
    expect(await watchStatements()).toEqual({ ...ONE_WELL, provisional });
    expect(subjects()).toEqual([`Group shops, ${MONTH}: page is provisional`]);
  });

  it.each([
    ['{'],
    ['[]'],
    [`{"group":"shops","period":"2026-10","revision":1,"final":true,"merchants":[]}`],
    [`{"group":"shops","period":"${MONTH}","revision":1,"merchants":[],"final":true}`],
    [''],
  ])('that Daybook did not write cannot be read: %s', async (text) => {
    await wholePage();
    const key = pageKey({ owner: { group: 'shops' }, period: MONTH, revision: 1 });
    await world.aws.s3.write(BUCKET, key, text);
    expect(await watchStatements()).toEqual(missing('records not readable'));
  });

  it('of a day is expected after its merchants’ reports', async () => {
    const groups = [{ ...GROUP, daily: true, waitFor: '2h' }];
    const own = { statements: null };
    await world.putRegistry({ [FIRST]: own, [SECOND]: own }, {}, { groups });
    // The reports are due at 3:00 UTC. Two hours to wait, and the watch's hour.
    world.clock.setTo('2026-11-21T06:00:00Z');
    const day = { group: 'shops', period: '2026-11-20' };
    expect((await watchStatements()).missing).toEqual([{ ...day, reason: 'not sealed' }]);
    await world.statement(day);
    expect(await watchStatements()).toEqual(ONE_WELL);
    expect(subjects()[0]).toBe('Group shops, 2026-11-20: page did not arrive');
  });

  it('of a day is not missed when none of its merchants has one: their reports are', async () => {
    await world.putRegistry({}, {}, { groups: [{ ...GROUP, daily: true, waitFor: '2h' }] });
    world.clock.setTo('2026-12-03T06:00:00Z');
    const missingOfDay = async () =>
      (await watchStatements()).missing.filter(({ period }) => period === '2026-12-02');
    expect(await missingOfDay()).toEqual([]);
    await sealPage(world, { merchantCode: FIRST, day: '2026-12-02' });
    expect(await missingOfDay()).toEqual([{ group: 'shops', period: '2026-12-02', reason: 'not sealed' }]);
  });
});

it('the watch lists each period once and reads one object of each merchant', async () => {
  await firstIsWell();
  await statement(SECOND);
  const before = world.aws.requests.length;
  await watchStatements();
  const requests = world.aws.requests.slice(before).filter(({ service }) => service === 's3');
  const listed = requests.flatMap(({ operation, key = '' }) => (operation === 'ListObjectsV2' ? [key] : []));
  expect(listed.filter((prefix) => !prefix.startsWith('days/')).sort()).toEqual([
    'mail/ops/watch/period=',
    `statements/period=${MONTH}/`,
  ]);
  const read = requests.flatMap(({ operation, key = '' }) => (operation === 'GetObject' ? [key] : []));
  expect(read.filter((key) => key.includes('period='))).toEqual(
    [FIRST, SECOND].map((merchantCode) =>
      pageLedgerKey({ owner: { merchantCode }, period: MONTH, revision: 1 }),
    ),
  );
});
