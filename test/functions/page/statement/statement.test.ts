import { addDays } from '#records/day/business-day.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import { textWith, defined } from '#support/assertions/index.ts';
import { EMPTY_FIGURES, FIGURES, sealedManifest } from '#support/records/manifests.ts';
import { sealPage, sealPeriod, statementAt, statementLedger } from '#support/statement/statement-world.ts';
import { figuresOfDay } from '#records/figures/history.ts';
import { historyKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld();

beforeEach(() => world.clock.setTo('2026-12-01T06:00:00.000Z'));

const MONTH = { merchantCode: CODE, period: '2026-11' };
/** When plan looked, and from which day on. */
const SEEN = { at: '2026-12-01T05:59:00.000Z', from: '2026-11-01' };
const CHANGED = { ...FIGURES.counts, paid: 5, notPaid: 4 };

/** Seals the statement of a month some days after its end, and sets the clock back. */
async function sealAfterEnd(period: string, days: number, time = '06:00:00'): Promise<void> {
  world.clock.setTo(`${addDays(periodDays(period, 'sunday').to, days)}T${time}.000Z`);
  await world.statement({ merchantCode: CODE, period, send: false });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
}

const correctDay = (day: string, revision: number) =>
  sealPage(world, { day, revision, counts: { ...FIGURES.counts, total: 10 + revision } });

describe('the statement of a month', () => {
  it('adds up its thirty days, is sealed and mailed', async () => {
    await sealPeriod(world, '2026-11');
    const answer = await world.statement(MONTH);
    expect(answer).toMatchObject({
      ...MONTH,
      from: '2026-11-01',
      to: '2026-11-30',
      revision: 1,
      unchanged: false,
      final: true,
      missing: [],
      unbalanced: [],
      counts: { total: 300, paid: 180, notPaid: 90, cancelled: 30, other: 0 },
      amounts: { paid: '1800.000', notPaid: '915.000', cancelled: '30.000', other: '0.000' },
      refunds: { count: 60, total: '225.000', saleBasis: { count: 30, total: '150.000' } },
      statementKey: `statements/period=2026-11/merchant=${CODE}/r0001.json`,
      mail: { status: 'sent' },
    });
    const sealed = await statementAt(world, '2026-11', 1);
    expect(sealed).toMatchObject({
      net: { received: '1800.000', refunded: '150.000', net: '1650.000', unknown: [] },
      ...{ previous: null, before: null, lastYear: null },
    });
    expect(sealed.days).toHaveLength(30);
    const ledger = await statementLedger(world, '2026-11', 1);
    expect(ledger).toMatchObject({ kind: 'statement', status: 'accepted', figures: { balanced: true } });
    const [mail] = world.mails('statement');
    expect(mail?.tags).toMatchObject({ merchant: CODE, period: '2026-11', revision: '1' });
  });

  it('has a PDF in each of its mails, and a workbook with "attachXlsx"', async () => {
    const formats = async () =>
      (await world.lastMail()).attachments.map(({ filename }) => filename?.split('.').at(-1));
    const { files } = sealedManifest(EMPTY_FIGURES);
    for (const day of daysOf({ from: '2026-11-01', to: '2026-11-30' }))
      await sealPage(world, { day, files, balanced: day !== '2026-11-17' });
    await world.statement(MONTH);
    expect(await formats()).toEqual(['pdf']);
    await world.statement({ ...MONTH, to: ['ops@example.com'] });
    expect(await formats()).toEqual(['pdf']);
    await world.putRegistry({ [CODE]: { attachXlsx: true } });
    await sealPage(world, { day: '2026-11-17', revision: 2, files });
    await world.statement(MONTH);
    expect(world.mails('correction')).toHaveLength(1);
    expect(await formats()).toEqual(['pdf', 'xlsx']);
  });

  it('is provisional while a day is missing, and final with a correction when the day is there', async () => {
    await sealPeriod(world, '2026-11', { except: ['2026-11-17'] });
    const first = await world.statement(MONTH);
    expect(first).toMatchObject({ final: false, missing: ['2026-11-17'], mail: { status: 'sent' } });
    await sealPage(world, { day: '2026-11-17', ...EMPTY_FIGURES, amounts: FIGURES.amounts });
    const second = await world.statement(MONTH);
    expect(second).toMatchObject({ revision: 2, final: true, missing: [], mail: { status: 'sent' } });
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['statement', 'correction']);
    expect(await statementLedger(world, '2026-11', 2)).toMatchObject({ kind: 'correction', corrects: 1 });
    const { previous } = await statementAt(world, '2026-11', 2);
    expect(previous).toBe(`statements/period=2026-11/merchant=${CODE}/r0001.json`);
  });

  it('counts what was open before it, by the history, and adds up', async () => {
    await sealPeriod(world, '2026-11');
    const before = [];
    for (const day of ['2026-10-20', '2026-07-01']) before.push(figuresOfDay(await sealPage(world, { day })));
    const days = before.sort((one, other) => (one.day < other.day ? 1 : -1));
    await world.aws.s3.write(BUCKET, historyKey(CODE), JSON.stringify({ merchantCode: CODE, days }));
    await world.statement(MONTH);
    const sealed = await statementAt(world, '2026-11', 1);
    const { openBefore, issued, settled, expired, openAfter, received, ageing } = sealed;
    // Of 20 October two links are left, which end in November. 1 July is no longer followed.
    expect(openBefore).toEqual({ count: 2, sum: '15.250' });
    expect(issued).toMatchObject({ count: 300, paid: { count: 180 } });
    expect(settled?.paid).toEqual({ count: received?.count, sum: received?.sum });
    const count = (parts: ({ count: number } | undefined | null)[] = []) =>
      parts.reduce((sum, part) => sum + (part?.count ?? 0), 0);
    expect(count([settled?.paid, settled?.cancelled, expired, openAfter])).toBe(2 + 300);
    expect(count(ageing?.map(({ open }) => open))).toBe(openAfter?.count);
  });

  it('does not know what is open when the history does not know a day before', async () => {
    await sealPeriod(world, '2026-11');
    const { followed: _followed, ...day } = figuresOfDay(await sealPage(world, { day: '2026-10-20' }));
    await world.aws.s3.write(BUCKET, historyKey(CODE), JSON.stringify({ merchantCode: CODE, days: [day] }));
    await world.statement(MONTH);
    expect(await statementAt(world, '2026-11', 1)).toMatchObject({
      received: { count: 180 },
      ...{ openBefore: null, settled: null, openAfter: null, ageing: null },
    });
  });

  it('is corrected against the revision that was mailed last, though another came between', async () => {
    await sealPeriod(world, '2026-11');
    await world.statement(MONTH);
    const change = async (revision: number, paid: string, send: boolean) => {
      const amounts = { ...defined(FIGURES.amounts), paid };
      await sealPage(world, { day: '2026-11-03', revision, amounts });
      return world.statement({ ...MONTH, send });
    };
    expect(await change(2, '70.000', false)).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(await change(3, '75.000', true)).toMatchObject({ revision: 3, mail: { status: 'sent' } });
    const { text } = await world.lastMail('correction');
    expect(text).toContain('1,800.000 → 1,815.000');
    expect(text).toContain('(rev. 1 → 3)');
  });

  const LAST = ['2026-11-30'];
  const soFar = { soFarUntil: '2026-11-30T12:00:00.000Z' };

  it.each([
    ['does not balance, which it names', { balanced: false }, [LAST, []], ['unbalanced']],
    ['was sealed before it was over, which it does not take', soFar, [[], LAST], []],
  ])('is provisional with a day that %s', async (_, day, [unbalanced, missing], unknown) => {
    await sealPeriod(world, '2026-11', { except: LAST });
    await sealPage(world, { day: '2026-11-30', ...day });
    expect(await world.statement(MONTH)).toMatchObject({ final: false, unbalanced, missing });
    expect((await statementAt(world, '2026-11', 1)).net.unknown).toEqual(unknown);
  });

  it('expects no day before the merchant began', async () => {
    await world.putRegistry({ [CODE]: { reportFrom: '2026-11-11' } });
    await sealPeriod(world, '2026-11', { except: ['2026-11-01', '2026-11-02'] });
    const answer = await world.statement(MONTH);
    expect(answer).toMatchObject({ final: true, missing: [], counts: { total: 280 } });
  });

  it('takes the revisions that plan saw, and none that is older than those of the statement before', async () => {
    await sealPeriod(world, '2026-11');
    await sealPage(world, { day: '2026-11-05', revision: 2 });
    const revisions = Array.from({ length: 30 }, () => 1);
    const event = { ...MONTH, revisions, seen: SEEN };
    expect(await world.statement(event)).toMatchObject({ revision: 1 });
    expect((await statementAt(world, '2026-11', 1)).days[4]?.revision).toBe(1);
    await world.statement(MONTH);
    expect((await statementAt(world, '2026-11', 2)).days[4]?.revision).toBe(2);
    expect(await world.statement(event)).toMatchObject({ revision: 2, unchanged: true });
  });

  it.each([
    ['long ago', '2026-12-01T05:29:59.000Z', 30],
    ['by a clock that is far ahead', '2026-12-01T06:30:01.000Z', 30],
    ['at fewer days', '2026-12-01T05:59:00.000Z', 29],
  ])(
    'looks itself when plan has looked %s: no later look may see that a day has changed since',
    async (...given) => {
      const [, at, length] = given;
      await sealPeriod(world, '2026-11');
      await sealPage(world, { day: '2026-11-05', revision: 2 });
      const revisions = Array.from({ length }, () => 1);
      await world.statement({ ...MONTH, revisions, seen: { at, from: '2026-11-01' } });
      expect((await statementAt(world, '2026-11', 1)).days[4]?.revision).toBe(2);
    },
  );

  it('looks itself when the week of the merchant begins on another day since plan has listed', async () => {
    await world.putRegistry({ [CODE]: { weekStart: 'monday' } });
    await sealPeriod(world, '2026-W47');
    await sealPage(world, { day: '2026-11-22' });
    // Of Sunday to Saturday. Sunday was not sealed yet.
    const week = { merchantCode: CODE, period: '2026-W47', revisions: [0, 1, 1, 1, 1, 1, 1] };
    const seen = { at: '2026-12-01T05:59:59.000Z', from: '2026-11-15' };
    const days = { from: '2026-11-16', to: '2026-11-22', final: true };
    expect(await world.statement({ ...week, seen })).toMatchObject(days);
  });

  it('stays as it is when a day that it names is kept no longer', async () => {
    await sealPeriod(world, '2026-11');
    await world.statement(MONTH);
    await sealPage(world, { day: '2026-11-04', revision: 2, counts: CHANGED });
    await world.aws.s3.remove(BUCKET, `days/day=2026-11-03/merchant=${CODE}/r0001.json`);
    expect(await world.statement(MONTH)).toMatchObject({ revision: 1, unchanged: true, final: true });
    expect(world.mails()).toHaveLength(1);
  });

  it('is compared with statements as they stood as many days after their end, and with none that came later', async () => {
    await Promise.all(['2026-10', '2025-11', '2026-11'].map((period) => sealPeriod(world, period)));
    // Late on the day that the first of the next month is in the merchant's zone, and on the fifth.
    await sealAfterEnd('2026-10', 1, '20:55:00');
    await correctDay('2026-10-07', 2);
    await sealAfterEnd('2026-10', 5);
    await correctDay('2026-10-07', 3);
    await sealAfterEnd('2026-10', 6);
    await sealAfterEnd('2025-11', 2);
    await world.statement(MONTH);
    const compared = async (revision: number) => {
      const { before, lastYear } = await statementAt(world, '2026-11', revision);
      return [before?.revision, lastYear?.revision];
    };
    expect(await compared(1)).toEqual([1, undefined]);
    await correctDay('2026-11-07', 2);
    world.clock.setTo('2026-12-05T06:00:00.000Z');
    await world.statement(MONTH);
    expect(await compared(2)).toEqual([2, 1]);
    expect((await statementAt(world, '2026-11', 2)).before?.sealedAt).toMatch(/^2026-11-05T06:00/);
  });

  it.each([
    { reportFrom: '2026-10-01', shown: ['2026-10', undefined] },
    { reportFrom: '2026-10-02', shown: [undefined, undefined] },
    { reportFrom: '2025-11-01', shown: ['2026-10', '2025-11'] },
  ])('is compared with no day before reportFrom, which another owner may have had: %j', async (given) => {
    await world.putRegistry({ [CODE]: { reportFrom: given.reportFrom } });
    for (const period of ['2025-11', '2026-10', '2026-11']) {
      await sealPeriod(world, period);
      await sealAfterEnd(period, 1);
    }
    const { before, lastYear } = await statementAt(world, '2026-11', 1);
    expect([before?.period, lastYear?.period]).toEqual(given.shown);
  });

  it('is not a new one when what it is compared with becomes known', async () => {
    await Promise.all([sealPeriod(world, '2026-10'), sealPeriod(world, '2026-11')]);
    await world.statement(MONTH);
    await world.statement({ ...MONTH, period: '2026-10', send: false });
    expect(await world.statement(MONTH)).toMatchObject({ revision: 1, unchanged: true });
  });

  it('does not show what the registry redacts now, although the days have it', async () => {
    await sealPeriod(world, '2026-11');
    const redact = ['transaction_payment_type', 'admin_charge'];
    await world.putRegistry({ [CODE]: { redact, charges: ['admin_charge'] } });
    await world.statement(MONTH);
    const { breakdown, net } = await statementAt(world, '2026-11', 1);
    expect(breakdown?.byMethod).toMatchObject([{ method: null }]);
    expect(breakdown?.charges).toMatchObject([{ column: 'admin_charge', total: null }, {}]);
    expect(net).toMatchObject({ charges: null, net: null, unknown: ['charges'] });
  });

  it.each([
    ['2026-11', 'NothingSealedError', 'no day is sealed'],
    ['2026-11-20', 'InvalidPeriodError', 'Its day has a report (daily-report)'],
    ['2026-12', 'InvalidPeriodError', 'is not over'],
  ])('is not made of %s without a sealed day, of a day, or before its end', async (period, name, message) => {
    const refused = { name, message: textWith(message) };
    await expect(world.statement({ merchantCode: CODE, period })).rejects.toMatchObject(refused);
    expect(world.keys('statements/')).toEqual([]);
  });
});

describe('the statement of a week', () => {
  const WEEK = { merchantCode: CODE, period: '2026-W47' };

  it("has the seven days of the merchant's own week", async () => {
    await sealPeriod(world, '2026-11');
    expect(await world.statement(WEEK)).toMatchObject({
      from: '2026-11-15',
      to: '2026-11-21',
      counts: { total: 70 },
      mail: { status: 'sent' },
    });
    // An older week, of which none of the weeks beside it may lose a day.
    await world.putRegistry({ [CODE]: { weekStart: 'monday' } });
    const older = { ...WEEK, period: '2026-W46', send: false };
    expect(await world.statement(older)).toMatchObject({ from: '2026-11-09', to: '2026-11-14' });
  });

  const sealDays = (from: string, to: string) =>
    Promise.all(daysOf({ from, to }).map((day) => sealPage(world, { day })));
  const weekStart = (day: string) => world.putRegistry({ [CODE]: { weekStart: day } });

  it.each([
    [
      'sunday',
      'wednesday',
      ['2026-W47', '2026-11-15', '2026-11-21'],
      ['2026-W48', '2026-11-22', '2026-12-01'],
    ],
    ['monday', 'sunday', ['2026-W46', '2026-11-09', '2026-11-15'], ['2026-W47', '2026-11-16', '2026-11-21']],
  ])('loses no day and has none twice when weekStart changes from %s to %s', async (was, is, one, other) => {
    world.clock.setTo('2026-12-05T06:00:00.000Z');
    await sealDays('2026-11-01', '2026-12-04');
    const [week, next] = [one, other].map(([period, from, to]) => ({ period, from, to }));
    await weekStart(was);
    world.clock.setTo('2026-11-25T06:00:00.000Z');
    const state = (period?: string) => world.statement({ merchantCode: CODE, period });
    expect(await state(week?.period)).toMatchObject({ ...week });
    world.clock.setTo('2026-12-05T06:00:00.000Z');
    await weekStart(is);
    // Asked for by hand, after a correction of one of its days.
    await sealPage(world, { day: week?.to ?? '', revision: 2 });
    expect(await state(week?.period)).toMatchObject({ ...week, revision: 2 });
    expect(await state(next?.period)).toMatchObject({ ...next, final: true });
    const text = (await world.lastMail()).text.replaceAll(/\s+/g, ' ');
    const length = daysOf({ from: next?.from ?? '', to: next?.to ?? '' }).length;
    expect(text).toContain(`This week has ${length} days and not seven`);
    expect(text).toContain(`has 7 days, and this week ${length}`);
  });

  it('is the last week until another one is over, whatever weekStart becomes', async () => {
    world.clock.setTo('2026-11-23T06:00:00.000Z');
    await sealDays('2026-11-08', '2026-11-22');
    const lastWeek = () => world.statement({ merchantCode: CODE, period: 'last-week' });
    expect(await lastWeek()).toMatchObject({ period: '2026-W47', to: '2026-11-21' });
    await weekStart('wednesday');
    expect(await lastWeek()).toMatchObject({ period: '2026-W47', to: '2026-11-21', unchanged: true });
  });

  it('is not corrected by a mail, but told when it is final at last', async () => {
    await sealPeriod(world, '2026-W47', { except: ['2026-11-17'] });
    expect(await world.statement(WEEK)).toMatchObject({ final: false });
    await sealPage(world, { day: '2026-11-17' });
    expect(await world.statement(WEEK)).toMatchObject({ final: true, mail: { status: 'sent' } });
    await sealPage(world, { day: '2026-11-18', revision: 2, counts: CHANGED });
    expect(await world.statement(WEEK)).toMatchObject({
      revision: 3,
      mail: { status: 'skipped', reason: 'the mail of a week is not corrected' },
    });
  });
});

it.each([
  [{ period: '2026-11' }, 'merchantCode'],
  [{ ...MONTH, group: 'all' }, 'group'],
  [{ ...MONTH, revisions: [1] }, 'revisions'],
  [{ ...MONTH, seen: SEEN }, 'revisions'],
  [{ ...MONTH, seen: { at: '2026-12-01T05:00:00Z' } }, 'seen.from'],
  [{ group: 'all', period: '2026-11', seen: SEEN }, 'seen'],
  [{ ...MONTH, resend: true, send: false }, 'resend'],
  [{ ...MONTH, form: 'x' }, 'form'],
])('the event %j names the member that is wrong', async (event, member) => {
  await expect(world.statement(event)).rejects.toMatchObject({ name: 'InvalidEventError', member });
});
