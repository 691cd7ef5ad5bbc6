import { againstUsual, needsOf, shareOf, valueOf, type Readings } from '#alerts/rules/measures.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import { MEASURES, readRules } from '#registry/alert-rules.ts';
import { NOTHING_KNOWN, rulesOf, checkedAt, unpaid, type WrittenRule } from '#support/alerts/rule-script.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';
import { type AlertState, alertStateSchema } from '#records/ledger/alert-state.ts';
import type { RuleFinding } from '#alerts/rules/check-rules.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const COUNTS: Counts = { total: 428, paid: 301, notPaid: 96, cancelled: 31, other: 0 };
const NO_COUNTS: Counts = { total: null, paid: null, notPaid: null, cancelled: null, other: null };
const EMPTY: Counts = { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 };
const AMOUNTS = { paid: 1_000_000n, unpaid: 143_500n };
const REFUNDS = { count: 12, total: 143_500n, largest: 99_999n };
const usual = (amount: bigint, sum: bigint, days: number) =>
  againstUsual({ day: '2026-11-20', by: '14:00', currency: 'KWD' }, amount, { sum, days });
const USUAL = usual(12_500n, 91_464n, 3);
const NO_REFUNDS = { count: 0, total: 0n, largest: 0n };

const ruleOf = (measure: string, parameters: object = {}) =>
  defined(rulesOf({ name: 'r', measure, above: '1', ...parameters })[0]);

function figureOf(measure: string, readings: Partial<Readings>, parameters?: object): string | null {
  const known = { ...NOTHING_KNOWN, now: NOW, today: '2026-11-20', ...readings };
  const value = valueOf(ruleOf(measure, parameters), known);
  return value === null ? null : formatAmount(value);
}

const ALL_KNOWN: Partial<Readings> = {
  ...{ counts: COUNTS, amounts: AMOUNTS, refunds: REFUNDS, expiring: [], lastSealedAt: NOW },
  usual: { shareOfUsualSoFar: USUAL, shareOfUsualDay: USUAL },
};
const NEEDED_MEMBER = {
  counts: 'counts',
  amounts: 'amounts',
  refunds: 'refunds',
  expiring: 'expiring',
  lastSealed: 'lastSealedAt',
  usualSoFar: 'usual',
  usualDay: 'usual',
} as const;

describe('measures', () => {
  it.each<[string, Partial<Readings>, string | null]>([
    ['invoiceCount', { counts: COUNTS }, '428.000'],
    ['invoiceCount', { counts: EMPTY }, '0.000'],
    ['invoiceCount', { counts: { ...COUNTS, total: null } }, null],
    ['unpaidCount', { counts: COUNTS }, '96.000'],
    ['unpaidCount', { counts: { ...NO_COUNTS, notPaid: 96 } }, '96.000'],
    ['unpaidCount', { counts: { ...COUNTS, notPaid: null } }, null],
    ['unpaidShare', { counts: COUNTS }, '22.430'],
    ['unpaidShare', { counts: { ...COUNTS, total: null } }, null],
    ['unpaidShare', { counts: { ...COUNTS, notPaid: null } }, null],
    ['unpaidShare', { counts: EMPTY }, null],
    ['unpaidAmount', { amounts: AMOUNTS }, '143.500'],
    ['unpaidAmount', { counts: COUNTS }, null],
    ['cancelledCount', { counts: COUNTS }, '31.000'],
    ['cancelledCount', { counts: { ...COUNTS, cancelled: null } }, null],
    ['cancelledShare', { counts: COUNTS }, '7.243'],
    ['cancelledShare', { counts: EMPTY }, null],
    ['refundCount', { refunds: REFUNDS }, '12.000'],
    ['refundCount', { refunds: NO_REFUNDS }, '0.000'],
    ['refundTotal', { refunds: REFUNDS }, '143.500'],
    ['refundTotal', { refunds: { ...REFUNDS, total: 9_007_199_254_740_993_001n } }, '9007199254740993.001'],
    ['refundShare', { refunds: REFUNDS, amounts: AMOUNTS }, '14.350'],
    ['refundShare', { refunds: { ...REFUNDS, total: 2_500_000n }, amounts: AMOUNTS }, '250.000'],
    ['refundShare', { refunds: NO_REFUNDS, amounts: AMOUNTS }, '0.000'],
    ['refundShare', { refunds: REFUNDS, amounts: { ...AMOUNTS, paid: 0n } }, null],
    ['largestRefund', { refunds: REFUNDS }, '99.999'],
    ['largestRefund', { refunds: NO_REFUNDS }, '0.000'],
    ['reportAge', { lastSealedAt: NOW }, '0.000'],
    ['reportAge', { lastSealedAt: NOW - 3_600 }, '0.001'],
    ['reportAge', { lastSealedAt: NOW - 26.5 * 3_600_000 }, '26.500'],
    // The clock of the writer is ahead of ours.
    ['reportAge', { lastSealedAt: NOW + 5_000 }, '0.000'],
    ['shareOfUsualSoFar', { usual: { shareOfUsualSoFar: USUAL } }, '41.000'],
    ['shareOfUsualSoFar', { usual: { shareOfUsualSoFar: usual(0n, 91_464n, 3) } }, '0.000'],
    ['shareOfUsualSoFar', { usual: { shareOfUsualSoFar: usual(12_500n, 91_464n, 1) } }, null],
    ['shareOfUsualSoFar', { usual: { shareOfUsualSoFar: usual(12_500n, 0n, 3) } }, null],
    ['shareOfUsualDay', { usual: { shareOfUsualDay: usual(12_500n, 1n, 2) } }, '2500000.000'],
  ])('%s of %o is %j', (measure, readings, value) => {
    expect(figureOf(measure, readings)).toBe(value);
  });

  it.each(MEASURES.map(({ name }) => name))(
    '%s has a value if all that it needs is known, and no value if any of that is unknown',
    (name) => {
      const needs = [...needsOf([ruleOf(name, { withinDays: 3 })]).needs];
      const needed = Object.fromEntries(
        needs.map((need) => [NEEDED_MEMBER[need], ALL_KNOWN[NEEDED_MEMBER[need]]]),
      );
      expect(figureOf(name, needed, { withinDays: 3 })).not.toBeNull();
      for (const need of needs.map((one) => NEEDED_MEMBER[one])) {
        const lacking = { ...ALL_KNOWN, [need]: need === 'usual' ? {} : null };
        expect(figureOf(name, lacking, { withinDays: 3 })).toBeNull();
      }
    },
  );
});

it('rules say what a check must read, and nothing else', () => {
  const needs = (...measures: string[]) => {
    const rule = { above: '1', withinDays: 3, createdWithinDays: 90 };
    return needsOf(rulesOf(...measures.map((measure, index) => ({ name: `r${index}`, measure, ...rule }))));
  };
  expect(needs()).toEqual({ needs: new Set(), sealedDaysBack: 0 });
  expect(needs('unpaidCount', 'cancelledShare')).toEqual({ needs: new Set(['counts']), sealedDaysBack: 0 });
  expect(needs('refundShare')).toEqual({ needs: new Set(['refunds', 'amounts']), sealedDaysBack: 0 });
  expect(needs('reportAge', 'expiringUnpaid')).toEqual({
    needs: new Set(['lastSealed', 'expiring']),
    sealedDaysBack: 90,
  });
});

describe('expiringUnpaid', () => {
  it.each([
    ['expired yesterday', '2026-11-01', '2026-11-19', 0],
    ['expires today', '2026-11-01', '2026-11-20', 1],
    ['expires on the last day', '2026-11-01', '2026-11-23', 1],
    ['expires after the last day', '2026-11-01', '2026-11-24', 0],
    ['was created on the first day read', '2026-10-21', '2026-11-21', 1],
    ['was created before the first day read', '2026-10-20', '2026-11-21', 0],
    ['was created today', '2026-11-20', '2026-11-21', 1],
    ['was created after today', '2026-11-21', '2026-11-22', 0],
  ])('counts, within 3 days, an invoice that %s', (_, createdOn, expiresOn, count) => {
    const value = figureOf('expiringUnpaid', { expiring: [{ createdOn, expiresOn }] }, { withinDays: 3 });
    expect(value).toBe(`${count}.000`);
  });

  it('reads as many days back as its rule says', () => {
    const created = { expiring: [{ createdOn: '2026-09-25', expiresOn: '2026-11-21' }] };
    const value = (createdWithinDays: number) =>
      figureOf('expiringUnpaid', created, { withinDays: 3, createdWithinDays });
    expect([value(55), value(56)]).toEqual(['0.000', '1.000']);
  });
});

describe('shares', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 33n });

  it('are exact to half a thousandth of a percent, far beyond 2^53', () =>
    forAll([amount, fc.bigInt({ min: 1n, max: 10n ** 33n })], (part, whole) => {
      const share = defined(shareOf(part, whole));
      const twiceTheError = 2n * (share * whole - part * 100_000n);
      expect(twiceTheError <= whole && twiceTheError > -whole).toBe(true);
    }));

  it.each([
    [1n, 200_000n, 1n],
    [1n, 200_001n, 0n],
    [-1n, 200_000n, 0n],
    [-3n, 200_000n, -1n],
    [-1n, 3n, -33_333n],
    [1n, 0n, null],
    [null, 1n, null],
    [1n, null, null],
    [0n, 0n, null],
  ])(
    'of exactly half are rounded up, and of zero or an unknown value unknown: %s of %s',
    (part, whole, share) => {
      expect(shareOf(part, whole)).toBe(share);
    },
  );
});

const DAY = '2026-11-20';
const START = Date.parse(`${DAY}T09:00:00Z`);
const QUARTER = 15 * 60_000;
const RULE = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50, clearAt: 40 };

/** Checks the rule every quarter of an hour. @returns what was found each time */
function findings(written: WrittenRule, values: readonly string[]): RuleFinding[] {
  let state: AlertState | undefined;
  return values.map((value, index) => {
    const result = checkedAt(START + index * QUARTER, [written], unpaid(value), { state });
    ({ state } = result);
    return defined(result.findings[0]);
  });
}

const lastFinding = (written: WrittenRule, ...values: string[]) => defined(findings(written, values).at(-1));

describe('what a check finds about a rule', () => {
  it('has the value beside the bounds, and what the mail would say', () => {
    expect(lastFinding(RULE, '49')).toEqual({
      ...{ rule: 'too-many-unpaid', measure: 'unpaidCount', unit: 'count', severity: 'warning' },
      ...{ value: '49.000', bound: { side: 'above', at: '50.000' }, clearAt: '40.000' },
      ...{ from: 'ok', to: 'ok', says: [], silence: 'in bounds', checks: 0, forChecks: 1, usual: null },
      ...{ firingSince: null, noDataSince: null, mutedUntil: null },
      ...{ notBefore: null, announcedAt: null, repeatsAt: null },
    });
    const fires = { from: 'ok', to: 'firing', says: ['firing'], silence: null };
    expect(lastFinding(RULE, '51')).toMatchObject(fires);
    expect(lastFinding(RULE, '51', '40')).toMatchObject({ from: 'firing', to: 'ok', says: ['resolved'] });
  });

  it.each<[string, WrittenRule, string[], Partial<RuleFinding>]>([
    ['pending', { ...RULE, forChecks: 3 }, ['60', '60'], { from: 'pending', checks: 2, forChecks: 3 }],
    [
      'known',
      { ...RULE, repeatAfter: '24h' },
      ['60', '60'],
      {
        firingSince: `${DAY}T09:00:00.000Z`,
        announcedAt: `${DAY}T09:00:00.000Z`,
        repeatsAt: '2026-11-21T09:00:00.000Z',
      },
    ],
    ['known', RULE, ['60', '60'], { repeatsAt: null }],
    ['no data', RULE, ['60', 'none'], { to: 'firing', value: null, noDataSince: `${DAY}T09:15:00.000Z` }],
    [
      'waits',
      { ...RULE, notBefore: '18:00' },
      ['60'],
      { value: null, notBefore: '18:00', noDataSince: null },
    ],
    [
      'muted',
      { ...RULE, muteUntil: '2026-11-21T00:00:00Z' },
      ['60'],
      { to: 'firing', mutedUntil: '2026-11-21T00:00:00.000Z' },
    ],
    ['in bounds', { ...RULE, muteUntil: '2026-11-21T00:00:00Z' }, ['1'], { to: 'ok' }],
  ])('says nothing in a mail: %s, %j', (silence, written, values, more) => {
    expect(lastFinding(written, ...values)).toMatchObject({ says: [], silence, ...more });
  });

  it('always says either something or why it says nothing', () => {
    const values = fc.array(fc.constantFrom('none', '10', '45', '60'), { minLength: 1, maxLength: 12 });
    const rules = fc.record({
      forChecks: fc.constantFrom(1, 2),
      muteUntil: fc.constantFrom('2026-11-20T09:40:00Z', '2026-11-01T00:00:00Z'),
      repeatAfter: fc.constantFrom('15m', '24h'),
    });
    forAll([rules, values], (members, read) => {
      for (const { says, silence, to, value } of findings({ ...RULE, ...members }, read)) {
        expect(says.length === 0).toBe(silence !== null);
        if (silence === 'pending') expect(to).toBe('pending');
        if (silence === 'known') expect(to).toBe('firing');
        expect(silence === 'no data').toBe(value === null);
      }
    });
  });
});

const rule = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50, repeatAfter: '30m' };
const below = { name: 'few', measure: 'unpaidCount', below: 5, notBefore: '00:00', repeatAfter: '30m' };

/** Checks every quarter of an hour from 09:00 on, and returns the lines of the mails. */
class Checks {
  state: AlertState | undefined;
  #minutes = 0;

  lines(written: WrittenRule | readonly WrittenRule[], readings: Partial<Readings>, day = DAY): AlertLine[] {
    const tick = Date.parse(`${day}T09:00:00Z`) + this.#minutes * 60_000;
    this.#minutes += 15;
    const { state, lines } = checkedAt(tick, [written].flat(), readings, { state: this.state });
    this.state = alertStateSchema.parse(JSON.parse(JSON.stringify(state)));
    return lines;
  }

  /** What the mails say of the figures: `says began…worst`. */
  said(written: WrittenRule, value: number, day?: string): string[] {
    return this.lines(written, unpaid(String(value)), day).map(
      ({ says, course }) => `${says} ${course === null ? 'not known' : `${course.began}…${course.worst}`}`,
    );
  }
}

describe('a firing remembers', () => {
  it('what the figure was when it began, and the highest since', () => {
    const checks = new Checks();
    expect(checks.said(rule, 60)).toEqual(['firing 60.000…60.000']);
    expect(checks.said(rule, 75)).toEqual([]);
    expect(checks.said(rule, 55)).toEqual(['still firing 60.000…75.000']);
    expect(checks.said(rule, 40)).toEqual(['resolved 60.000…75.000']);
    expect(checks.said(rule, 51)).toEqual(['firing 51.000…51.000']);
  });

  it('the lowest since, when the figure must not fall', () => {
    const checks = new Checks();
    expect(checks.said(below, 4)).toEqual(['firing 4.000…4.000']);
    expect(checks.said(below, 1)).toEqual([]);
    expect(checks.said(below, 3)).toEqual(['still firing 4.000…1.000']);
    expect(checks.said(below, 8)).toEqual(['resolved 4.000…1.000']);
  });

  it('the same firing when it came back and left its bounds again during a mute', () => {
    const checks = new Checks();
    const muted = { ...rule, muteUntil: '2026-11-20T10:00:00Z' };
    expect(checks.said(rule, 60)).toEqual(['firing 60.000…60.000']);
    expect(checks.said(muted, 80)).toEqual([]);
    expect(checks.said(muted, 40)).toEqual([]);
    expect(checks.said(muted, 52)).toEqual([]);
    expect(checks.said(rule, 53)).toEqual(['still firing 60.000…80.000']);
  });

  it('two firings apart when a mute hid the end of the one and the beginning of the next day’s', () => {
    const checks = new Checks();
    const muted = { ...rule, muteUntil: '2026-11-21T10:00:00Z' };
    expect(checks.said(rule, 60)).toEqual(['firing 60.000…60.000']);
    expect(checks.said(muted, 90)).toEqual([]);
    expect(checks.said(muted, 40)).toEqual([]);
    expect(checks.said(muted, 70, '2026-11-21')).toEqual([]);
    expect(checks.said(rule, 71, '2026-11-21')).toEqual(['resolved 60.000…90.000', 'firing 70.000…71.000']);
  });

  it('nothing that an earlier version did not write', () => {
    const checks = new Checks();
    checks.said(rule, 60);
    const old: unknown = JSON.parse(JSON.stringify(checks.state), (name, value: unknown) =>
      name === 'course' ? undefined : value,
    );
    checks.state = alertStateSchema.parse(old);
    expect(checks.said(rule, 75)).toEqual([]);
    expect(checks.said(rule, 80)).toEqual(['still firing not known']);
    expect(checks.said(rule, 40)).toEqual(['resolved not known']);
    expect(checks.said(rule, 51)).toEqual(['firing 51.000…51.000']);
  });
});

describe('a line names', () => {
  const invoice = (id: string) => ({ id, reference: null, amount: '1.000', expiresOn: null });
  const behind = { unpaid: ['1', '2', '3', '4', '5'].map(invoice), cancelled: [], refunds: [], expiring: [] };

  it('the invoices behind the figure while it fires, and none when it is back', () => {
    const checks = new Checks();
    const [fires] = checks.lines(rule, { ...unpaid('60'), behind });
    expect(fires?.items).toEqual(behind.unpaid);
    const [back] = checks.lines(rule, { ...unpaid('40'), behind });
    expect(back).toMatchObject({ says: 'resolved', items: [] });
  });

  it('invoices only for the five worst rules, so that the state stays small', () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({
      ...rule,
      name: `rule-${index}`,
      severity: index > 36 ? 'critical' : 'warning',
    }));
    const lines = new Checks().lines(rules, { ...unpaid('60'), behind });
    const named = lines.filter(({ items }) => items.length > 0).map((line) => line.rule);
    expect(named).toEqual(['rule-0', 'rule-1', 'rule-37', 'rule-38', 'rule-39']);
  });

  it('the day of its figures, the rule’s title and note, and the days that it looks ahead', () => {
    const worded = { ...rule, title: 'Call the customers', note: 'Ask Fatima for the list.' };
    const [line] = new Checks().lines(worded, unpaid('60'));
    expect(line).toMatchObject({ title: 'Call the customers', note: 'Ask Fatima for the list.', day: DAY });
    const soon = { name: 'soon', measure: 'expiringUnpaid', withinDays: 3, above: 0 };
    const [expiring] = new Checks().lines(soon, { expiring: [{ createdOn: DAY, expiresOn: DAY }] });
    expect(expiring).toMatchObject({ day: null, days: 3, title: null, note: null });
  });
});

it.each([
  ['title', 'x'.repeat(81)],
  ['title', ''],
  ['title', 7],
  ['note', 'x'.repeat(301)],
  ['note', ' '],
])('a title or a note that is not a %s of usual length leaves its rule out: %j', (member, value) => {
  const { rules, problems } = readRules([{ ...rule, [member]: value }]);
  expect(rules).toEqual([]);
  expect(problems).toMatchObject([{ at: ['alerts', 0, member] }]);
});
