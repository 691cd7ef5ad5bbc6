import { describe, expect, it } from 'vitest';
import { alertStateSchema, type AlertState } from '#records/ledger/alert-state.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import type { Readings } from '#alerts/rules/measures.ts';
import { readRules } from '#registry/alert-rules.ts';
import { checkedAt, unpaid, type WrittenRule } from '#support/domain/alert-script.ts';

const DAY = '2026-11-20';
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
