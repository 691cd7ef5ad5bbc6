import { readFile } from 'node:fs/promises';
import { MEASURES, readRules, rulesOfRegistry, type ReadRules } from '#registry/alert-rules.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import * as shown from '#registry/problem.ts';
import { rulesOf } from '#support/alerts/rule-script.ts';
import { elementsOf, fc, forAll } from '#support/assertions/index.ts';
import { registryOf } from '#support/plan/running-plan.ts';

const good = { name: 'too-many-unpaid', measure: 'unpaidCount', above: 50 };

const faultsOf = ({ problems }: Pick<ReadRules, 'problems'>) =>
  problems.map(({ at, reason }) => ({ path: fieldPath(at), reason }));

/** The rule is left out, and has this error alone. */
function expectRejection(written: unknown, path: string, reason: string): void {
  const read = readRules([written]);
  expect(read).toMatchObject({ rules: [], leftOut: 1 });
  expect(faultsOf(read)).toEqual([{ path, reason }]);
}

describe('a rule', () => {
  it('has defaults for all optional members', () => {
    const [rule] = rulesOf(good);
    expect(rule).toEqual({
      name: 'too-many-unpaid',
      measure: 'unpaidCount',
      unit: 'count',
      title: null,
      note: null,
      ofDay: true,
      side: 'above',
      bound: 50_000n,
      clearAt: 50_000n,
      forChecks: 1,
      repeatAfter: null,
      muteUntil: null,
      severity: 'warning',
      notBefore: null,
    });
  });

  it('is read with all possible members', () => {
    const [rule] = rulesOf({
      name: 'Too-few-2',
      measure: 'unpaidAmount',
      below: '1500.5',
      clearAt: '2000',
      forChecks: 2,
      repeatAfter: '30m',
      muteUntil: '2026-11-21T09:00:00+03:00',
      severity: 'critical',
      notBefore: '17:30',
    });
    expect(rule).toMatchObject({
      ...{ name: 'Too-few-2', unit: 'amount', side: 'below', bound: 1_500_500n, clearAt: 2_000_000n },
      ...{ forChecks: 2, repeatAfter: 30 * 60_000, severity: 'critical', notBefore: '17:30' },
      muteUntil: Date.parse('2026-11-21T06:00:00Z'),
    });
  });

  it.each([
    ['unpaidCount', 0, 0n],
    ['unpaidCount', '50', 50_000n],
    ['unpaidCount', '50.000', 50_000n],
    ['unpaidShare', 33.333, 33_333n],
    ['unpaidShare', '33.3', 33_300n],
    ['unpaidShare', 150, 150_000n],
    ['reportAge', 26.5, 26_500n],
    ['refundTotal', '9007199254740993.001', 9_007_199_254_740_993_001n],
    ['refundTotal', '12', 12_000n],
    ['largestRefund', '0.001', 1n],
  ])('of %s can have %j as its bound', (measure, above, bound) => {
    expect(rulesOf({ name: 'r', measure, above })[0]?.bound).toBe(bound);
  });

  const NAME = 'must be letters, digits and "-", 64 at most';
  const TIME = 'must be a time with its offset such as "2026-11-21T09:00:00+03:00"';
  const DURATION = 'must be minutes, hours or days such as "30m", "24h" or "7d"';
  const COUNT = 'must be a whole number, not negative';
  const SHARE = 'must be a number with at most three decimals, not negative';
  const AMOUNT = 'must be a decimal string such as "12.500", not negative';
  it.each([
    ['unpaidCount', 50.5, COUNT],
    ['unpaidCount', '50.5', COUNT],
    ['unpaidCount', -1, COUNT],
    ['unpaidCount', null, COUNT],
    ['unpaidCount', '', COUNT],
    ['unpaidCount', '5e1', COUNT],
    ['unpaidCount', '50\n', COUNT],
    ['unpaidCount', '٥٠', COUNT],
    ['unpaidCount', 1e21, COUNT],
    ['unpaidCount', true, COUNT],
    ['unpaidCount', [50], COUNT],
    ['unpaidShare', 33.3333, SHARE],
    ['unpaidShare', '33.3333', SHARE],
    ['unpaidShare', '33%', SHARE],
    ['reportAge', 0.0000001, SHARE],
    // It may have other digits than those that were written.
    ['reportAge', 9_007_199_254_740.993, SHARE],
    ['refundTotal', 100, AMOUNT],
    ['refundTotal', '100.0000', AMOUNT],
    ['refundTotal', '-1.000', AMOUNT],
    ['refundTotal', '1,000.000', AMOUNT],
  ])('of %s cannot have %j as its bound', (measure, bound, reason) => {
    const rule = { name: 'r', measure };
    for (const side of ['above', 'below'])
      expectRejection({ ...rule, [side]: bound }, `alerts[0].${side}`, reason);
  });

  const expiring = { measure: 'expiringUnpaid' };
  it.each<[string, Record<string, unknown>, string]>([
    ['name', { name: 'Too many!' }, NAME],
    ['name', { name: undefined }, 'is missing, must be string'],
    ['name', { name: 'a'.repeat(65) }, NAME],
    ['name', { name: '__proto__' }, NAME],
    ['measure', { measure: undefined }, 'is missing, must be string'],
    [
      'measure',
      { measure: 'constructor' },
      'must be one of invoiceCount, unpaidCount, unpaidShare, unpaidAmount, cancelledCount, cancelledShare, ' +
        'refundCount, refundTotal, refundShare, largestRefund, expiringUnpaid, reportAge, ' +
        'shareOfUsualSoFar, shareOfUsualDay',
    ],
    ['above', { above: undefined }, '"above" or "below" must be given'],
    ['below', { below: 10 }, 'cannot be given together with "above"'],
    ['clearAt', { clearAt: 51 }, 'must not lie above the bound'],
    ['clearAt', { above: undefined, below: 50, clearAt: 49 }, 'must not lie below the bound'],
    ['clearAt', { clearAt: '40.5' }, COUNT],
    ['forChecks', { forChecks: 0 }, 'is out of bounds (at least 1)'],
    ['forChecks', { forChecks: 1.5 }, 'must be int'],
    ['forChecks', { forChecks: '2' }, 'must be number'],
    ['repeatAfter', { repeatAfter: '24' }, DURATION],
    ['repeatAfter', { repeatAfter: '0h' }, DURATION],
    ['repeatAfter', { repeatAfter: 24 }, 'must be string'],
    ['muteUntil', { muteUntil: '2026-11-21T09:00:00' }, TIME],
    ['muteUntil', { muteUntil: '2026-02-30T09:00:00Z' }, TIME],
    ['severity', { severity: 'fatal' }, 'must be one of info, warning, critical'],
    ['notBefore', { notBefore: '24:00' }, 'must be HH:MM'],
    ['notBefore', { measure: 'reportAge', notBefore: '09:00' }, 'is for measures of one day only'],
    ['withinDays', expiring, 'is missing, must be number'],
    ['withinDays', { ...expiring, withinDays: -1 }, 'is out of bounds (at least 0)'],
    [
      'createdWithinDays',
      { ...expiring, withinDays: 3, createdWithinDays: 367 },
      'is out of bounds (at most 366)',
    ],
  ])('with a bad %s is left out: %j', (member, members, reason) => {
    expectRejection({ ...good, ...members }, `alerts[0].${member}`, reason);
  });
});

describe('the rules of a merchant', () => {
  it('with the name of an earlier rule are left out, even if that rule is unusable', () => {
    const again = { ...good, above: 60 };
    const rejection = { path: 'alerts[1].name', reason: 'is the name of a rule before it' };
    const read = readRules([good, again]);
    expect(read).toMatchObject({ rules: [{ bound: 50_000n }], leftOut: 1 });
    expect(faultsOf(read)).toEqual([rejection]);
    const both = readRules([{ ...good, above: 'x' }, again]);
    expect(both).toMatchObject({ rules: [], leftOut: 2 });
    expect(faultsOf(both)).toMatchObject([{ path: 'alerts[0].above' }, rejection]);
  });

  it('are named with all of their problems, not with the first only', () => {
    const again = { name: 'too-many-unpaid', measure: 'reportAge', below: 'x', above: 3, forChecks: 0 };
    const wrong = { name: 'a b', measure: 'unpaid', severity: 'bad', above: 'x', colour: 1 };
    const unbound = { name: 'c', measure: 'unpaidCount' };
    const read = readRules([good, { ...again, notBefore: '9:00' }, wrong, unbound]);
    expect(read).toMatchObject({ rules: [{ name: 'too-many-unpaid' }], leftOut: 3 });
    expect(faultsOf(read).map(({ path }) => path)).toEqual([
      'alerts[1].below',
      'alerts[1].forChecks',
      'alerts[1].notBefore',
      'alerts[1].below',
      'alerts[1].notBefore',
      'alerts[1].name',
      'alerts[2].name',
      'alerts[2].measure',
      'alerts[2].severity',
      'alerts[3].above',
    ]);
    expect(read.unknown.map(({ at }) => fieldPath(at))).toEqual(['alerts[2].colour']);
    expect(read.problems.find(({ at }) => at.at(-1) === 'measure')?.candidates).toContain('unpaidCount');
  });

  it('may have unknown members, which are named', () => {
    const { rules, problems, unknown } = readRules([
      { ...good, clearat: 40, withinDays: 3 },
      { name: 'e', measure: 'expiringUnpaid', above: 0, withinDays: 3, createdWithinDays: 60, toString: 1 },
    ]);
    expect(rules).toHaveLength(2);
    expect(problems).toEqual([]);
    expect(unknown.map(({ at }) => fieldPath(at))).toEqual([
      'alerts[0].clearat',
      'alerts[0].withinDays',
      'alerts[1].toString',
    ]);
  });
});

it('any value in the registry is a rule or an error, and the error repeats no value', () => {
  const canary = fc.constantFrom('canary', 'canary-1', { canary: 1 }, ['canary'], -7, 1e300, null, true);
  const members = ['name', 'measure', 'above', 'below', 'clearAt', 'forChecks', 'repeatAfter', 'muteUntil'];
  const more = ['severity', 'notBefore', 'withinDays', 'createdWithinDays'];
  const measures = MEASURES.map(({ name }) => name);
  const rule = fc
    .record(Object.fromEntries([...members, ...more].map((member) => [member, canary])), {
      requiredKeys: [],
    })
    .chain((bad) =>
      fc.record({ measure: fc.constantFrom(...measures) }).map((fine) => ({ ...good, ...fine, ...bad })),
    );
  forAll([fc.array(fc.oneof(rule, fc.jsonValue()), { maxLength: 5 })], (alerts) => {
    const { rules, leftOut, problems } = readRules(alerts);
    expect(rules.length + leftOut).toBe(alerts.length);
    expect(problems.length > 0).toBe(leftOut > 0);
    const rejected = problems.map((problem) => shown.rejectionOf(problem, null));
    expect(JSON.stringify(rejected)).not.toContain('canary');
  });
});

it('rules of a registry with errors are named by their place, those in the defaults once', () => {
  const bad = { ...good, name: 'bad', above: 'many' };
  const [muted, when] = [
    { ...good, name: 'c', muted: true },
    { ...good, name: 'd', when: 1 },
  ];
  const given = registryOf(
    [
      { merchantCode: '700001' },
      { merchantCode: '700002' },
      { merchantCode: '700003', alerts: [good] },
      { merchantCode: '700004', timeZone: 'Nowhere', alerts: [good, bad, muted] },
      { merchantCode: '700005', alerts: 'none' },
      7,
    ],
    { defaults: { alerts: [{ ...good, measure: 'unpaid' }, when] } },
  );
  const { leftOut, problems, unknown } = rulesOfRegistry(given);
  expect(leftOut).toBe(2);
  expect(problems.map(({ merchantCode }) => merchantCode)).toEqual([null, '700004']);
  expect(problems.map(({ at }) => fieldPath(at))).toEqual([
    'defaults.alerts[0].measure',
    'merchants[3].alerts[1].above',
  ]);
  expect(unknown.map(({ at }) => fieldPath(at))).toEqual([
    'defaults.alerts[1].when',
    'merchants[3].alerts[2].muted',
  ]);
});

it('the example rules in the documentation are valid, and every measure has an example', async () => {
  const text = await readFile(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): unknown => JSON.parse(json));
  const [single, list] = blocks;
  const examples = elementsOf(list);
  for (const alerts of [[single], examples])
    expect(readRules(alerts)).toMatchObject({ problems: [], unknown: [] });
  const shown = readRules(examples).rules.map(({ measure }) => measure);
  expect(shown.sort()).toEqual(MEASURES.map(({ name }) => name).sort());
});
