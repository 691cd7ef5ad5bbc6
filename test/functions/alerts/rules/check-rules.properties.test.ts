import { alertStateSchema, hasMoved, type AlertState, type RuleState } from '#records/ledger/alert-state.ts';
import { isTickNew, type CheckResult } from '#alerts/rules/check-rules.ts';
import type { Rule } from '#registry/alert-rules.ts';
import { checkedAt, rulesOf, unpaid, type WrittenRule } from '#support/alerts/rule-script.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';

const BEGIN = Date.parse('2026-11-20T20:00:00Z');
const MINUTE = 60_000;

/** One check: the minutes since the last one, and its findings. Zero or less: the check is repeated or late. */
interface Step {
  minutes: number;
  value: number | null;
  isMuted: boolean;
  isDaySealed: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  minutes: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 1, arbitrary: fc.integer({ min: -60, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: 600, max: 3_000 }) },
  ),
  // Around the bounds of 40 to 60 below.
  value: fc.option(fc.integer({ min: 35, max: 65 }), { freq: 5 }),
  isMuted: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  isDaySealed: fc.boolean(),
});
const steps = fc.array(step, { maxLength: 60 });

const inOrder = steps.map((given) => given.filter(({ minutes }) => minutes > 0));

const written: fc.Arbitrary<WrittenRule> = fc
  .record({
    measure: fc.constantFrom('unpaidCount', 'expiringUnpaid'),
    side: fc.constantFrom('above', 'below'),
    hysteresis: fc.integer({ min: 0, max: 10 }),
    forChecks: fc.integer({ min: 1, max: 3 }),
    repeatAfter: fc.constantFrom(undefined, '30m', '2h', '1d'),
    notBefore: fc.constantFrom(undefined, '00:00', '06:00', '22:00'),
  })
  .map(({ side, hysteresis, notBefore, ...members }) => ({
    name: 'rule',
    ...members,
    ...(side === 'above' ? { above: 50, clearAt: 50 - hysteresis } : { below: 50, clearAt: 50 + hysteresis }),
    ...(members.measure === 'unpaidCount' ? { notBefore } : { withinDays: 1 }),
  }));

interface Played extends CheckResult {
  /** Milliseconds UTC. */
  at: number;
  rule: Rule;
  step: Step;
  before: AlertState | undefined;
}

interface Playing {
  others?: readonly WrittenRule[];
  /** Whether the state is written at each check, and not only when something moved. */
  writesAlways?: boolean;
}

/** Makes the checks in UTC. The state is written as JSON and read again between them. */
function play(
  rule: WrittenRule,
  given: readonly Step[],
  { others = [], writesAlways = false }: Playing = {},
): Played[] {
  let now = BEGIN;
  let state: AlertState | undefined;
  return given.flatMap((found) => {
    now += found.minutes * MINUTE;
    if (!isTickNew(state, now)) return [];
    const today = new Date(now).toISOString().slice(0, 10);
    const muteUntil = found.isMuted ? new Date(now + MINUTE).toISOString() : undefined;
    const rules = [{ ...rule, muteUntil }, ...others];
    const { value, isDaySealed } = found;
    const expiring = Array.from({ length: value ?? 0 }, () => ({ createdOn: today, expiresOn: today }));
    const readings = value === null ? {} : { ...unpaid(String(value)), expiring };
    const result = checkedAt(now, rules, readings, { state, isDaySealed });
    const before = state;
    if (writesAlways || hasMoved(state, result.state)) {
      state = alertStateSchema.parse(JSON.parse(JSON.stringify(result.state)));
      expect(state).toEqual(result.state);
      expect(Object.keys(state.rules)).toEqual(rules.map(({ name }) => name));
      expect(isTickNew(state, now)).toBe(false);
    }
    return [{ ...result, at: now, rule: defined(rulesOf(rule)[0]), step: found, before }];
  });
}

function withoutValue({ value: _value, ...rule }: RuleState): Omit<RuleState, 'value'> {
  return rule;
}

/** All that a check says and keeps, but what a quiet one may leave out: its tick and its values. */
function outcome({ at, lines, noData, state: { rules, day }, transitions }: Played) {
  const kept = Object.entries(rules).map(([name, rule]) => [name, withoutValue(rule)]);
  // What ended a day or was removed has the value of the last check that moved.
  const moves = transitions.map(({ value, ...move }) => ({
    ...move,
    ...(move.to !== 'day ended' && { value }),
  }));
  return { at, lines, noData, kept, day, moves };
}

const ruleState = ({ state }: Pick<CheckResult, 'state'>) => defined(state.rules['rule']);

describe('with any values, gaps, mutes and days', () => {
  it('firing and resolved alternate for each rule and day, and only still firing comes between them', () =>
    forAll([written, steps], { numRuns: 500 }, (rule, given) => {
      const checks = play(rule, given);
      const lines = checks.flatMap((check) => check.lines);
      const isOfDay = rule['measure'] === 'unpaidCount';
      const stories = Map.groupBy(lines, ({ since }) => (isOfDay ? since.slice(0, 10) : 'all'));
      for (const story of stories.values()) {
        expect(`${story.map(({ says }) => says).join(', ')}, `).toMatch(
          /^(firing, (still firing, )*resolved, )*(firing, (still firing, )*)?$/,
        );
        // All lines of one firing have the same beginning, and each firing is over before the next begins.
        for (const [index, { says, since, until }] of story.entries()) {
          if (says !== 'firing') expect(since).toBe(defined(story[index - 1]).since);
          if (until !== null) expect(until > since).toBe(true);
          const next = story[index + 1];
          if (until !== null && next !== undefined) expect(next.since > until).toBe(true);
        }
      }
    }));

  it('after a check that may send a mail, the last mail states the current situation', () =>
    forAll([written, steps], { numRuns: 500 }, (rule, given) => {
      for (const check of play(rule, given)) {
        const isLookedAt = ruleState(check).noDataSince === null;
        const waits = ruleState(check).value === null;
        if (!isLookedAt || waits || check.step.isMuted || isHeld(check)) continue;
        const { place, announced, cameBack } = ruleState(check);
        expect([announced !== null, cameBack]).toEqual([place === 'firing', null]);
      }
    }));

  it('no line is mailed while the rule is muted, or when the value is unknown', () =>
    forAll([written, steps], (rule, given) => {
      for (const { step: found, lines } of play(rule, given)) {
        if (found.isMuted || found.value === null) expect(lines).toEqual([]);
      }
    }));

  it('an unknown value changes nothing on the same day', () =>
    forAll([written, steps], (rule, given) => {
      for (const { step: found, before, state, transitions } of play(rule, given)) {
        if (found.value !== null || before?.day !== state.day) continue;
        expect(transitions).toEqual([]);
        expect({ ...state.rules['rule'], noDataSince: null }).toEqual({
          ...before.rules['rule'],
          noDataSince: null,
        });
      }
    }));

  it('a firing value is beyond its clearAt, and a resolved value is at clearAt or on the good side of it', () =>
    forAll([written, steps], (rule, given) => {
      for (const { rule: read, lines } of play(rule, given)) {
        for (const { says, value } of lines) {
          const thousandths = BigInt(value.replace('.', ''));
          const isBack = read.side === 'above' ? thousandths <= read.clearAt : thousandths >= read.clearAt;
          expect(isBack).toBe(says === 'resolved');
        }
      }
    }));

  it('transitions lead from the old state of a rule to its new state', () =>
    forAll([written, steps], (rule, given) => {
      for (const { before, state, transitions } of play(rule, given)) {
        let place: string = before?.rules['rule']?.place ?? 'ok';
        for (const { from, to } of transitions) {
          expect(from).toBe(place);
          expect(to).not.toBe(from);
          place = to === 'day ended' ? 'ok' : to;
        }
        expect(place).toBe(defined(state.rules['rule']).place);
      }
    }));

  it('within bounds nothing changes and nothing is mailed', () => {
    const fine = steps.map((given) =>
      given.map((one) => ({ ...one, value: one.value === null ? null : 50 })),
    );
    forAll([written, fine], (rule, given) => {
      for (const { lines, transitions } of play(rule, given)) expect([lines, transitions]).toEqual([[], []]);
    });
  });

  it('checks in their order say and move the same whether quiet ones were written or not', () =>
    forAll([written, inOrder], { numRuns: 500 }, (rule, given) => {
      const seldom = play(rule, given);
      const always = play(rule, given, { writesAlways: true });
      expect(seldom.map(outcome)).toEqual(always.map(outcome));
    }));

  it('a quiet check is as if it had not been made, also among repeated and late ones', () =>
    forAll([written, steps], { numRuns: 500 }, (rule, given) => {
      const checks = play(rule, given);
      const moving = checks.filter(({ before, state }) => hasMoved(before, state));
      expect(moving.map(({ at }) => at)).toEqual(moving.map(({ at }) => at).toSorted((a, b) => a - b));
      expect(new Set(moving.map(({ at }) => at)).size).toBe(moving.length);
      let now = BEGIN;
      const alone = moving.map(({ step: found, at }) => {
        const minutes = (at - now) / MINUTE;
        now = at;
        return { ...found, minutes };
      });
      expect(play(rule, alone).map(outcome)).toEqual(moving.map(outcome));
    }));

  it('rules of checks in their order do not affect each other', () =>
    forAll([written, written, inOrder], (rule, other, given) => {
      const alone = play(rule, given);
      const beside = play(rule, given, { others: [{ ...other, name: 'other' }] });
      for (const [index, { lines, state }] of beside.entries()) {
        expect(lines.filter((line) => line.rule === 'rule')).toEqual(defined(alone[index]).lines);
        expect(withoutValue(defined(state.rules['rule']))).toEqual(
          withoutValue(ruleState(defined(alone[index]))),
        );
      }
    }));
});

/** Whether the check did not examine the rule yet, so that the rule keeps its state. */
function isHeld({ rule, step: found, state }: Played): boolean {
  if (!rule.ofDay || found.isDaySealed) return false;
  if (rule.notBefore === null) return rule.side === 'below';
  return state.tick.slice(11, 16) < rule.notBefore;
}
