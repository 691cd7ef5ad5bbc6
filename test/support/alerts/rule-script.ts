import { alertStateSchema, type AlertState } from '#records/ledger/alert-state.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import { NOTHING_BEHIND } from '#alerts/rules/behind.ts';
import { checkRules, isTickNew, type CheckResult } from '#alerts/rules/check-rules.ts';
import type { Readings } from '#alerts/rules/measures.ts';
import { readRules, type Rule } from '#registry/alert-rules.ts';
import { dayAt } from '#records/day/business-day.ts';
import { membersOf } from '#support/assertions/index.ts';

export type WrittenRule = Record<string, unknown>;

export const NOTHING_KNOWN: Omit<Readings, 'now' | 'today'> = {
  currency: 'KWD',
  counts: null,
  amounts: null,
  refunds: null,
  expiring: null,
  lastSealedAt: null,
  usual: {},
  behind: NOTHING_BEHIND,
};

/** Readings that know the unpaid count and nothing else; `none` knows nothing at all. */
export function unpaid(value: string): Partial<Readings> {
  if (value === 'none') return {};
  return { counts: { total: null, paid: null, notPaid: Number(value), cancelled: null, other: null } };
}

/** Reads rules that must be usable. */
export function rulesOf(...written: WrittenRule[]): Rule[] {
  const { rules, problems } = readRules(written);
  expect(problems).toEqual([]);
  return rules;
}

interface CheckAbout {
  state?: AlertState | undefined;
  timeZone?: string;
  /** The day of the figures; the zone's own unless said. */
  day?: string | undefined;
  isDaySealed?: boolean;
}

/** One check of these rules in KWD, at a time (milliseconds UTC) and in UTC unless said. */
export function checkedAt(
  now: number,
  written: readonly WrittenRule[],
  readings: Partial<Readings>,
  { state, timeZone = 'UTC', day, isDaySealed = false }: CheckAbout = {},
): CheckResult {
  const today = dayAt(now, timeZone);
  return checkRules({
    ...{ rules: rulesOf(...written), state, timeZone, currency: 'KWD' },
    ...{ day: day ?? today, tick: now, isDaySealed },
    readings: { ...NOTHING_KNOWN, ...readings, now, today },
  });
}

export interface ScriptOptions {
  timeZone?: string;
  /** What the word after `value` stands for; the unpaid count unless said. */
  readings?: (value: string) => Partial<Readings>;
}

const AT = /^at (?<time>\d\d:\d\d) value (?<value>\S+)(?: of (?<day>\d{4}-\d\d-\d\d))?(?<sealed> sealed)?$/;

/**
 * Plays a script and compares it with what happened, line by line, quiet ticks included. Times are UTC.
 *
 *     2026-11-20                          the date of the times that follow
 *     at 09:00 value 60 -> firing; mail firing 60.000 since 09:00
 *     at 09:15 value 45 sealed -> firing  the place where the rule stands; no mail
 *     at 09:30 value 60 of 2026-11-19     the figures of another day than the zone's own
 *     mute until 12:00                    changes the rule; likewise `rule {…}`, `no rules`
 *
 * The state goes through JSON and its schema from tick to tick, as it does in S3.
 */
export function expectScript(written: WrittenRule, options: ScriptOptions = {}) {
  return ([script = '']: TemplateStringsArray): void => {
    const expected = script
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    expect(played(written, expected, options)).toEqual(expected);
  };
}

function played(written: WrittenRule, script: readonly string[], options: ScriptOptions): string[] {
  const { timeZone = 'UTC', readings = unpaid } = options;
  let rule: WrittenRule | null = written;
  let date = '2026-11-20';
  let state: AlertState | undefined;

  const instant = (time: string) =>
    (time.length > 5 ? time.replace(' ', 'T') : `${date}T${time}`) + ':00.000Z';
  const shown = (at: string) => (at.startsWith(date) ? at.slice(11, 16) : at.slice(0, 16).replace('T', ' '));
  const mail = ({ says, value, since, until }: AlertLine) =>
    `mail ${says} ${value} since ${shown(since)}${until === null ? '' : ` until ${shown(until)}`}`;

  function tick(command: string): string {
    const { time = '', value = '', day, sealed } = AT.exec(command)?.groups ?? {};
    if (time === '') throw new Error(`not a line of a script: ${command}`);
    const now = Date.parse(instant(time));
    if (!isTickNew(state, now)) return 'ignored';
    const isDaySealed = sealed !== undefined;
    const result = checkedAt(now, rule === null ? [] : [rule], readings(value), {
      ...{ state, timeZone, day, isDaySealed },
    });
    state = alertStateSchema.parse(JSON.parse(JSON.stringify(result.state)));
    expect(state).toEqual(result.state);
    const ends = result.transitions
      .map(({ to }) => to)
      .filter((to) => to === 'day ended' || to === 'removed');
    const places = Object.values(state.rules).map(({ place, checks }) =>
      place === 'pending' ? `pending ${checks}` : place,
    );
    const missing = result.noData.map(({ since }) => `no data since ${shown(since)}`);
    const happened = [...ends, ...places, ...missing, ...result.lines.map(mail)];
    return happened.length === 0 ? 'nothing' : happened.join('; ');
  }

  return script.map((line) => {
    const [command = ''] = line.split(' -> ');
    const mute = /^mute until (.+)$/.exec(line)?.[1];
    if (/^\d{4}-/.test(line)) date = line;
    else if (mute !== undefined) rule = { ...rule, muteUntil: instant(mute) };
    else if (line === 'no rules') rule = null;
    else if (line.startsWith('rule ')) rule = { ...rule, ...membersOf(JSON.parse(line.slice(5))) };
    else return `${command} -> ${tick(command)}`;
    return line;
  });
}
