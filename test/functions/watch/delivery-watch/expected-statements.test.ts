import { WEEKDAYS } from '#records/day/business-day.ts';
import type { Registry } from '#registry/registry.ts';
import { ownerPart } from '#records/storage/keys.ts';
import { expectedStatements, newestDueDay, reportClock } from '#watch/delivery-watch/expected-pages.ts';
import { fc, forAll } from '#support/assertions/index.ts';
import { registryOf as registryWith } from '#support/plan/running-plan.ts';
import {
  badnessOf,
  NOT_SEALED,
  NOTHING_SEALED,
  troubleOf,
  type Delivery,
} from '#watch/delivery-watch/delivery.ts';
import {
  isWellAgain,
  isWorseThanNotified,
  mayStillCome,
  nothingNotified,
  withAllClear,
  withNotified,
  type Watched,
} from '#watch/delivery-watch/notified.ts';
import { watchNotice } from '#watch/delivery-watch/watch-notice.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MONTHLY = { monthly: { onDay: 1, at: '09:00' } };
/** The statement of November is due at 9:00 in Kuwait, and waits for twelve hours. The watch waits for one more. */
const DEADLINE = Date.parse('2026-12-01T19:00:00Z');

const registryOf = (merchants: object[], groups: object[] = [], defaults = {}) =>
  registryWith(merchants, { groups, defaults });

const merchant = (code: number, settings: object = {}) => ({
  merchantCode: `${code}`,
  recipients: [`owner-${code}@merchants.example`],
  ...settings,
});
const group = (name: string, settings: object = {}) => ({
  name,
  merchants: 'all',
  recipients: ['boss@group.example'],
  ...settings,
});

/** The expected statements as short texts; those of the last day with a star. */
function names(registry: Registry, now: number): string[] {
  return expectedStatements(registry, { now, margin: HOUR }).statements.map(
    ({ owner, period, isRecent }) => `${ownerPart(owner)} ${period}${isRecent ? '*' : ''}`,
  );
}

describe('a merchant’s statement', () => {
  const registry = registryOf([merchant(700_001, { statements: MONTHLY }), merchant(700_002)]);

  it('is expected when the time to wait for days and the watch’s own hour are over', () => {
    expect(names(registry, DEADLINE - 1)).toEqual(['merchant=700001 2026-10']);
    expect(names(registry, DEADLINE)).toEqual(['merchant=700001 2026-11*', 'merchant=700001 2026-10']);
  });

  it('is recent for a day, and expected until it is not corrected any more', () => {
    const closed = Date.parse('2027-01-15T06:00:00Z');
    expect(names(registry, DEADLINE + DAY - 1)).toContain('merchant=700001 2026-11*');
    expect(names(registry, DEADLINE + DAY)).toContain('merchant=700001 2026-11');
    expect(names(registry, closed - 1)).toContain('merchant=700001 2026-11');
    expect(names(registry, closed)).not.toContain('merchant=700001 2026-11');
  });

  it('is expected for a day, even if it is never corrected', () => {
    const short = registryOf([merchant(1, { statements: { ...MONTHLY, waitFor: '12h', correctFor: '1h' } })]);
    expect(names(short, DEADLINE - 1)).toEqual([]);
    expect(names(short, DEADLINE)).toEqual(['merchant=1 2026-11*']);
    // It is still made while it is the newest.
    expect(names(short, DEADLINE + DAY)).toEqual(['merchant=1 2026-11']);
    expect(names(short, DEADLINE + 31 * DAY)).toEqual(['merchant=1 2026-12*']);
  });

  it('is not expected of a period before the merchant’s reportFrom', () => {
    const from = (reportFrom: string) =>
      names(registryOf([merchant(1, { statements: MONTHLY, reportFrom })]), DEADLINE);
    expect(from('2026-12-01')).toEqual([]);
    expect(from('2026-11-30')).toEqual(['merchant=1 2026-11*']);
    expect(from('2026-10-31')).toHaveLength(2);
  });

  it('is not expected for an entry that cannot be used: its report is missing already', () => {
    const unusable = registryOf([merchant(1, { statements: MONTHLY, recipients: 'nobody' })]);
    expect(names(unusable, DEADLINE)).toEqual([]);
  });
});

describe('a group’s page', () => {
  const two = [merchant(1), merchant(2, { timeZone: 'Europe/London', weekStart: 'monday' })];

  it('of a day is expected after the last of its merchants’ reports, and the time to wait', () => {
    const registry = registryOf(two, [group('shops', { daily: true, waitFor: '2h' })]);
    // 6:00 in London, then two hours and one.
    const due = Date.parse('2026-11-21T09:00:00Z');
    expect(names(registry, due - 1)[0]).toBe('group=shops 2026-11-19*');
    expect(names(registry, due).slice(0, 2)).toEqual(['group=shops 2026-11-20*', 'group=shops 2026-11-19']);
  });

  it('is not expected of a period before the reportFrom of each of its merchants', () => {
    const pages = [group('shops', { daily: true, monthly: { onDay: 1, at: '09:00' } })];
    const at = (...begins: string[]) => {
      const merchants = begins.map((reportFrom, index) => merchant(index + 1, { reportFrom }));
      return names(registryOf(merchants, pages), DEADLINE);
    };
    expect(at('2026-12-01', '2026-12-02')).toEqual([]);
    expect(at('2026-11-29', '2026-12-02')).toEqual([
      'group=shops 2026-11-30*',
      'group=shops 2026-11-29',
      'group=shops 2026-11*',
    ]);
  });

  it('of a week is expected when the week is over for each of its merchants', () => {
    const registry = registryOf(two, [group('shops', { weekly: { on: 'monday', at: '08:00' } })]);
    const at = (now: string) => names(registry, Date.parse(now))[0];
    // The second merchant's week ends on Sunday, the 22nd.
    expect(at('2026-11-23T17:59:59Z')).toBe('group=shops 2026-W46');
    expect(at('2026-11-23T18:00:00Z')).toBe('group=shops 2026-W47*');
  });

  it('has the codes of its merchants, and none is expected of a group without a usable one', () => {
    const registry = registryOf(
      [...two, merchant(3, { recipients: 'nobody' })],
      [group('all', MONTHLY), group('none', { ...MONTHLY, merchants: { prefix: '9' } })],
    );
    const { statements, owners } = expectedStatements(registry, { now: DEADLINE, margin: HOUR });
    expect(statements.map(({ owner, period }) => [ownerPart(owner), period])).toEqual([
      ['group=all', '2026-11'],
      ['group=all', '2026-10'],
    ]);
    expect(statements[0]?.members).toEqual(['1', '2', '3']);
    expect([...owners]).toEqual(['group=all']);
  });
});

it('nothing is expected twice, or before its period is over in the earliest zone', () => {
  const zone = fc.constantFrom('Pacific/Kiritimati', 'Asia/Kuwait', 'America/Los_Angeles');
  const statements = fc.record({
    weekly: fc.record({ on: fc.constantFrom(...WEEKDAYS), at: fc.constantFrom('00:00', '23:59') }),
    monthly: fc.record({ onDay: fc.integer({ min: 1, max: 28 }), at: fc.constantFrom('00:00', '23:59') }),
    waitFor: fc.constantFrom('1h', '12h', '7d'),
    correctFor: fc.constantFrom('1h', '45d'),
  });
  const settings = fc.record({ timeZone: zone, weekStart: fc.constantFrom(...WEEKDAYS), statements });
  forAll([fc.array(settings, { maxLength: 3 }), fc.nat(9_000)], (list, hours) => {
    const now = DEADLINE + hours * HOUR;
    const groups = [group('shops', { daily: true, weekly: { on: 'sunday', at: '08:00' }, ...MONTHLY })];
    const merchants = list.map((each, index) => merchant(index, each));
    const found = expectedStatements(registryOf(merchants, groups), { now, margin: HOUR }).statements;
    const keys = found.map(({ owner, period }) => `${ownerPart(owner)} ${period}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { to } of found) expect(Date.parse(to) + 10 * HOUR).toBeLessThan(now);
  });
});

it('ten thousand merchants and a hundred groups with all of them take few seconds', () => {
  const merchants = Array.from({ length: 10_000 }, (_, index) => merchant(700_000 + index));
  const weekly = { weekly: { on: 'sunday', at: '08:00' } };
  const groups = Array.from({ length: 100 }, (_, index) => group(`g${index}`, { daily: true, ...weekly }));
  const registry = registryOf(merchants, groups, { statements: { ...MONTHLY, ...weekly } });
  const before = process.cpuUsage();
  const { statements } = expectedStatements(registry, { now: DEADLINE, margin: HOUR });
  const { user } = process.cpuUsage(before);
  expect(statements.filter(({ isRecent }) => isRecent)).toHaveLength(10_000 + 100);
  expect(user / 1_000).toBeLessThan(10_000);
});

type State = Pick<Delivery, 'missing' | 'isGood'>;

const KINDS = {
  reports: {
    period: '2026-11-20',
    owners: [{ merchantCode: 'a' }, { merchantCode: 'b' }, { merchantCode: 'constructor' }],
    reasons: ['no run', 'pull failed: LoginRefusedError', 'mail not sent', 'mail held', 'bounced'],
    // A report that is not balanced is missing, too.
    needsLook: { missing: 'unbalanced', isGood: false },
    /** The least badness that counts as missing. */
    missingFrom: 1,
  },
  statements: {
    period: '2026-11',
    owners: [{ merchantCode: 'a' }, { group: 'a' }, { merchantCode: 'constructor' }],
    reasons: [NOT_SEALED, NOTHING_SEALED, 'mail not sent', 'mail held', 'bounced'],
    needsLook: { missing: null, isGood: false },
    missingFrom: 2,
  },
} as const;

const WELL: State = { missing: null, isGood: true };
const everybody = () => true;
const missing = (reason: string): State => ({ missing: reason, isGood: true });

/** What one run finds, of one owner after another; the others are well. */
function looks(of: Watched, ...states: State[]): Delivery[] {
  const { owners, period } = KINDS[of];
  return owners.map((owner, index) => ({
    owner,
    period,
    revision: 1,
    isDue: true,
    mail: 'accepted',
    counts: true,
    ...(states[index] ?? WELL),
  }));
}

/** The notices to ops in a sequence of runs. */
function heard(of: Watched, runs: readonly (readonly Delivery[])[]): ('trouble' | 'all clear' | null)[] {
  let told = nothingNotified(of, KINDS[of].period);
  return runs.map((looked) => {
    if (isWorseThanNotified(told, looked)) {
      told = withNotified(told, looked, ['topic']);
      return 'trouble';
    }
    if (!isWellAgain(told, looked, everybody)) return null;
    told = withAllClear(told);
    return 'all clear';
  });
}

describe.each(['reports', 'statements'] as const)('what ops know of %s', (of) => {
  const { period, reasons, needsLook, missingFrom } = KINDS[of];
  const state = fc.constantFrom<State>(WELL, needsLook, ...reasons.map(missing));
  const found = fc.tuple(state, state, state).map((states) => looks(of, ...states));

  it('makes a notice whenever something is worse than all earlier notices, and then one all-clear', () =>
    forAll([fc.array(found, { maxLength: 12 })], (runs) => {
      // The same rule in another form: it keeps every trouble since it was last told or all was clear.
      let since: Delivery[] = [];
      const badness = (one: Delivery) => {
        const trouble = troubleOf(one);
        return trouble === null ? 0 : badnessOf(trouble);
      };
      const expected = runs.map((looked) => {
        const worst = (owner: object) =>
          Math.max(0, ...since.flatMap((one) => (one.owner === owner ? [badness(one)] : [])));
        if (looked.some((one) => badness(one) > worst(one.owner))) {
          since.push(...looked);
          return 'trouble';
        }
        if (looked.some((one) => one.missing !== null)) return null;
        if (!since.some((one) => worst(one.owner) >= missingFrom)) return null;
        // What ops know to be provisional only stays known.
        since = since.filter((one) => worst(one.owner) > 0 && worst(one.owner) < missingFrom);
        return 'all clear';
      });
      expect(heard(of, runs)).toEqual(expected);
    }));

  it('leaves out what does not count, is not due, or is of another period', () => {
    const held = looks(of, missing('mail held'));
    const other = (members: Partial<Delivery>) => held.map((one) => ({ ...one, ...members }));
    const runs = [other({ counts: false }), other({ isDue: false }), other({ period: '2026-10' })];
    expect(heard(of, runs)).toEqual([null, null, null]);
  });

  it('is not all well while somebody in trouble was not looked at, unless no page of it is expected any more', () => {
    const told = withNotified(nothingNotified(of, period), looks(of, missing('mail not sent')), []);
    const [, other] = looks(of);
    const looked = other === undefined ? [] : [other];
    expect(isWellAgain(told, looked, everybody)).toBe(false);
    expect(isWellAgain(told, looked, () => false)).toBe(true);
  });
});

it.each([
  ['reports', ['report', 'a', '--day', '2026-11-20']],
  ['statements', ['statement', 'a', '--period', '2026-11']],
] as const)('a notice of %s ends with the command that its advice means', (of, again) => {
  const { toDo, commands } = watchNotice(of, looks(of, missing('mail held')), []);
  expect(toDo.join()).toContain('send it again');
  expect(commands.at(-1)).toMatchObject({ words: [...again, '--resend', '--failed'] });
});

it('a merchant and a group of the same name are told apart', () => {
  const late = missing(NOT_SEALED);
  const told = withNotified(nothingNotified('statements', '2026-11'), looks('statements', late), []);
  expect([...told.told]).toEqual([['merchant=a', 2]]);
  expect(isWorseThanNotified(told, looks('statements', WELL, late))).toBe(true);
});

it('those of which nothing was sealed do not come any more, and do not hold up the all-clear', () => {
  const both = looks('statements', missing(NOT_SEALED), missing(NOTHING_SEALED));
  const told = withNotified(nothingNotified('statements', '2026-11'), both, []);
  expect([...mayStillCome(told)]).toEqual(['merchant=a']);
  const [first] = looks('statements');
  expect(isWellAgain(told, first === undefined ? [] : [first], everybody)).toBe(true);
  expect(isWellAgain(told, both, everybody)).toBe(false);
});

describe('reportClock', () => {
  const defaults = { timeZone: 'Asia/Dubai', reportAt: '25:00', reportFrom: '2026-11-01' };

  it.each<[string, unknown, object]>([
    [
      'the merchant’s own values if they are usable',
      { timeZone: 'Asia/Kolkata', reportAt: '07:15' },
      { timeZone: 'Asia/Kolkata', reportAt: '07:15' },
    ],
    [
      'the registry’s defaults if they are not',
      { timeZone: 'Nowhere', reportFrom: 7 },
      { timeZone: 'Asia/Dubai', reportFrom: '2026-11-01' },
    ],
    ['the product’s defaults if neither is usable', { reportAt: 'noon' }, { reportAt: '06:00' }],
    ['the defaults for a value that is not an entry', 'x', { timeZone: 'Asia/Dubai', reportAt: '06:00' }],
    ['the defaults if there is no entry', undefined, { timeZone: 'Asia/Dubai', reportAt: '06:00' }],
  ])('uses %s', (_what, entry, clock) => {
    expect(reportClock({ defaults }, entry)).toMatchObject(clock);
  });

  it('uses the product’s default where the registry says nothing', () => {
    expect(reportClock({ defaults: {} }, {})).toEqual({
      timeZone: 'Asia/Kuwait',
      reportAt: '06:00',
      reportFrom: undefined,
    });
  });
});

it.each([
  ['Asia/Kuwait', '06:00', '2026-11-21T02:59:59.999Z', '2026-11-19'],
  ['Asia/Kuwait', '06:00', '2026-11-21T03:00:00.000Z', '2026-11-20'],
  ['Asia/Kolkata', '06:00', '2026-11-21T00:30:00.000Z', '2026-11-20'],
  ['Asia/Kathmandu', '06:00', '2026-11-21T00:14:59.999Z', '2026-11-19'],
  ['Asia/Kathmandu', '06:00', '2026-11-21T00:15:00.000Z', '2026-11-20'],
  ['Pacific/Kiritimati', '00:00', '2026-11-20T10:00:00.000Z', '2026-11-20'],
  ['Pacific/Pago_Pago', '23:45', '2026-11-22T10:45:00.000Z', '2026-11-20'],
  // 02:30 is skipped in that night and counts as 03:30.
  ['Europe/Berlin', '02:30', '2026-03-29T01:29:59.999Z', '2026-03-27'],
  ['Europe/Berlin', '02:30', '2026-03-29T01:30:00.000Z', '2026-03-28'],
  // This time comes twice in that night and counts the first time.
  ['Europe/Berlin', '02:30', '2026-10-25T00:30:00.000Z', '2026-10-24'],
  // The zone skipped 30 December.
  ['Pacific/Apia', '06:00', '2011-12-31T15:00:00.000Z', '2011-12-30'],
  ['Pacific/Apia', '06:00', '2011-12-30T16:00:00.000Z', '2011-12-30'],
])('newestDueDay in %s at %s is, at %s, %s', (timeZone, reportAt, at, day) => {
  expect(newestDueDay({ timeZone, reportAt, reportFrom: undefined }, Date.parse(at))).toBe(day);
});
