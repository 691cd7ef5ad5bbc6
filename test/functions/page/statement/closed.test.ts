import { describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { daysOf, periodDays, type Period } from '#records/period/period.ts';
import { MOVED, type Adjustment } from '#page/figures/adjustments.ts';
import { netOfPage } from '#page/figures/add-figures.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { fc, forAllAsync } from '#support/assertions/for-all.ts';
import { textLike } from '#support/assertions/text-like.ts';
import { defined } from '#support/assertions/defined.ts';
import { groupPageAt, sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, useWorld } from '#support/world/daybook-world.ts';
import {
  changeClosed,
  CLOSED,
  closeOctober,
  NEXT,
  paid,
  reopen,
  stateOctober,
  tick,
} from './closing-steps.ts';

const world = useWorld();

const STATEMENTS = {
  weekly: { on: 'sunday', at: '08:00' },
  monthly: { onDay: 1, at: '09:00' },
  closeAfter: '15d',
};
const folder = (period: Period) => `statements/period=${period}/merchant=${CODE}/`;
const at = (time: string) => world.clock.setTo(`${time}.000Z`);
const monthly = (
  settings: Record<string, unknown> = {},
  others: Record<string, unknown> = {},
  ofMerchant: Record<string, unknown> = {},
) => {
  const statements = { ...STATEMENTS, weekly: null, ...settings };
  return world.putRegistry({ [CODE]: { ...ofMerchant, statements } }, {}, others);
};

const state = (period: Period) => world.statement({ merchantCode: CODE, period });
const adjustmentsIn = async (period: Period, revision: number) =>
  (await statementAt(world, period, revision)).adjustments;
const closedIn = async (period: Period): Promise<unknown> =>
  JSON.parse(await world.text(`${folder(period)}closed.json`));

async function closeAndChange(): Promise<void> {
  await monthly();
  await closeOctober(world);
  await changeClosed(world);
}

/** A period whose time to close has come is closed at the second look. */
async function closeByHand(period: Period): Promise<void> {
  for (const _twice of [1, 2]) await state(period);
}

describe('a month that closes', () => {
  it('is closed at its time as a revision of its own, without a mail, and is not looked at again', async () => {
    await monthly();
    await stateOctober(world);
    expect(await tick(world, '2026-11-15T06:00:00')).toEqual([CLOSED]);
    expect(world.keys(folder(CLOSED))).toEqual([`${folder(CLOSED)}r0001.json`]);
    expect(await tick(world, '2026-11-16T06:00:00')).toEqual([CLOSED]);
    const [first, second] = [await statementAt(world, CLOSED, 1), await statementAt(world, CLOSED, 2)];
    expect(second).toMatchObject({
      closedAt: textLike(/^2026-11-16T06:00/),
      digest: first.digest,
      final: true,
    });
    expect(await closedIn(CLOSED)).toMatchObject({
      merchantCode: CODE,
      period: CLOSED,
      revision: 2,
      closedAt: second.closedAt,
      rule: '15d',
      adjusts: [],
      days: second.days.map(({ day, revision }) => ({ day, revision, digest: textLike(/^[0-9a-f]{64}$/) })),
    });
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['statement']);
    await sealPage(world, { day: '2026-10-05', revision: 2, ...paid('61.000') });
    expect(await tick(world, '2026-11-17T06:00:00')).toEqual([]);
    expect(await state(CLOSED)).toMatchObject({ revision: 2, unchanged: true });
  });

  it('is closed by a later night when one is missed, and when a run died before it was written down', async () => {
    await monthly();
    await stateOctober(world);
    world.refusePuts(/closed\.json$/);
    await expect(tick(world, '2026-11-20T06:00:00')).rejects.toThrow();
    world.aws.faults.clear();
    expect(await tick(world, '2026-11-21T06:00:00')).toEqual([CLOSED]);
    expect(await closedIn(CLOSED)).toMatchObject({ revision: 2, closedAt: textLike(/^2026-11-20T06:00/) });
    expect(await tick(world, '2026-11-22T06:00:00')).toEqual([]);
  });

  it('stays open while it is provisional', async () => {
    await monthly();
    at('2026-11-01T05:00:00');
    await sealPeriod(world, CLOSED, { except: ['2026-10-31'] });
    await state(CLOSED);
    await tick(world, '2026-11-17T06:00:00');
    expect(world.keys(folder(CLOSED))).toEqual([`${folder(CLOSED)}r0001.json`]);
    await sealPage(world, { day: '2026-10-31' });
    await tick(world, '2026-11-18T06:00:00');
    expect(await statementAt(world, CLOSED, 2)).toMatchObject({
      final: true,
      closedAt: textLike(/^2026-11-18T06:00/),
    });
  });

  it('is closed once by two runs at once', async () => {
    await monthly();
    await stateOctober(world);
    at('2026-11-16T06:00:00');
    const answers = await Promise.all([state(CLOSED), state(CLOSED)]);
    expect(answers.map(({ revision }) => revision)).toEqual([2, 2]);
    expect(world.keys(folder(CLOSED))).toEqual([
      `${folder(CLOSED)}closed.json`,
      `${folder(CLOSED)}r0001.json`,
      `${folder(CLOSED)}r0002.json`,
    ]);
  });
});

describe('what changes of a closed month', () => {
  it('is told by the next statement, by day and reason, and once', async () => {
    await monthly();
    await closeOctober(world);
    const closed = await world.text(`${folder(CLOSED)}r0002.json`);
    await changeClosed(world, paid('61.000', { payments: 7 }));
    const { refunded, net } = { refunded: '5.000', net: '55.000' };
    const was = { payments: 6, received: '60.000', refunded, charges: '0.000', net };
    expect(await adjustmentsIn(NEXT, 1)).toEqual([
      {
        period: CLOSED,
        day: '2026-10-05',
        revision: 2,
        currency: 'KWD',
        reasons: ['payments'],
        was,
        is: { ...was, payments: 7, received: '61.000', net: '56.000' },
      },
    ]);
    // Its own sums are those of its own days.
    expect((await statementAt(world, NEXT, 1)).net.received).toBe('1800.000');
    expect(await world.text(`${folder(CLOSED)}r0002.json`)).toBe(closed);
    // The next month is closed with it, and the one after has nothing to add.
    await tick(world, '2026-12-16T06:00:00');
    expect(await closedIn(NEXT)).toMatchObject({ revision: 2, adjusts: [CLOSED] });
    at('2027-01-01T05:00:00');
    await sealPeriod(world, '2026-12');
    await tick(world, '2027-01-01T06:00:00');
    expect(await adjustmentsIn('2026-12', 1)).toBeUndefined();
    await sealPage(world, { day: '2026-10-05', revision: 3, ...paid('59.500') });
    await tick(world, '2027-01-02T06:00:00');
    expect(await adjustmentsIn('2026-12', 2)).toMatchObject([
      { period: CLOSED, was: { received: '61.000' }, is: { received: '59.500' } },
    ]);
  });

  it.each([
    ['month', NEXT, { weekly: null }, '2026-12-01T06:00:00', '2026-12-02T06:00:00'],
    ['week', '2026-W47', { monthly: null, closeAfter: '4d' }, '2026-11-22T05:00:00', '2026-11-23T05:00:00'],
  ])('is mailed as a correction when the open statement of a %s was mailed before', async (...given) => {
    const [kind, period, settings, day, later] = given;
    const before = kind === 'week' ? '2026-W46' : CLOSED;
    await world.putRegistry({ [CODE]: { statements: { ...STATEMENTS, ...settings } } });
    at(`${day.slice(0, 10)}T03:30:00`);
    for (const one of [before, period]) await sealPeriod(world, one);
    const first = daysOf(periodDays(before, 'sunday'))[0] ?? '';
    await closeByHand(before);
    await tick(world, day);
    expect((await standing(before))?.closedAt).toBeDefined();
    await sealPage(world, { day: first, revision: 2, ...paid('61.000') });
    await tick(world, later);
    expect(await adjustmentsIn(period, 2)).toMatchObject([{ day: first, reasons: ['payments'] }]);
    const { text, subject } = await world.lastMail('correction');
    expect(subject).toContain('Correction: Changes in closed statements');
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain('55.000 → 56.000');
    expect(words).toContain('The statements of these days are closed and stay as they are.');
  });

  it('is told in Arabic, and of what is not known, that it is not', async () => {
    await world.putRegistry({ [CODE]: { language: 'ar', statements: { ...STATEMENTS, weekly: null } } });
    at('2026-12-01T05:00:00');
    for (const period of [CLOSED, NEXT]) await sealPeriod(world, period);
    await closeByHand(CLOSED);
    await sealPage(world, { day: '2026-10-05', revision: 2, balanced: false });
    await state(NEXT);
    expect(await adjustmentsIn(NEXT, 1)).toMatchObject([
      { reasons: ['balance'], was: { net: '55.000' }, is: { received: '60.000', net: null } },
    ]);
    const { text } = await world.lastMail('statement');
    expect(text).toContain('تغيّرات في كشوف مغلقة');
  });

  it('is told by the earlier of two open statements, and once', async () => {
    await monthly();
    at('2027-01-01T05:00:00');
    for (const period of [CLOSED, NEXT, '2026-12']) await sealPeriod(world, period);
    await closeByHand(CLOSED);
    await monthly({ closeAfter: '90d' });
    for (const period of [NEXT, '2026-12']) await state(period);
    await sealPage(world, { day: '2026-10-05', revision: 2, ...paid('61.000') });
    // Both at once know nothing of each other. At the next look the later one takes it back.
    await Promise.all([state('2026-12'), state(NEXT)]);
    await state('2026-12');
    expect((await standing(NEXT))?.adjustments).toHaveLength(1);
    expect((await standing('2026-12'))?.adjustments).toBeUndefined();
  });

  it('stays as it was told while nothing closes any more, and is told later on', async () => {
    await closeAndChange();
    await monthly({ closeAfter: null });
    await sealPage(world, { day: '2026-10-05', revision: 3, ...paid('62.000') });
    await sealPage(world, { day: '2026-11-05', revision: 2, ...paid('62.000') });
    await tick(world, '2026-12-02T06:00:00');
    expect(await adjustmentsIn(NEXT, 2)).toMatchObject([{ is: { received: '61.000' } }]);
    expect(await state(CLOSED)).toMatchObject({ revision: 2, unchanged: true });
    await monthly();
    await tick(world, '2026-12-03T06:00:00');
    expect(await adjustmentsIn(NEXT, 3)).toMatchObject([{ is: { received: '62.000' } }]);
  });

  it('is told although the record of a closing cannot be read: what was told stays', async () => {
    await closeAndChange();
    await world.aws.s3.write(BUCKET, `${folder(CLOSED)}closed.json`, '{');
    await sealPage(world, { day: '2026-11-05', revision: 2, ...paid('62.000') });
    expect(await state(NEXT)).toMatchObject({ revision: 2, adjustments: 1 });
  });

  it('stays as it was told of days that are followed no longer', async () => {
    await monthly();
    await closeOctober(world);
    at('2026-12-01T05:00:00');
    await sealPeriod(world, NEXT);
    at('2027-04-01T05:00:00');
    for (const period of ['2027-02', '2027-03']) await sealPeriod(world, period);
    await closeByHand('2027-02');
    await sealPage(world, { day: '2026-10-30', revision: 2, ...paid('61.000') });
    await state('2027-03');
    expect(await adjustmentsIn('2027-03', 1)).toMatchObject([{ day: '2026-10-30' }]);
    await monthly({}, {}, { followFor: '30d' });
    await sealPage(world, { day: '2027-03-05', revision: 2, ...paid('62.000') });
    expect(await state('2027-03')).toMatchObject({ revision: 2, adjustments: 1 });
  });

  it('is told of days that are read again later than they are followed', async () => {
    await monthly({}, {}, { followFor: '0d', lookbackDays: [150] });
    await closeOctober(world);
    at('2027-04-01T05:00:00');
    await sealPeriod(world, '2027-03');
    await sealPage(world, { day: '2026-10-30', revision: 2, ...paid('61.000') });
    await state('2027-03');
    expect(await adjustmentsIn('2027-03', 1)).toMatchObject([{ day: '2026-10-30' }]);
  });

  it('is in no page of a group: that has what the statements say of their own days', async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: ['boss@group.example'] }];
    await monthly({}, { groups });
    at('2026-12-01T05:00:00');
    for (const period of [CLOSED, NEXT]) await sealPeriod(world, period);
    await closeByHand(CLOSED);
    await sealPage(world, { day: '2026-10-05', revision: 2, ...paid('61.000') });
    await state(NEXT);
    for (const [period, received, revision] of [
      [CLOSED, '1860.000', 2],
      [NEXT, '1800.000', 1],
    ] as const) {
      await world.statement({ group: 'shops', period, send: false });
      const page = await groupPageAt(world, period, 1, 'shops');
      expect(page.byCurrency['KWD']?.net.received).toBe(received);
      expect(page.merchants).toMatchObject([{ revision }]);
    }
  });
});

describe('a reopened statement', () => {
  const AT = '2026-12-02T05:00:00.000Z';
  const reopenClosed = (at = AT) => reopen(world, { period: CLOSED, revision: 2 }, at);

  it('gets a new number, says all itself, and what another one has told is taken back', async () => {
    await closeAndChange();
    await reopenClosed();
    at('2026-12-02T05:00:00');
    expect(await state(CLOSED)).toMatchObject({ revision: 3, closedAt: null, mail: { status: 'sent' } });
    const { reopenedAt, net } = await statementAt(world, CLOSED, 3);
    expect([reopenedAt, net.received]).toEqual([AT, '1861.000']);
    // The open one tells nothing of it any more, and a change is told by the reopened one alone.
    await sealPage(world, { day: '2026-10-06', revision: 2, ...paid('62.000') });
    expect(await tick(world, '2026-12-03T06:00:00')).toEqual([CLOSED, NEXT]);
    expect(await adjustmentsIn(NEXT, 2)).toBeUndefined();
    expect((await statementAt(world, CLOSED, 4)).net.received).toBe('1863.000');
    // It is closed again when the time has passed once more.
    expect(await tick(world, '2026-12-17T06:00:00')).toEqual([CLOSED, NEXT]);
    expect(await closedIn(CLOSED)).toMatchObject({ revision: 5 });
  });

  it('is told in the next one, when the one that told the change is closed', async () => {
    await closeAndChange();
    await tick(world, '2026-12-16T06:00:00');
    await reopenClosed('2026-12-20T05:00:00.000Z');
    at('2026-12-20T05:00:00');
    await state(CLOSED);
    at('2027-01-01T05:00:00');
    await sealPeriod(world, '2026-12');
    await tick(world, '2027-01-01T06:00:00');
    expect(await adjustmentsIn('2026-12', 1)).toMatchObject([
      { day: '2026-10-05', reasons: ['reopened'], was: { received: '62.000' }, is: { received: '61.000' } },
    ]);
  });

  it('is as closed until its next revision is made', async () => {
    await closeAndChange();
    await reopenClosed();
    await tick(world, '2026-12-02T06:00:00');
    expect(world.keys(folder(CLOSED))).not.toContain(`${folder(CLOSED)}r0003.json`);
    expect(await state(NEXT)).toMatchObject({ revision: 1, adjustments: 1 });
  });

  it('is told long after, too', async () => {
    await closeAndChange();
    await tick(world, '2026-12-16T06:00:00');
    await reopenClosed('2027-09-20T05:00:00.000Z');
    at('2027-09-20T05:00:00');
    await state(CLOSED);
    at('2027-10-01T05:00:00');
    await sealPeriod(world, '2027-09');
    await state('2027-09');
    expect(await adjustmentsIn('2027-09', 1)).toMatchObject([{ day: '2026-10-05', reasons: ['reopened'] }]);
    // It stays when the reopened one is closed again.
    at('2027-10-06T05:00:00');
    expect(await state(CLOSED)).toMatchObject({ revision: 4, closedAt: textLike(/^2027-10-06/) });
    expect(await state('2027-09')).toMatchObject({ revision: 1, unchanged: true });
  });

  it('has a new number although nothing has changed', async () => {
    await monthly();
    await closeOctober(world);
    await reopenClosed();
    expect(await state(CLOSED)).toMatchObject({ revision: 3, unchanged: false, mail: { status: 'skipped' } });
  });
});

/** The newest statements by week: the one that is closed, or the last. */
async function standing(week: Period): Promise<Statement | undefined> {
  const revisions = world.keys(folder(week)).filter((key) => /\/r\d{4}\.json$/.test(key)).length;
  return revisions === 0 ? undefined : statementAt(world, week, revisions);
}

describe('closed statements and adjustments', () => {
  const WEEKS = ['2026-W45', '2026-W46', '2026-W47', '2026-W48'];
  const FIRST = defined(WEEKS[0]);
  const days = WEEKS.flatMap((week) => daysOf(periodDays(week, 'sunday')));
  const thousandths = fc.bigInt({ min: 0n, max: 10n ** 17n }).map(formatAmount);
  const change = fc.record({
    does: fc.constant('change' as const),
    back: fc.nat(20),
    payments: fc.nat(50),
    received: thousandths,
    refunded: thousandths,
    balanced: fc.boolean(),
    currency: fc.constantFrom('KWD', 'KWD', 'KWD', 'USD'),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 5, arbitrary: fc.record({ does: fc.constant('look' as const) }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('reopen' as const), back: fc.nat(3) }) },
  );

  /** What closed statements and all adjustments say of each day and figure, against the newest pages. */
  async function expectInAgreement(pages: ReadonlyMap<string, Manifest>): Promise<void> {
    const all = (await Promise.all(WEEKS.map(standing))).flatMap((one) => one ?? []);
    const closed = all.filter(({ closedAt }) => closedAt !== undefined);
    const adjustments = all.flatMap((one) => one.adjustments ?? []);
    for (const { period, days: named, currency } of closed) {
      const told = new Map<string, (bigint | null)[]>();
      const add = (key: string, values: readonly (bigint | null)[]) => {
        const before = told.get(key);
        told.set(
          key,
          values.map((value, index) => sumOf(before === undefined ? 0n : (before[index] ?? null), value)),
        );
      };
      for (const one of named)
        add(
          `${one.day} ${one.currency ?? currency}`,
          valuesOf({ ...one.net, payments: one.received?.count ?? null }),
        );
      for (const one of adjustments.filter((adjustment) => adjustment.period === period)) {
        const key = `${one.day} ${one.currency}`;
        // Where one of the two is unknown there is no difference: it says what is known now.
        const [was, is] = [valuesOf(one.was), valuesOf(one.is)];
        const before = told.get(key) ?? is.map(() => 0n);
        told.set(
          key,
          before.map((value, index) => {
            const [from, to] = [was[index] ?? null, is[index] ?? null];
            return value === null || from === null || to === null ? to : value + to - from;
          }),
        );
      }
      for (const day of daysOf(periodDays(period, 'sunday'))) {
        const page = defined(pages.get(day));
        const net = netOfPage(page, []);
        const now = valuesOf({ ...net, payments: page.received?.count ?? null });
        for (const currencyOf of ['KWD', 'USD']) {
          const is =
            currencyOf === page.currency
              ? now
              : told.has(`${day} ${currencyOf}`)
                ? now.map(() => 0n)
                : undefined;
          expect([period, day, currencyOf, told.get(`${day} ${currencyOf}`)]).toEqual([
            period,
            day,
            currencyOf,
            is,
          ]);
        }
      }
    }
  }

  it('always say together what the newest pages say, and no closed page ever changes', async () => {
    let closedInAll = 0;
    await forAllAsync(
      [fc.array(step, { minLength: 22, maxLength: 30 })],
      { numRuns: 4, seed: 20261127 },
      async (steps) => {
        await world.close();
        await world.begin();
        await world.putRegistry({
          [CODE]: { statements: { ...STATEMENTS, monthly: null, closeAfter: '4d' } },
        });
        const pages = new Map<string, Manifest>();
        const closedPages = new Map<string, string>();
        let today = '2026-11-09';
        const seal = async (day: string, changes: Partial<Manifest>) => {
          const revision = (pages.get(day)?.revision ?? 0) + 1;
          pages.set(day, await sealPage(world, { day, revision, ...changes }));
        };
        const look = async () => {
          at(`${today}T03:30:00`);
          for (const day of days) if (day < today && !pages.has(day)) await seal(day, { currency: 'KWD' });
          await tick(world, `${today}T05:00:00`);
          for (const key of world.keys(`statements/`)) {
            if (!/\/r\d{4}\.json$/.test(key)) continue;
            const text = await world.text(key);
            if (text.includes('"closedAt"')) expect(closedPages.get(key) ?? text).toBe(text);
            if (text.includes('"closedAt"')) closedPages.set(key, text);
          }
          today = addDays(today, 1);
        };
        await look();
        for (const one of steps) {
          if (one.does === 'look') {
            await look();
            continue;
          }
          if (one.does === 'change') {
            const sealed = days.filter((day) => pages.has(day));
            const day = defined(sealed.at(-1 - (one.back % sealed.length)));
            const { payments, received, refunded, balanced, currency } = one;
            await seal(day, { ...paid(received, { payments, refunded }), balanced, currency });
            continue;
          }
          const closed = (await Promise.all(WEEKS.map(standing))).flatMap((found) =>
            found?.closedAt === undefined ? [] : [found],
          );
          const statement = closed[one.back % closed.length];
          if (statement === undefined) continue;
          await reopen(world, statement, `${today}T04:00:00.000Z`);
          at(`${today}T04:00:00`);
          await state(statement.period);
        }
        for (const day of days)
          if (pages.get(day)?.balanced === false) await seal(day, { ...paid('1.001'), currency: 'KWD' });
        while (today <= '2026-11-30') await look();
        await look();
        closedInAll += closedPages.size;
        expect((await standing(FIRST))?.closedAt).toBeDefined();
        await expectInAgreement(pages);
      },
    );
    expect(closedInAll).toBeGreaterThan(12);
  }, 300_000);
});

function sumOf(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || other === null ? null : one + other;
}

/** In thousandths, and the payments as they are. */
function valuesOf(
  moved: Record<(typeof MOVED)[number], string | number | null> | Adjustment['is'],
): (bigint | null)[] {
  return MOVED.map((name) => {
    const value = moved[name];
    return value === null ? null : typeof value === 'string' ? parseSum(value) : BigInt(value);
  });
}
