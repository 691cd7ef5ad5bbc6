import { daysOf, periodDays } from '#records/period/period.ts';
import { ListedBucket, looksAt } from '#support/plan/running-plan.ts';

/** The merchant's week ends on Saturday. Its statement is due on Sunday at eight, at five in UTC. */
const WEEKLY = { weekly: { on: 'sunday', at: '08:00' } };
const MONTHLY = { monthly: { onDay: 1, at: '09:00' } };
const WEEK = '2026-W47';
const DUE = '2026-11-22T05:00:00Z';
/** Twelve hours later. */
const DEADLINE = '2026-11-22T17:00:00Z';
/** When the week after it is due. */
const LATER = '2026-11-29T05:00:00Z';
const ONE = { merchantCode: '700001' };
const TWO = { merchantCode: '700002' };
const SHOPS = { name: 'shops', merchants: 'all', recipients: ['boss@example.com'] };
const DAILY = { ...SHOPS, daily: true };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const bucket = new ListedBucket();
beforeEach(() => void Object.assign(bucket, new ListedBucket()));

const datesOf = (period: string) => daysOf(periodDays(period, 'sunday'));

/** Looks at the first merchant alone, with these statements. */
const ofOne = (statements: object, more: object = {}) =>
  looksAt(bucket, { merchants: [{ ...ONE, statements, ...more }] });

const sealDays = ({ merchantCode }: { merchantCode: string }, days: readonly string[]) =>
  bucket.sealDays(merchantCode, days);

describe('a week that was sealed before weekStart changed', () => {
  const look = () => ofOne(WEEKLY, { weekStart: 'wednesday' }).look(LATER);

  beforeEach(() => {
    sealDays(ONE, datesOf(WEEK));
    bucket.issue(ONE, WEEK, DUE, datesOf(WEEK));
    sealDays(ONE, ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25']);
  });

  it('is not made again because of days that are not its own', async () => {
    expect((await look()).items).toEqual([]);
  });

  it.each(['2026-11-15', '2026-11-21'])('follows %s, which is one of its days', async (day) => {
    bucket.sealDay('700001', day, Date.parse('2026-11-24T03:00:00Z'), 2);
    const revisions = datesOf(WEEK).map((one) => (one === day ? 2 : 1));
    expect((await look()).items).toMatchObject([
      { ...ONE, period: WEEK, revisions, seen: { from: '2026-11-15' } },
    ]);
  });
});

describe('a week that was sealed before weekStart moved its end back', () => {
  // Today's weekStart says that it ended on Thursday.
  const look = async () => {
    const { items } = await ofOne(WEEKLY, { weekStart: 'friday' }).look(LATER);
    return items.filter(({ period }) => period === WEEK);
  };

  it.each([
    { sealed: 'again', first: datesOf(WEEK), day: '2026-11-21', revision: 2 },
    { sealed: 'late', first: datesOf(WEEK).slice(0, 5).concat('2026-11-21'), day: '2026-11-20', revision: 1 },
  ])('follows $day, its own day at its end, that is sealed $sealed', async ({ first, day, revision }) => {
    sealDays(ONE, first);
    bucket.issue(ONE, WEEK, DUE, first);
    sealDays(ONE, ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']);
    expect(await look()).toEqual([]);
    expect(bucket.asked).not.toContain(`read merchant 700001 ${WEEK} 1`);
    bucket.sealDay('700001', day, Date.parse('2026-11-24T03:00:00Z'), revision);
    expect(await look()).toMatchObject([{ ...ONE, seen: { from: '2026-11-15' }, revisions: { length: 7 } }]);
  });
});

describe("a merchant's week", () => {
  const { look, names } = ofOne(WEEKLY);

  it('is due with the revisions of its days when all are sealed and its time has come', async () => {
    sealDays(ONE, datesOf(WEEK));
    bucket.sealDay('700001', '2026-11-17', Date.parse('2026-11-19T03:00:00Z'), 3);
    expect(await names('2026-11-22T04:45:00Z')).toEqual([]);
    const at = '2026-11-22T05:00:00.000Z';
    const item = { ...ONE, period: WEEK, send: true, scheduledTime: at, revisions: [1, 1, 3, 1, 1, 1, 1] };
    expect(await look(DUE)).toEqual({ items: [{ ...item, seen: { at, from: '2026-11-15' } }], looked: 1 });
  });

  it('waits for a day that is not sealed, until the deadline', async () => {
    sealDays(ONE, datesOf(WEEK).slice(1));
    expect(await names(DUE)).toEqual([]);
    expect(await names('2026-11-22T16:45:00Z')).toEqual([]);
    const { items } = await look(DEADLINE);
    expect(items).toMatchObject([{ ...ONE, revisions: [0, 1, 1, 1, 1, 1, 1] }]);
  });

  it('is not due when no day is sealed: there is nothing to add up', async () => {
    expect(await names(DEADLINE)).toEqual([]);
  });

  it('expects no day before reportFrom', async () => {
    sealDays(ONE, datesOf(WEEK).slice(3));
    const from = (reportFrom: string) => ofOne(WEEKLY, { reportFrom });
    expect(await from('2026-11-18').names(DUE)).toEqual(['700001 2026-W47']);
    expect(await from('2026-11-17').names(DUE)).toEqual([]);
    expect(await from('2026-11-22').look(DEADLINE)).toEqual({ items: [], looked: 0 });
  });

  it('is due again when its newest statement has no ledger', async () => {
    sealDays(ONE, datesOf(WEEK));
    bucket.seal(ONE, WEEK, Date.parse(DUE));
    expect(await names('2026-11-22T05:15:00Z')).toEqual(['700001 2026-W47']);
    bucket.mail(ONE, WEEK, Date.parse(DUE));
    expect(await names('2026-11-22T05:15:00Z')).toEqual([]);
    bucket.seal(ONE, WEEK, Date.parse(DUE) + HOUR);
    expect(await names('2026-11-23T09:15:00Z')).toEqual(['700001 2026-W47']);
  });

  it('lists no day when every statement is there with its ledger, and needs no look', async () => {
    sealDays(ONE, datesOf(WEEK));
    bucket.issue(ONE, WEEK, DUE, datesOf(WEEK));
    expect(await look('2026-11-22T09:00:00Z')).toEqual({ items: [], looked: 1 });
    expect(bucket.asked).toEqual([`statements ${WEEK}`, `ledgers ${WEEK}`]);
  });

  it('is looked at only until a day after the deadline, except in the hour after its time of day', async () => {
    await look('2026-11-23T16:45:00Z');
    expect(bucket.asked).toContain(`days 2026-11-15`);
    await look('2026-11-23T17:00:00Z');
    expect(bucket.asked).toEqual([]);
    const times = { '04:45': false, '05:00': true, '05:45': true, '06:00': false };
    for (const [time, isLookedAt] of Object.entries(times)) {
      await look(`2026-11-24T${time}:00Z`);
      expect(bucket.asked.includes('days 2026-11-15'), time).toBe(isLookedAt);
    }
  });

  it('is issued by itself when it is the newest, or when it is late by less than a day', async () => {
    for (const week of ['2026-W45', '2026-W46', WEEK]) sealDays(ONE, datesOf(week));
    expect(await names(DUE)).toEqual(['700001 2026-W47']);
    expect(await names('2026-11-28T05:00:00Z')).toEqual(['700001 2026-W47']);
    const late = ofOne({ ...WEEKLY, waitFor: '7d' });
    expect(await late.names('2026-11-23T04:45:00Z')).toEqual(['700001 2026-W46', '700001 2026-W47']);
    expect(await late.names('2026-11-23T05:00:00Z')).toEqual(['700001 2026-W47']);
  });

  it('is issued at its deadline, too, when it is corrected for a shorter time', async () => {
    sealDays(ONE, datesOf(WEEK).slice(1));
    const { names } = ofOne({ ...WEEKLY, waitFor: '2d', correctFor: '1h' });
    expect(await names('2026-11-24T05:00:00Z')).toEqual(['700001 2026-W47']);
  });

  it('is issued after an outage, as long as it is the newest, even if it is not corrected any more', async () => {
    sealDays(ONE, datesOf(WEEK));
    const { names } = ofOne({ ...WEEKLY, correctFor: '1h' });
    expect(await names('2026-11-28T05:00:00Z')).toEqual(['700001 2026-W47']);
    expect(await names(LATER)).toEqual([]);
    bucket.issue(ONE, WEEK, '2026-11-28T05:10:00Z', datesOf(WEEK));
    bucket.sealDay('700001', '2026-11-17', Date.parse('2026-11-28T08:00:00Z'), 2);
    expect(await names('2026-11-28T05:45:00Z')).toEqual([]);
  });
});

describe('a statement whose days change', () => {
  const { look, names } = ofOne(MONTHLY);
  const MONTH = '2026-11';

  beforeEach(() => {
    sealDays(ONE, datesOf(MONTH));
    bucket.issue(ONE, MONTH, '2026-12-01T06:00:00Z', datesOf(MONTH));
  });

  it('is made again once a day, with the new revisions', async () => {
    bucket.sealDay('700001', '2026-11-30', Date.parse('2026-12-04T03:10:00Z'), 2);
    expect(await names('2026-12-04T05:45:00Z')).toEqual([]);
    const { items } = await look('2026-12-04T06:00:00Z');
    expect(items).toMatchObject([{ ...ONE, period: MONTH, send: true }]);
    expect(items[0]?.revisions?.at(-1)).toBe(2);
    expect(bucket.asked).toContain('read merchant 700001 2026-11 1');
  });

  it('is read only if a day was sealed after it, or less than an hour before', async () => {
    await look('2026-12-02T06:00:00Z');
    expect(bucket.asked).not.toContain('read merchant 700001 2026-11 1');
    bucket.sealDay('700001', '2026-11-30', Date.parse('2026-12-01T05:00:01Z'), 2);
    expect((await look('2026-12-02T06:00:00Z')).items).toHaveLength(1);
  });

  it('is not due when it names the newest revisions', async () => {
    bucket.sealDay('700001', '2026-11-30', Date.parse('2026-12-01T05:30:00Z'), 2);
    const days = datesOf(MONTH).map((day) => ({ day, revision: day === '2026-11-30' ? 2 : 1 }));
    bucket.seal(ONE, MONTH, Date.parse('2026-12-01T06:20:00Z'), days);
    bucket.mail(ONE, MONTH, Date.parse('2026-12-01T06:20:00Z'));
    expect((await look('2026-12-02T06:00:00Z')).items).toEqual([]);
    expect(bucket.asked).toContain('read merchant 700001 2026-11 2');
  });

  it('is not made again when one of its days is kept no longer', async () => {
    bucket.sealDay('700001', '2026-11-30', Date.parse('2026-12-04T03:10:00Z'), 2);
    expect(await names('2026-12-04T06:00:00Z')).toHaveLength(1);
    bucket.sealedDays.splice(0, 1);
    expect(await names('2026-12-04T06:00:00Z')).toEqual([]);
  });

  it('is not mailed again when its ledger is kept no longer', async () => {
    bucket.mailed.length = 0;
    expect(await names('2026-12-08T06:00:00Z')).toEqual(['700001 2026-11']);
    // A week after the deadline.
    expect(await names('2026-12-09T05:45:00Z')).toEqual([]);
    expect(await names('2026-12-09T06:00:00Z')).toEqual([]);
  });

  it('is not made again after the time that the registry gives it', async () => {
    bucket.sealDay('700001', '2026-11-30', Date.parse('2027-01-15T03:10:00Z'), 2);
    expect(await names('2027-01-14T06:00:00Z')).toContain('700001 2026-11');
    expect(await names('2027-01-15T06:00:00Z')).not.toContain('700001 2026-11');
  });
});

describe('a provisional statement', () => {
  const { look, names } = ofOne(WEEKLY);

  beforeEach(() => {
    sealDays(ONE, datesOf(WEEK).slice(1));
    bucket.issue(ONE, WEEK, DEADLINE, datesOf(WEEK).slice(1));
  });

  it('is made again at the next tick after its last day was sealed', async () => {
    expect(await names('2026-11-22T19:00:00Z')).toEqual([]);
    bucket.sealDay('700001', '2026-11-15', Date.parse('2026-11-22T19:05:00Z'));
    expect((await look('2026-11-22T19:15:00Z')).items).toMatchObject([{ revisions: [1, 1, 1, 1, 1, 1, 1] }]);
  });

  it('is made again at the time of day, a day after its deadline', async () => {
    bucket.sealDay('700001', '2026-11-15', Date.parse('2026-11-23T18:00:00Z'));
    expect(await names('2026-11-23T18:15:00Z')).toEqual([]);
    expect(await names('2026-11-24T05:00:00Z')).toEqual(['700001 2026-W47']);
  });
});

describe('a merchant of a group', () => {
  const groups = [{ ...SHOPS, ...WEEKLY, ...MONTHLY }];

  it('gets statements without a mail if it has none of that kind itself', async () => {
    for (const one of [ONE, TWO]) {
      sealDays(one, datesOf(WEEK));
      sealDays(one, datesOf('2026-11'));
    }
    const merchants = [{ ...ONE, statements: WEEKLY }, TWO];
    const { names } = looksAt(bucket, { merchants, groups });
    expect(await names(DUE)).toEqual(['700001 2026-W47', '700002 2026-W47 (no mail)']);
    const both = ['700001 2026-11 (no mail)', '700002 2026-11 (no mail)'];
    expect(await names('2026-12-01T06:00:00Z')).toEqual(both);
  });

  it("gets them at the group's time on its own clock", async () => {
    const merchants = [{ ...ONE, timeZone: 'America/New_York' }];
    for (const day of datesOf(WEEK)) bucket.sealDay('700001', day, Date.parse(`${day}T11:00:00Z`) + DAY);
    const { names } = looksAt(bucket, { merchants, groups });
    expect(await names(DUE)).toEqual([]);
    expect(await names('2026-11-22T13:00:00Z')).toEqual(['700001 2026-W47 (no mail)']);
  });
});

describe("a group's week", () => {
  const groups = [{ ...SHOPS, ...WEEKLY }];
  const { names } = looksAt(bucket, { merchants: [ONE, TWO], groups });

  beforeEach(() => {
    for (const one of [ONE, TWO]) sealDays(one, datesOf(WEEK));
  });

  it('is due when the last of its merchants has its statement, and once', async () => {
    bucket.issue(ONE, WEEK, DUE, datesOf(WEEK));
    expect(await names('2026-11-22T05:15:00Z')).toEqual(['700002 2026-W47 (no mail)']);
    bucket.issue(TWO, WEEK, '2026-11-22T05:15:00Z', datesOf(WEEK));
    expect(await names('2026-11-22T05:30:00Z')).toEqual(['shops 2026-W47']);
    bucket.seal({ group: 'shops' }, WEEK, Date.parse('2026-11-22T05:31:00Z'));
    expect(await names('2026-11-22T05:45:00Z')).toEqual(['shops 2026-W47']);
    bucket.mail({ group: 'shops' }, WEEK, Date.parse('2026-11-22T05:46:00Z'));
    bucket.issue(ONE, WEEK, '2026-11-22T09:00:00Z');
    expect(await names('2026-11-22T10:00:00Z')).toEqual([]);
  });

  it('is due without merchants that have none when its deadline is over', async () => {
    bucket.sealedDays.splice(0, bucket.sealedDays.length);
    bucket.issue(ONE, WEEK, DUE, datesOf(WEEK));
    expect(await names('2026-11-22T16:45:00Z')).toEqual([]);
    expect(await names(DEADLINE)).toEqual(['shops 2026-W47']);
  });

  it('waits for statements that are issued at its deadline, for an hour at most', async () => {
    bucket.sealedDays.splice(0, 1);
    bucket.issue(TWO, WEEK, DUE, datesOf(WEEK));
    expect(await names(DEADLINE)).toEqual(['700001 2026-W47 (no mail)']);
    expect(await names('2026-11-22T17:45:00Z')).toEqual(['700001 2026-W47 (no mail)']);
    expect(await names('2026-11-22T18:00:00Z')).toEqual(['700001 2026-W47 (no mail)', 'shops 2026-W47']);
  });

  it('is not due when nobody has a statement, and does not expect who begins later', async () => {
    bucket.sealedDays.splice(0, bucket.sealedDays.length);
    expect(await names('2026-11-22T20:00:00Z')).toEqual([]);
    bucket.issue(ONE, WEEK, DUE, datesOf(WEEK));
    const later = looksAt(bucket, { merchants: [ONE, { ...TWO, reportFrom: '2026-11-22' }], groups });
    expect(await later.names('2026-11-22T05:15:00Z')).toEqual(['shops 2026-W47']);
  });

  it('is not planned with some merchants only', async () => {
    for (const one of [ONE, TWO]) bucket.issue(one, WEEK, DUE, datesOf(WEEK));
    expect(await names('2026-11-22T05:15:00Z', { withPages: false })).toEqual([]);
  });
});

describe("a group's day", () => {
  const merchants = [ONE, { ...TWO, reportAt: '10:00' }];
  const DATE = '2026-11-20';
  const { look, names } = looksAt(bucket, { merchants, groups: [DAILY] });

  it('is looked at from the first report of its merchants on', async () => {
    await look('2026-11-21T02:45:00Z');
    expect(bucket.asked).not.toContain(`statements ${DATE}`);
    await look('2026-11-21T03:00:00Z');
    expect(bucket.asked).toContain(`statements ${DATE}`);
  });

  it('is due when the last of its merchants is sealed', async () => {
    sealDays(ONE, [DATE]);
    expect(await names('2026-11-21T03:15:00Z')).toEqual([]);
    sealDays(TWO, [DATE]);
    expect(await names('2026-11-21T03:30:00Z')).toEqual(['shops 2026-11-20']);
    bucket.issue({ group: 'shops' }, DATE, '2026-11-21T03:31:00Z');
    expect((await look('2026-11-21T03:45:00Z')).items).toEqual([]);
    expect(bucket.asked).not.toContain(`days ${DATE}`);
  });

  it('is due at the deadline after the last report, without who is missing', async () => {
    sealDays(ONE, [DATE]);
    expect(await names('2026-11-21T18:45:00Z')).toEqual([]);
    expect(await names('2026-11-21T19:00:00Z')).toEqual(['shops 2026-11-20']);
    expect(await names('2026-11-22T18:45:00Z')).toEqual(['shops 2026-11-20']);
    expect(await names('2026-11-22T19:00:00Z')).toEqual([]);
  });

  it("is not due before it is over in the group's zone", async () => {
    const far = looksAt(bucket, { merchants, groups: [{ ...DAILY, timeZone: 'America/New_York' }] });
    for (const one of [ONE, TWO]) sealDays(one, [DATE]);
    expect(await far.names('2026-11-21T04:45:00Z')).toEqual([]);
    expect(await far.names('2026-11-21T05:00:00Z')).toEqual(['shops 2026-11-20']);
  });
});

/*
 * A preview seals a page and writes no ledger, as a run that dies between the two. It may be made before the days are there.
 */

const OF_SHOPS = { group: 'shops' };

describe("a merchant's statement of which a preview went out", () => {
  const { names } = ofOne(WEEKLY);

  it('waits for its days as if nothing were sealed, and goes out without them at the deadline', async () => {
    sealDays(ONE, datesOf(WEEK).slice(1));
    bucket.seal(ONE, WEEK, Date.parse(DUE) - HOUR);
    expect(await names(DUE)).toEqual([]);
    expect(await names('2026-11-22T16:45:00Z')).toEqual([]);
    expect(await names(DEADLINE)).toEqual(['700001 2026-W47']);
    bucket.sealDay('700001', '2026-11-15', Date.parse(DUE) + HOUR);
    expect(await names('2026-11-22T06:15:00Z')).toEqual(['700001 2026-W47']);
  });
});

describe('a page that a preview sealed weeks before it is due', () => {
  const late = { monthly: { onDay: 28, at: '09:00' } };
  const PREVIEWED = Date.parse('2026-11-02T06:00:00Z');
  const TICK = '2026-11-28T06:00:00Z';

  it("goes out in its time, as the merchant's statement", async () => {
    sealDays(ONE, datesOf('2026-10'));
    bucket.seal(ONE, '2026-10', PREVIEWED);
    const { names } = ofOne(late);
    expect(await names('2026-11-28T05:45:00Z')).toEqual([]);
    expect(await names(TICK)).toEqual(['700001 2026-10']);
    bucket.mail(ONE, '2026-10', Date.parse(TICK));
    expect(await names('2026-11-28T06:15:00Z')).toEqual([]);
  });

  it("goes out in its time, as the group's page", async () => {
    const { names } = looksAt(bucket, { merchants: [ONE], groups: [{ ...SHOPS, ...late }] });
    bucket.issue(ONE, '2026-10', '2026-11-02T06:00:00Z');
    bucket.seal(OF_SHOPS, '2026-10', PREVIEWED);
    expect(await names(TICK)).toEqual(['shops 2026-10']);
    bucket.mail(OF_SHOPS, '2026-10', Date.parse(TICK));
    expect(await names('2026-11-28T06:15:00Z')).toEqual([]);
  });

  it('does not go out again when its ledger is kept no longer', async () => {
    sealDays(ONE, datesOf('2026-10'));
    bucket.seal(ONE, '2026-10', PREVIEWED);
    const { names } = ofOne(late);
    expect(await names('2026-12-08T06:00:00Z')).toEqual([]);
  });
});

describe('a preview of an old period', () => {
  const TICK = '2026-12-03T06:00:00Z';

  it("does not bring the merchant's statement, which is not issued any more", async () => {
    const { names } = ofOne(MONTHLY);
    bucket.seal(ONE, '2026-10', Date.parse(TICK) - HOUR, [{ day: '2026-10-01', revision: 1 }]);
    sealDays(ONE, datesOf('2026-10'));
    expect(await names(TICK)).toEqual([]);
    // A correction of a statement that was mailed is made up for.
    bucket.mail(ONE, '2026-10', Date.parse(TICK) - HOUR);
    bucket.seal(ONE, '2026-10', Date.parse(TICK) - HOUR, [{ day: '2026-10-01', revision: 1 }]);
    expect(await names(TICK)).toEqual(['700001 2026-10']);
  });

  it("does not bring the group's page", async () => {
    const { names } = looksAt(bucket, { merchants: [ONE], groups: [{ ...SHOPS, ...MONTHLY }] });
    bucket.issue(ONE, '2026-10', '2026-11-01T06:00:00Z');
    bucket.seal(OF_SHOPS, '2026-10', Date.parse(TICK) - HOUR);
    expect(await names(TICK)).toEqual([]);
  });
});

describe("a group's page of which a preview went out", () => {
  it('of a day waits for the other merchants until the deadline', async () => {
    const merchants = [ONE, { ...TWO, reportAt: '10:00' }];
    const { names } = looksAt(bucket, { merchants, groups: [DAILY] });
    sealDays(ONE, ['2026-11-20']);
    bucket.seal(OF_SHOPS, '2026-11-20', Date.parse('2026-11-21T04:00:00Z'));
    expect(await names('2026-11-21T04:15:00Z')).toEqual([]);
    expect(await names('2026-11-21T18:45:00Z')).toEqual([]);
    expect(await names('2026-11-21T19:00:00Z')).toEqual(['shops 2026-11-20']);
    sealDays(TWO, ['2026-11-20']);
    expect(await names('2026-11-21T07:15:00Z')).toEqual(['shops 2026-11-20']);
  });

  it('of a week waits for the other statements until the deadline', async () => {
    const { names } = looksAt(bucket, { merchants: [ONE, TWO], groups: [{ ...SHOPS, ...WEEKLY }] });
    bucket.issue(ONE, WEEK, DUE);
    bucket.seal(OF_SHOPS, WEEK, Date.parse(DUE) + HOUR);
    expect(await names('2026-11-22T06:15:00Z')).toEqual([]);
    expect(await names(DEADLINE)).toEqual(['shops 2026-W47']);
    bucket.seal(TWO, WEEK, Date.parse(DUE) + 2 * HOUR);
    bucket.mail(TWO, WEEK, Date.parse(DUE) + 2 * HOUR);
    expect(await names('2026-11-22T07:15:00Z')).toEqual(['shops 2026-W47']);
  });
});
