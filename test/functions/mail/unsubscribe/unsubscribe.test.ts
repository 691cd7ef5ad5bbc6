import { addressHash } from '#records/storage/keys.ts';
import { stopKey } from '#records/storage/readers-stop.ts';
import { systemClock } from '#runtime/clock.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { sealPeriod } from '#support/statement/statement-world.ts';
import { serveStops, stopHeaders, stopLinkIn } from '#support/doors/doors.ts';
import { watch } from '#support/watch/running-watch.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const OWNER = `owner-${CODE}@merchants.example`;
const NEXT = '2026-11-21';
const RULES = [{ name: 'unpaid', measure: 'unpaidCount', above: 0 }];
const reports = { owner: { merchantCode: CODE }, mails: 'reports' as const };
const KEY = stopKey({ hash: addressHash(OWNER), of: reports });

const world = useWorld({ environment: { MAIL_UNSUBSCRIBE: 'stop@example.com' } });

beforeEach(async () => {
  for (const day of [DAY, NEXT]) world.payments.data.seedDay(CODE, day, { invoices: 5, refunds: 1 });
  await world.putRegistry({ [CODE]: { alerts: RULES } });
});

/** A request as mail providers send it: a form, no cookie, no redirect followed. */
function post(link: string, body: string | URLSearchParams | FormData): Promise<Response> {
  return fetch(link, { method: 'POST', body, redirect: 'error' });
}

/** The link of a report. */
async function mailedLink(): Promise<string> {
  await serveStops(world);
  await world.report();
  return stopLinkIn(world, 'report');
}

const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
const undo = new URLSearchParams({ do: 'undo' });
function inParts(): FormData {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  return form;
}

describe('a POST to the link of a mail', () => {
  it.each([
    ['as Gmail sends it', () => oneClick],
    ['as Yahoo sends it', () => 'List-Unsubscribe=One-Click'],
    ['with its form in parts', inParts],
    ['without a form', () => ''],
    [
      'with a form that is too long to be read',
      () => new URLSearchParams({ do: 'undo', x: 'x'.repeat(4_096) }),
    ],
  ])('stops the mails of that kind, %s, and no others', async (_, body) => {
    const link = await mailedLink();
    const { list, post: how } = await stopHeaders(world, 'report');
    expect(list).toMatch(
      /^<http:[^ ]+\/u\/s\.m\.700001\.reports\.[\w.-]+>, <mailto:stop@example\.com\?[^ ]+>$/,
    );
    expect(how).toBe('List-Unsubscribe=One-Click');
    const output = captureOutput();
    for (const _twice of [1, 2]) expect((await post(link, body())).status).toBe(200);
    expect(world.keys('mail-stops/')).toEqual([KEY]);
    expect(output.text()).toContain(addressHash(OWNER));
    expect(output.text()).not.toMatch(/merchants\.example|\/u\//);
    // Ops are told once, and nobody else.
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['report', 'ops']);

    world.clock.setTo('2026-11-22T08:00:00.000Z');
    expect(await world.report({ day: NEXT })).toMatchObject({
      mail: { status: 'skipped', reason: 'its reader stopped these mails' },
    });
    expect(await watch(world, { day: NEXT })).toMatchObject({
      missing: [],
      stoppedByReaders: [{ merchantCode: CODE, day: NEXT }],
    });
    await world.alertCheck({ day: NEXT, now: '2026-11-21T18:00:00Z' });
    expect((await stopHeaders(world, 'alert')).list).toMatch(/\/u\/s\.m\.700001\.alerts\./);
  });

  it('can be undone, as often as somebody likes, and ops hear of each once a day', async () => {
    const link = await mailedLink();
    for (const _again of [1, 2, 3]) {
      await post(link, oneClick);
      expect(world.keys('mail-stops/')).toEqual([KEY]);
      expect(await (await post(link, undo)).text()).toContain('These mails go on.');
      expect(world.keys('mail-stops/')).toEqual([]);
    }
    expect((await world.readMails('ops')).map(({ subject }) => subject)).toEqual([
      '[Daybook] Merchant 700001: a reader stopped mails',
      '[Daybook] Merchant 700001: a reader wants mails again',
    ]);
    const again = /presses\s+again\s+today,\s+that\s+is\s+not\s+told:\s+daybook\s+suppression\s+list/;
    for (const { text } of await world.readMails('ops')) expect(text).toMatch(again);
    expect(await world.report({ day: NEXT })).toMatchObject({ mail: { status: 'sent' } });
  });

  it('never lifts the stop of an address that bounced', async () => {
    const link = await mailedLink();
    const whole = `mail-stops/${addressHash(OWNER)}.json`;
    await world.aws.s3.write(BUCKET, whole, '{"reason":"hard bounce"}');
    await post(link, oneClick);
    await post(link, undo);
    expect(world.keys('mail-stops/')).toEqual([whole]);
  });

  it('stops when ops cannot be told, and when there is no registry', async () => {
    const link = await mailedLink();
    world.refuseMails(/ops@/, Infinity);
    await world.aws.s3.write(BUCKET, 'config/merchants.json', '{');
    const output = captureOutput();
    const answer = await post(link, oneClick);
    expect(answer.status).toBe(200);
    // Without the registry nobody knows the reader's language.
    expect(await answer.text()).toMatch(/lang="ar" dir="rtl"[\s\S]*lang="en" dir="ltr"/);
    expect(world.keys('mail-stops/')).toEqual([KEY]);
    expect(output.text()).toContain('"OpsNotTold":1');
  });
});

describe('GET and HEAD', () => {
  it('stop nothing, tell nobody, and say what the button would stop', async () => {
    const link = await mailedLink();
    const before = world.aws.requests.length;
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    expect(await (await fetch(`${link}?List-Unsubscribe=One-Click`)).text()).toContain('Stop these mails');
    const made = world.aws.requests.slice(before).map(({ operation }) => operation);
    expect(new Set(made)).toEqual(new Set(['GetObject']));
    expect(world.keys('mail-stops/')).toEqual([]);
  });

  it('of a link that was cut are answered without a look at anything', async () => {
    const link = await mailedLink();
    const output = captureOutput();
    for (const wrong of [link.slice(0, -1), link.replace('reports', 'alerts'), new URL('x', link).href]) {
      const answer = await post(wrong, oneClick);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('does not work')]);
    }
    expect(world.keys('mail-stops/')).toEqual([]);
    expect(output.text()).not.toContain('s.m.');
  });
});

it('statements and pages of groups are stopped apart', async () => {
  await serveStops(world);
  const groups = [{ name: 'shops', merchants: 'all', recipients: [OWNER], daily: true }];
  await world.putRegistry({}, {}, { groups });
  await sealPeriod(world, '2026-11');
  world.clock.setTo('2026-12-01T06:00:00.000Z');
  await world.statement({ merchantCode: CODE, period: '2026-11' });
  const link = await stopLinkIn(world, 'statement');
  expect(link).toMatch(/\/u\/s\.m\.700001\.statements\./);
  await world.statement({ group: 'shops', period: '2026-11-20' });
  expect(await stopLinkIn(world, 'group')).toMatch(/\/u\/s\.g\.shops\.pages\./);
  await post(await stopLinkIn(world, 'group'), oneClick);
  const of = { owner: { group: 'shops' }, mails: 'pages' } as const;
  expect(world.keys('mail-stops/')).toEqual([stopKey({ hash: addressHash(OWNER), of })]);
});

describe('a key that cannot be read', () => {
  it('leaves the mail unsent and its ledger unwritten, and the next run sends it', async () => {
    await serveStops(world);
    const LINKS_SECRET = 'daybook/test/another-key';
    Object.assign(process.env, { LINKS_SECRET });
    await expect(world.report()).rejects.toThrow(`secret ${LINKS_SECRET}: does not exist`);
    expect(world.keys('mail/day=')).toEqual([]);
    world.aws.secrets.put(LINKS_SECRET, 'another key'.padEnd(64, '.'));
    expect(await world.report()).toMatchObject({ mail: { status: 'sent' } });
  });

  it('while a mail goes out holds up none of its recipients: it was read before', async () => {
    await serveStops(world);
    await world.putRegistry({ [CODE]: { recipients: [OWNER, 'other@merchants.example'] } });
    const before = () => {
      vi.spyOn(systemClock, 'now').mockReturnValue(Date.now() + 2 * 3_600_000);
      world.awsDoes(knownErrors.secretsManager.accessDenied, { service: 'secretsManager', times: Infinity });
    };
    world.awsDoes({ kind: 'call', before }, { service: 'ses' });
    expect(await world.report()).toMatchObject({ mail: { status: 'sent' } });
    expect(world.mails('report')).toHaveLength(2);
  });
});

it('without the setting a mail has the mailto alone', async () => {
  await world.report();
  expect(await stopHeaders(world, 'report')).toEqual({
    list: '<mailto:stop@example.com?subject=Unsubscribe%20700001>',
    post: '',
  });
});
