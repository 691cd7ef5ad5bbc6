import { daysOf, periodDays } from '#records/period/period.ts';
import { ListedBucket, looksAt } from '#support/plan/running-plan.ts';

/*
 * A preview seals a page and writes no ledger, as a run that dies between the two. It may be made before the days are there.
 */

const WEEKLY = { weekly: { on: 'sunday', at: '08:00' } };
const WEEK = '2026-W47';
const DUE = '2026-11-22T05:00:00Z';
const DEADLINE = '2026-11-22T17:00:00Z';
const [ONE, TWO] = [{ merchantCode: '700001' }, { merchantCode: '700002' }];
const SHOPS = { group: 'shops' };
const RECIPIENTS = ['boss@example.com'];
const HOUR = 60 * 60_000;

let bucket: ListedBucket;
beforeEach(() => {
  bucket = new ListedBucket();
});

const sealDays = ({ merchantCode }: { merchantCode: string }, days: readonly string[]) =>
  bucket.sealDays(merchantCode, days);

const DAYS = daysOf(periodDays(WEEK, 'sunday'));

describe("a merchant's statement of which a preview went out", () => {
  const look = () => looksAt(bucket, { merchants: [{ ...ONE, statements: WEEKLY }] });

  it('waits for its days as if nothing were sealed, and goes out without them at the deadline', async () => {
    sealDays(ONE, DAYS.slice(1));
    bucket.seal(ONE, WEEK, Date.parse(DUE) - HOUR);
    expect(await look().names(DUE)).toEqual([]);
    expect(await look().names('2026-11-22T16:45:00Z')).toEqual([]);
    expect(await look().names(DEADLINE)).toEqual(['700001 2026-W47']);
    bucket.sealDay('700001', '2026-11-15', Date.parse(DUE) + HOUR);
    expect(await look().names('2026-11-22T06:15:00Z')).toEqual(['700001 2026-W47']);
  });
});

describe('a page that a preview sealed weeks before it is due', () => {
  const late = { monthly: { onDay: 28, at: '09:00' } };
  const PREVIEWED = Date.parse('2026-11-02T06:00:00Z');
  const TICK = '2026-11-28T06:00:00Z';

  it("goes out in its time, as the merchant's statement", async () => {
    sealDays(ONE, daysOf(periodDays('2026-10', 'sunday')));
    bucket.seal(ONE, '2026-10', PREVIEWED);
    const { names } = looksAt(bucket, { merchants: [{ ...ONE, statements: late }] });
    expect(await names('2026-11-28T05:45:00Z')).toEqual([]);
    expect(await names(TICK)).toEqual(['700001 2026-10']);
    bucket.mail(ONE, '2026-10', Date.parse(TICK));
    expect(await names('2026-11-28T06:15:00Z')).toEqual([]);
  });

  it("goes out in its time, as the group's page", async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: RECIPIENTS, ...late }];
    const { names } = looksAt(bucket, { merchants: [ONE], groups });
    bucket.issue(ONE, '2026-10', '2026-11-02T06:00:00Z');
    bucket.seal(SHOPS, '2026-10', PREVIEWED);
    expect(await names(TICK)).toEqual(['shops 2026-10']);
    bucket.mail(SHOPS, '2026-10', Date.parse(TICK));
    expect(await names('2026-11-28T06:15:00Z')).toEqual([]);
  });

  it('does not go out again when its ledger is kept no longer', async () => {
    sealDays(ONE, daysOf(periodDays('2026-10', 'sunday')));
    bucket.seal(ONE, '2026-10', PREVIEWED);
    const { names } = looksAt(bucket, { merchants: [{ ...ONE, statements: late }] });
    expect(await names('2026-12-08T06:00:00Z')).toEqual([]);
  });
});

describe('a preview of an old period', () => {
  const monthly = { monthly: { onDay: 1, at: '09:00' } };
  const TICK = '2026-12-03T06:00:00Z';

  it("does not bring the merchant's statement, which is not issued any more", async () => {
    const { names } = looksAt(bucket, { merchants: [{ ...ONE, statements: monthly }] });
    bucket.seal(ONE, '2026-10', Date.parse(TICK) - HOUR, [{ day: '2026-10-01', revision: 1 }]);
    sealDays(ONE, daysOf(periodDays('2026-10', 'sunday')));
    expect(await names(TICK)).toEqual([]);
    // A correction of a statement that was mailed is made up for.
    bucket.mail(ONE, '2026-10', Date.parse(TICK) - HOUR);
    bucket.seal(ONE, '2026-10', Date.parse(TICK) - HOUR, [{ day: '2026-10-01', revision: 1 }]);
    expect(await names(TICK)).toEqual(['700001 2026-10']);
  });

  it("does not bring the group's page", async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: RECIPIENTS, ...monthly }];
    const { names } = looksAt(bucket, { merchants: [ONE], groups });
    bucket.issue(ONE, '2026-10', '2026-11-01T06:00:00Z');
    bucket.seal(SHOPS, '2026-10', Date.parse(TICK) - HOUR);
    expect(await names(TICK)).toEqual([]);
  });
});

describe("a group's page of which a preview went out", () => {
  it('of a day waits for the other merchants until the deadline', async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: RECIPIENTS, daily: true }];
    const look = () => looksAt(bucket, { merchants: [ONE, { ...TWO, reportAt: '10:00' }], groups });
    sealDays(ONE, ['2026-11-20']);
    bucket.seal(SHOPS, '2026-11-20', Date.parse('2026-11-21T04:00:00Z'));
    expect(await look().names('2026-11-21T04:15:00Z')).toEqual([]);
    expect(await look().names('2026-11-21T18:45:00Z')).toEqual([]);
    expect(await look().names('2026-11-21T19:00:00Z')).toEqual(['shops 2026-11-20']);
    sealDays(TWO, ['2026-11-20']);
    expect(await look().names('2026-11-21T07:15:00Z')).toEqual(['shops 2026-11-20']);
  });

  it('of a week waits for the other statements until the deadline', async () => {
    const groups = [{ name: 'shops', merchants: 'all', recipients: RECIPIENTS, ...WEEKLY }];
    const look = () => looksAt(bucket, { merchants: [ONE, TWO], groups });
    bucket.issue(ONE, WEEK, DUE);
    bucket.seal(SHOPS, WEEK, Date.parse(DUE) + HOUR);
    expect(await look().names('2026-11-22T06:15:00Z')).toEqual([]);
    expect(await look().names(DEADLINE)).toEqual(['shops 2026-W47']);
    bucket.seal(TWO, WEEK, Date.parse(DUE) + 2 * HOUR);
    bucket.mail(TWO, WEEK, Date.parse(DUE) + 2 * HOUR);
    expect(await look().names('2026-11-22T07:15:00Z')).toEqual(['shops 2026-W47']);
  });
});
