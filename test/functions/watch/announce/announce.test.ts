import { ANNOUNCED_STARTS } from '#lib/functions.ts';
import { addressHash, alertStateKey, ledgerKey, manifestKey, suppressionKey } from '#records/storage/keys.ts';
import { TOO_MANY_UNPAID, minutesAfterNoon } from '#support/alerts/alert-script.ts';
import { announceOf, eventOf, objectEvents, toldBy, watch } from '#support/watch/running-watch.ts';
import { CUSTOMER } from '#support/daily-report/canaries.ts';
import { happensTo } from '#support/mail-events/running-mail-events.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { News } from '#watch/announce/facts.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const PAGE = manifestKey(DAY, CODE, 1);
const LEDGER = ledgerKey(DAY, CODE, 1);

// With an operator's services the bucket keeps versions, as that of a stage does.
const world = useWorld({ operator: true, environment: { STAGE: 'prod' } });
let objects: object[];
beforeEach(async () => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 12, refunds: 2 });
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
  objects = objectEvents(world);
});

/** Lets `announce` have the events that came meanwhile. @returns the ids of what it told */
async function announced(): Promise<string[]> {
  const before = world.aws.bus.events.length;
  for (const event of objects.splice(0)) await announceOf(world)(event);
  return toldBy(world)
    .slice(before)
    .map(({ id }) => id);
}

it('what S3 tells of are the kinds of objects that say something', async () => {
  const stop = suppressionKey(addressHash(A));
  const statement = `statements/period=2026-10/merchant=${CODE}/r0001.json`;
  const keys = [PAGE, statement, LEDGER, `mail/ops/watch/day=${DAY}.json`, alertStateKey(CODE), stop];
  const startOf = (key: string) => ANNOUNCED_STARTS.filter((start) => key.startsWith(start));
  expect(keys.flatMap(startOf).toSorted()).toEqual(ANNOUNCED_STARTS.toSorted());
  const news = new News(createS3Client(), BUCKET);
  for (const key of keys) expect(await news.of(key)).toBeUndefined();
  for (const other of ['config/merchants.json', 'mail/alerts/x.json'])
    expect(await news.of(other)).toEqual([]);
});

it.each([
  ['r0001.json', true],
  ['closed.json', false],
  ['reopened-r0001.json', false],
])(
  'no version is read of what is written once, because announce may not read one: %s',
  async (name, isPage) => {
    const asked: object[] = [];
    const s3 = createS3Client();
    s3.middlewareStack.add(
      (next) => (args) => {
        asked.push(args.input);
        return next(args);
      },
      { step: 'initialize' },
    );
    const key = `statements/period=2026-10/merchant=${CODE}/${name}`;
    expect(await new News(s3, BUCKET).of(key, 'version')).toEqual(isPage ? undefined : []);
    expect(asked).toEqual(isPage ? [{ Bucket: BUCKET, Key: key }] : []);
  },
);

describe('a report', () => {
  it('is told when it is sealed and when it is mailed, with its figures as sealed', async () => {
    await world.report();
    expect(await announced()).toEqual([`ReportSealed ${PAGE}`, `ReportMailed ${PAGE}`]);
    const { counts, amounts, refunds, digest, received, currency } = await world.manifest(1);
    const { byMethod: _byMethod, charges: _charges, ...cameIn } = received ?? {};
    const figures = { merchantCode: CODE, day: DAY, revision: 1, digest, counts, amounts, refunds, currency };
    const all = { source: 'daybook', version: 1, stage: 'prod', key: PAGE, received: cameIn, ...figures };
    expect(toldBy(world)).toMatchObject([all, { ...all, kind: 'report' }]);
  });

  it('is told once, although each delivery changes the ledger, and a bounce takes nothing back', async () => {
    await world.report();
    await announced();
    await happensTo(world, A, 'delivered');
    await happensTo(world, B, 'bounced-permanent');
    const stop = suppressionKey(addressHash(B));
    expect(await announced()).toEqual([expect.stringMatching(`^MailStopped ${stop} `)]);
    // Sent again, it is the same report.
    await world.report({ resend: true });
    expect(await announced()).toEqual([`ReportMailed ${PAGE}`]);
  });

  it('that was mailed is told, also if a later change of its ledger is there already', async () => {
    await world.report();
    await happensTo(world, A, 'delivered');
    await happensTo(world, B, 'bounced-permanent');
    expect(await announced()).toContain(`ReportMailed ${PAGE}`);
  });

  it('that does not balance says where, without ids', async () => {
    world.payments.behaviour.wrongStats = { paid: 1 };
    await world.report();
    const told = ['ReportSealed', 'DayUnbalanced', 'ReportMailed'];
    expect(await announced()).toEqual(told.map((type) => `${type} ${PAGE}`));
    const { differences } = await world.manifest(1);
    expect(toldBy(world)[1]).toMatchObject({
      balanced: false,
      differences: differences.map(({ name, service, rows }) => ({ name, service, rows })),
    });
    expect(toldBy(world)[0]).not.toHaveProperty('differences');
  });
});

it('a report with one recipient costs what docs/scale.md says', async () => {
  await world.putRegistry({ [CODE]: { recipients: [A] } });
  let all = 0;
  const { onObject } = world.aws.bus;
  world.aws.bus.onObject = (event, key) => {
    all += 1;
    onObject?.(event, key);
  };
  objects.length = 0;
  await world.report();
  await happensTo(world, A, 'sent');
  await happensTo(world, A, 'delivered');
  const calls = objects.length;
  world.aws.requests.length = 0;
  await announced();
  const count = (...operations: string[]) =>
    world.aws.requests.filter(({ operation }) => operations.includes(operation)).length;
  const gets = count('GetObject', 'GetObjectVersion');
  const [lists, puts] = [count('ListObjectVersions'), count('PutEvents')];
  expect({ all, calls, gets, lists, puts }).toEqual({ all: 13, calls: 4, gets: 7, lists: 2, puts: 2 });
});

it('statements and pages of groups are told when they are sealed', async () => {
  const weekly = { on: 'thursday', at: '08:00' };
  const group = { name: 'shops', merchants: [CODE], recipients: [A], weekly };
  await world.putRegistry({ [CODE]: { statements: { weekly } } }, {}, { groups: [group] });
  await world.report({ send: false });
  world.clock.setTo('2026-11-26T09:00:00Z');
  await world.statement({ merchantCode: CODE, period: '2026-W47', send: false });
  await world.statement({ group: 'shops', period: '2026-W47', send: false });
  const statement = `statements/period=2026-W47/merchant=${CODE}/r0001.json`;
  const page = 'statements/period=2026-W47/group=shops/r0001.json';
  expect(await announced()).toEqual([
    `ReportSealed ${PAGE}`,
    `StatementSealed ${statement}`,
    `GroupPageSealed ${page}`,
  ]);
  const { counts } = await world.manifest(1);
  const [, ofMerchant, ofGroup] = toldBy(world);
  expect(ofMerchant).toMatchObject({ merchantCode: CODE, period: '2026-W47', counts, final: false });
  expect(ofGroup).toMatchObject({ group: 'shops', period: '2026-W47', byCurrency: { KWD: { counts } } });
});

it('an alert is told when it fires and when it is resolved, with its figures', async () => {
  for (const [above, now] of [
    [0, minutesAfterNoon(0)],
    [99, minutesAfterNoon(15)],
  ] as const) {
    await world.putRegistry({ [CODE]: { alerts: [{ ...TOO_MANY_UNPAID, above }] } });
    world.clock.setTo(now);
    await world.alertCheck({ now });
  }
  const key = alertStateKey(CODE);
  // Both checks are over: each version of the states is told.
  expect(await announced()).toEqual([
    expect.stringMatching(new RegExp(`^AlertFiring ${key} 20261120T090000Z-\\w{8} too-many-unpaid$`)),
    expect.stringMatching(new RegExp(`^AlertResolved ${key} 20261120T091500Z-\\w{8} too-many-unpaid$`)),
  ]);
  expect(toldBy(world)[0]).toMatchObject({
    merchantCode: CODE,
    day: DAY,
    rule: 'too-many-unpaid',
    bound: { side: 'above', at: '0.000' },
  });
});

describe('a missing report', () => {
  it('is told once, and not one that only arrived unbalanced', async () => {
    world.payments.behaviour.wrongStats = { paid: 1 };
    await world.report();
    objects.length = 0;
    await watch(world);
    expect(await announced()).toEqual([]);
    await world.aws.s3.remove(BUCKET, PAGE);
    await world.aws.s3.remove(BUCKET, LEDGER);
    await watch(world);
    await watch(world);
    const record = `mail/ops/watch/day=${DAY}.json`;
    expect(await announced()).toEqual([`ReportMissing ${record} merchant=${CODE} 0`]);
    expect(toldBy(world).at(-1)).toMatchObject({ merchantCode: CODE, day: DAY });
  });

  it('of a group and a period names them', async () => {
    const told = [
      { owner: 'group=shops', badness: 2 },
      { owner: `merchant=${CODE}`, badness: 1 },
    ];
    const record = { period: '2026-W47', spell: 1, told, nothingSealed: [], heardBy: [] };
    await world.aws.s3.write(BUCKET, 'mail/ops/watch/period=2026-W47.json', JSON.stringify(record));
    await announced();
    expect(toldBy(world)).toMatchObject([{ group: 'shops', period: '2026-W47', type: 'ReportMissing' }]);
  });
});

it("a reader's stop names whose mails it stops", async () => {
  const key = `mail-stops/merchant=${CODE}/reports/${addressHash(A)}.json`;
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ at: `by ${A}` }));
  expect(await announced()).toEqual([`MailStopped ${key}`]);
  expect(toldBy(world)[0]).toMatchObject({ merchantCode: CODE });
});

describe('what cannot be read', () => {
  it.each([
    ['is not JSON', () => '{'],
    ['is of another merchant', async () => (await world.text(PAGE)).replace(CODE, '700009')],
    ['is another revision', async () => (await world.text(PAGE)).replace('"revision":1', '"revision":2')],
  ])('is told to ops once, and stops nothing: it %s', async (_how, text) => {
    await world.report();
    await announced();
    const key = manifestKey(DAY, CODE, 3);
    await world.aws.s3.write(BUCKET, key, await text());
    await world.aws.s3.write(BUCKET, key, await text());
    await world.aws.s3.write(BUCKET, suppressionKey(addressHash(A)), '{"reason":"by hand"}');
    expect(await announced()).toEqual([`MailStopped ${suppressionKey(addressHash(A))}`]);
    const notices = await world.readMails('ops');
    expect(notices.map(({ text: said }) => said.includes(key))).toEqual([true]);
  });

  it('is no news for what is read after it', async () => {
    await world.report();
    objects.length = 0;
    const ledger = await world.text(LEDGER);
    await world.aws.s3.write(BUCKET, LEDGER, '{');
    objects.length = 0;
    await world.aws.s3.write(BUCKET, LEDGER, ledger);
    expect(await announced()).toEqual([`ReportMailed ${PAGE}`]);
  });

  it('while a mail is told is named itself, and ops learn how the mail is told afterwards', async () => {
    await world.report();
    await world.aws.s3.write(BUCKET, PAGE, '{');
    await announced();
    const notices = (await world.readMails('ops')).map(({ text }) => text.replaceAll(/\s+/g, ' '));
    const ofMail = notices.find((text) => text.includes(LEDGER));
    expect(ofMail).toContain(`The object ${PAGE} cannot be read`);
    expect(ofMail).toMatch(/--function-name daybook-prod-announce:live .*"mail\/day=/);
    expect(notices.filter((text) => text.includes(`The object ${LEDGER}`))).toEqual([]);
  });

  it('has nothing to tell when it is gone, and is counted', async () => {
    const key = suppressionKey(addressHash(A));
    await world.aws.s3.write(BUCKET, key, '{"reason":"by hand"}');
    const output = captureOutput();
    const gone = { source: 'aws.s3', detail: { object: { key, 'version-id': 'of-last-week' } } };
    expect(await announceOf(world)(gone)).toEqual({ events: 0 });
    expect(await announceOf(world)(eventOf(PAGE))).toEqual({ events: 0 });
    expect(output.text().match(/"ObjectsNotTold":1/g)).toHaveLength(2);
    expect(await world.readMails('ops')).toEqual([]);
  });
});

describe('when AWS fails', () => {
  it.each(['GetObject', 'PutEvents'])(
    'at %s, the event fails and is told again with its id',
    async (operation) => {
      await world.report();
      const [sealed] = objects;
      world.awsDoes({ kind: 'error', status: 500, code: 'InternalError' }, { operation, times: 4 });
      await expect(announceOf(world)(sealed)).rejects.toThrow();
      expect(toldBy(world)).toEqual([]);
      world.aws.faults.clear();
      await announceOf(world)(sealed);
      expect(toldBy(world).map(({ id }) => id)).toEqual([`ReportSealed ${PAGE}`]);
    },
  );

  it('and takes only some events, the others are put again, and at last the run fails', async () => {
    const codes = Array.from({ length: 25 }, (_, index) => `${700100 + index}`);
    const told = codes.map((merchantCode) => ({ merchantCode, badness: 2 }));
    world.aws.bus.refusals = 3;
    const record = { day: DAY, spell: 0, told, heardBy: [] };
    await world.aws.s3.write(BUCKET, `mail/ops/watch/day=${DAY}.json`, JSON.stringify(record));
    const [event] = objects;
    expect(await announceOf(world)(event)).toEqual({ events: 25 });
    const ids = toldBy(world).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([25, 25]);
    world.aws.bus.refusals = Infinity;
    await expect(announceOf(world)(event)).rejects.toThrow('ThrottlingException');
  });
});

it('no text of a customer or a merchant, and no address, is in any event', async () => {
  world.payments.data.insertInvoice(CODE, DAY, CUSTOMER);
  await world.putRegistry({
    [CODE]: { recipients: [A], alerts: [{ ...TOO_MANY_UNPAID, above: 0, title: 'Mine' }] },
  });
  await world.report();
  await world.alertCheck({ day: DAY, now: minutesAfterNoon(60 * 20) });
  await happensTo(world, A, 'complained');
  await announced();
  const types = new Set(toldBy(world).map(({ type }) => type));
  expect(types).toEqual(new Set(['ReportSealed', 'ReportMailed', 'AlertFiring', 'MailStopped']));
  const said = JSON.stringify(world.aws.bus.events);
  const { customer, ...others } = CUSTOMER;
  for (const text of [...Object.values(others), ...Object.values(customer), A, 'Mine', '@'])
    expect(said).not.toContain(text);
});

it('ignores what says nothing to others, and refuses what is no event of S3', async () => {
  await world.aws.s3.write(BUCKET, `days/day=${DAY}/merchant=${CODE}/r0001.json.bak`, '{');
  await world.aws.s3.write(BUCKET, 'alerts/README', '{');
  expect(await announced()).toEqual([]);
  expect(await announceOf(world)(eventOf('config/merchants.json'))).toEqual({ events: 0 });
  await expect(announceOf(world)({ source: 'aws.ses' })).rejects.toThrow('source');
});
