import { daysOf, periodDays, type Period } from '#records/period/period.ts';
import { textLike } from '#support/assertions/index.ts';
import { groupPageAt, sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, useWorld } from '#support/world/daybook-world.ts';
import {
  changeClosed,
  changeDay,
  CLOSED,
  closeOctober,
  NEXT,
  paid,
  reopen,
  sealAt,
  standing,
  stateOctober,
  tick,
} from './closing-steps.ts';

const world = useWorld();

const STATEMENTS = { monthly: { onDay: 1, at: '09:00' }, closeAfter: '15d' };
const folder = (period: Period) => `statements/period=${period}/merchant=${CODE}/`;
const at = (time: string) => world.clock.setTo(`${time}.000Z`);
/** A merchant with a statement of each month. */
const monthly = (members: Record<string, unknown> = {}, others: Record<string, unknown> = {}) =>
  world.putRegistry({ [CODE]: { statements: STATEMENTS, ...members } }, {}, others);
const closeAfter = (time: string | null) => monthly({ statements: { ...STATEMENTS, closeAfter: time } });

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
    const { digest } = first;
    expect(second).toMatchObject({ closedAt: textLike(/^2026-11-16T06:00/), digest, final: true });
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
    await changeDay(world, 2, '61.000');
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
    const closed = { final: true, closedAt: textLike(/^2026-11-18T06:00/) };
    expect(await statementAt(world, CLOSED, 2)).toMatchObject(closed);
  });

  it('is closed once by two runs at once', async () => {
    await monthly();
    await stateOctober(world);
    at('2026-11-16T06:00:00');
    const answers = await Promise.all([state(CLOSED), state(CLOSED)]);
    expect(answers.map(({ revision }) => revision)).toEqual([2, 2]);
    const names = ['closed.json', 'r0001.json', 'r0002.json'];
    expect(world.keys(folder(CLOSED))).toEqual(names.map((name) => folder(CLOSED) + name));
  });
});

describe('what changes of a closed month', () => {
  it('is told by the next statement, by day and reason, and once', async () => {
    await monthly();
    await closeOctober(world);
    const closed = await world.text(`${folder(CLOSED)}r0002.json`);
    await changeClosed(world, paid('61.000', { payments: 7 }));
    const was = { payments: 6, received: '60.000', refunded: '5.000', charges: '0.000', net: '55.000' };
    const is = { ...was, payments: 7, received: '61.000', net: '56.000' };
    const of = { period: CLOSED, day: '2026-10-05', revision: 2, currency: 'KWD' };
    expect(await adjustmentsIn(NEXT, 1)).toEqual([{ ...of, reasons: ['payments'], was, is }]);
    // Its own sums are those of its own days.
    expect((await statementAt(world, NEXT, 1)).net.received).toBe('1800.000');
    expect(await world.text(`${folder(CLOSED)}r0002.json`)).toBe(closed);
    // The next month is closed with it, and the one after has nothing to add.
    await tick(world, '2026-12-16T06:00:00');
    expect(await closedIn(NEXT)).toMatchObject({ revision: 2, adjusts: [CLOSED] });
    await sealAt(world, '2027-01-01T05:00:00', '2026-12');
    await tick(world, '2027-01-01T06:00:00');
    expect(await adjustmentsIn('2026-12', 1)).toBeUndefined();
    await changeDay(world, 3, '59.500');
    await tick(world, '2027-01-02T06:00:00');
    expect(await adjustmentsIn('2026-12', 2)).toMatchObject([
      { period: CLOSED, was: { received: '61.000' }, is: { received: '59.500' } },
    ]);
  });

  const WEEKLY = { weekly: { on: 'sunday', at: '08:00' }, monthly: null, closeAfter: '4d' };

  it.each([
    ['month', NEXT, STATEMENTS, '2026-12-01T06:00:00', '2026-12-02T06:00:00'],
    ['week', '2026-W47', WEEKLY, '2026-11-22T05:00:00', '2026-11-23T05:00:00'],
  ])('is mailed as a correction when the open statement of a %s was mailed before', async (...given) => {
    const [kind, period, statements, day, later] = given;
    const before = kind === 'week' ? '2026-W46' : CLOSED;
    await monthly({ statements });
    await sealAt(world, `${day.slice(0, 10)}T03:30:00`, before, period);
    const first = daysOf(periodDays(before, 'sunday'))[0] ?? '';
    await closeByHand(before);
    await tick(world, day);
    expect((await standing(world, before))?.closedAt).toBeDefined();
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
    await monthly({ language: 'ar' });
    await sealAt(world, '2026-12-01T05:00:00', CLOSED, NEXT);
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
    await sealAt(world, '2027-01-01T05:00:00', CLOSED, NEXT, '2026-12');
    await closeByHand(CLOSED);
    await closeAfter('90d');
    for (const period of [NEXT, '2026-12']) await state(period);
    await changeDay(world, 2, '61.000');
    // Both at once know nothing of each other. At the next look the later one takes it back.
    await Promise.all([state('2026-12'), state(NEXT)]);
    await state('2026-12');
    expect((await standing(world, NEXT))?.adjustments).toHaveLength(1);
    expect((await standing(world, '2026-12'))?.adjustments).toBeUndefined();
  });

  it('is told by no new statement while nothing closes any more, and later on', async () => {
    await monthly();
    await closeOctober(world);
    await closeAfter(null);
    await changeClosed(world);
    expect(await adjustmentsIn(NEXT, 1)).toBeUndefined();
    expect(await state(CLOSED)).toMatchObject({ revision: 2, unchanged: true });
    await monthly();
    await tick(world, '2026-12-03T06:00:00');
    expect(await adjustmentsIn(NEXT, 2)).toMatchObject([{ is: { received: '61.000' } }]);
  });

  it('stays right in a statement that has told it while nothing closes any more', async () => {
    await closeAndChange();
    await closeAfter(null);
    await changeDay(world, 3, '62.000');
    await state(NEXT);
    expect(await adjustmentsIn(NEXT, 2)).toMatchObject([{ is: { received: '62.000' } }]);
    at('2026-12-02T05:00:00');
    await reopen(world, { period: CLOSED, revision: 2 }, '2026-12-02T05:00:00.000Z');
    for (const period of [CLOSED, NEXT]) await state(period);
    expect((await statementAt(world, CLOSED, 3)).net.received).toBe('1862.000');
    expect(await adjustmentsIn(NEXT, 3)).toBeUndefined();
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
    await sealAt(world, '2026-12-01T05:00:00', NEXT);
    await sealAt(world, '2027-04-01T05:00:00', '2027-02', '2027-03');
    await closeByHand('2027-02');
    await sealPage(world, { day: '2026-10-30', revision: 2, ...paid('61.000') });
    await state('2027-03');
    expect(await adjustmentsIn('2027-03', 1)).toMatchObject([{ day: '2026-10-30' }]);
    await monthly({ followFor: '30d' });
    await sealPage(world, { day: '2027-03-05', revision: 2, ...paid('62.000') });
    expect(await state('2027-03')).toMatchObject({ revision: 2, adjustments: 1 });
  });

  it('is told of days that are read again later than they are followed', async () => {
    await monthly({ followFor: '0d', lookbackDays: [150] });
    await closeOctober(world);
    await sealAt(world, '2027-04-01T05:00:00', '2027-03');
    await sealPage(world, { day: '2026-10-30', revision: 2, ...paid('61.000') });
    await state('2027-03');
    expect(await adjustmentsIn('2027-03', 1)).toMatchObject([{ day: '2026-10-30' }]);
  });

  it('is in no page of a group: that has what the statements say of their own days', async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: ['boss@group.example'] }];
    await monthly({}, { groups });
    await sealAt(world, '2026-12-01T05:00:00', CLOSED, NEXT);
    await closeByHand(CLOSED);
    await changeDay(world, 2, '61.000');
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
    await sealAt(world, '2027-10-01T05:00:00', '2027-09');
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
