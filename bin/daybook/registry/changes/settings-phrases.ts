import { addDays, dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { isSameJson } from '#records/json/same-json.ts';
import { daysOf, merchantDays, periodBefore, periodDays, weekAfter, weekOf } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { shown } from '../../terminal/shown-text.ts';
import { counted, firstNamed } from '../../terminal/words.ts';
import { durationText } from '#registry/statement-settings.ts';
import type { MonthlySettings, StatementSettings, WeeklySettings } from '#registry/statement-settings.ts';

interface PageTimes {
  weekly?: WeeklySettings | undefined;
  monthly?: MonthlySettings | undefined;
}

type Durations = Pick<StatementSettings, 'waitFor' | 'correctFor'>;

/** A word with a capital: `Sunday`. */
function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** When pages of weeks and months come, such as `on Sunday at 08:00`. */
export function timesInWords({ weekly, monthly }: PageTimes): { week?: string; month?: string } {
  return {
    ...(weekly !== undefined && { week: `on ${capital(weekly.on)} at ${weekly.at}` }),
    ...(monthly !== undefined && { month: `on day ${monthly.onDay} of the next month at ${monthly.at}` }),
  };
}

/** A period whose pages come at another time, or no more (`when` is `undefined`). */
interface ChangedTime {
  period: 'week' | 'month';
  when: string | undefined;
}

/** @param timeZone the clock of the times */
export function changedTimes(before: PageTimes, after: PageTimes, timeZone: string): ChangedTime[] {
  const [was, is] = [timesInWords(before), timesInWords(after)];
  return (['week', 'month'] as const).flatMap((period) => {
    const when = is[period];
    if (when === was[period]) return [];
    return [{ period, when: when === undefined ? undefined : `${when} (${timeZone})` }];
  });
}

/** The durations that change: as they are, and as they were. */
export function changedDurations(
  before: Durations,
  after: Durations,
): { waitFor?: [string, string]; correctFor?: [string, string] } {
  const texts = (name: keyof Durations): [string, string] | undefined =>
    before[name] === after[name] ? undefined : [durationText(after[name]), durationText(before[name])];
  const [waitFor, correctFor] = [texts('waitFor'), texts('correctFor')];
  return { ...(waitFor && { waitFor }), ...(correctFor && { correctFor }) };
}

const MOST_NAMED = 10;

/** What a sentence says of one merchant, and of several. The codes replace `{}`. */
interface Phrase {
  one: string;
  many: string;
}

/** A phrase that begins with the codes: `700001 gets …`, `700001, 700002 get …`. */
function about(one: string, many: string): Phrase {
  return { one: `{} ${one}`, many: `{} ${many}` };
}

/** A phrase that is the same for one and for several. */
export function same(text: string): Phrase {
  return { one: text, many: text };
}

/** Codes for a sentence: the first ones, and how many more. */
export function named(codes: readonly string[]): string {
  return firstNamed(codes, MOST_NAMED);
}

/** Sentences of what merchants have in common: those of whom the same is said are in one sentence. */
export class Sentences {
  readonly #said = new Map<string, { phrase: Phrase; codes: string[] }>();

  add(merchantCode: string, phrase: Phrase): void {
    const known = this.#said.get(phrase.one);
    if (known === undefined) this.#said.set(phrase.one, { phrase, codes: [merchantCode] });
    else known.codes.push(merchantCode);
  }

  toList(): string[] {
    return [...this.#said.values()].map(({ phrase, codes }) => {
      if (codes.length === 1) return `${phrase.one.replace('{}', () => named(codes))}.`;
      if (codes.length <= MOST_NAMED) return `${phrase.many.replace('{}', () => named(codes))}.`;
      return `${phrase.many.replace('{}', () => counted(codes.length, 'merchant'))}: ${named(codes)}.`;
    });
  }
}

type Times = Pick<MerchantSettings, 'reportAt' | 'timeZone' | 'lookbackDays'>;

interface ReportChange {
  /** When the first report comes at the new time, such as `from tomorrow (2026-11-24)`. */
  from: string;
  /** A day that no tick reports at its time. `comes`: the next tick looks back at it and mails it then. */
  late: { day: Day; comes: boolean } | undefined;
}

const TWO_DAYS = 2 * 86_400_000;

/** The date as a person says it. @param today in the same zone */
function dateInWords(date: Day, today: Day): string {
  if (date === today) return `today (${date})`;
  return date === addDays(today, 1) ? `tomorrow (${date})` : date;
}

/**
 * The first report at the new time. A tick of `plan` reports the day before the local date on which the clock
 * reaches `reportAt`. A day that was reported at the old time is not mailed again.
 *
 * @param now milliseconds UTC
 */
export function reportChange(before: Times, after: Times, now: number): ReportChange {
  const past = daysReaching(before.reportAt, before.timeZone, now - TWO_DAYS, now).at(-1);
  const coming = daysReaching(after.reportAt, after.timeZone, now, now + TWO_DAYS);
  const today = dayAt(now, after.timeZone);
  const first = coming.find((date) => past === undefined || date > past) ?? addDays(today, 1);
  const from = `from ${dateInWords(first, today)}`;
  if (past === undefined || first <= addDays(past, 1)) return { from, late: undefined };
  return { from, late: { day: past, comes: after.lookbackDays.includes(1) } };
}

/** What the sentences about a change depend on. */
export interface Telling {
  /** Milliseconds UTC. */
  now: number;
  /** Whether addresses may be shown: a person reads them on a terminal. Otherwise only how many they are. */
  showAddresses: boolean;
}

type Say = (before: MerchantSettings, after: MerchantSettings, telling: Telling) => Phrase[];

const LANGUAGES = { en: 'English', ar: 'Arabic' } as const;

const sayTime: Say = (before, after, { now }) => {
  const { from, late } = reportChange(before, after, now);
  const time = `at ${after.reportAt} (${after.timeZone}) ${from}`;
  const missed =
    late === undefined
      ? ''
      : late.comes
        ? `. The report of ${late.day} comes with it, a day late`
        : `. No tick makes the report of ${late.day}: make it with the command report`;
  return [about(`gets its report ${time}${missed}`, `get their report ${time}${missed}`)];
};

export function changedAddresses(addresses: string[], verb: string, showAddresses: boolean): string[] {
  if (addresses.length === 0) return [];
  const verbs = `${addresses.length === 1 ? 'is' : 'are'} ${verb}`;
  return [showAddresses ? `${shown(addresses.join(', '), 500)} ${verbs}` : `${addresses.length} ${verbs}`];
}

const sayRecipients: Say = (before, after, { showAddresses }) => {
  const [was, is] = [new Set(before.recipients), new Set(after.recipients)];
  if (is.size === 0) {
    const effect = 'no recipients any more: its days are sealed, and no mail is sent';
    return [about(`has ${effect}`, `have ${effect.replace('its', 'their')}`)];
  }
  const changes = [
    ...changedAddresses([...is.difference(was)], 'added', showAddresses),
    ...changedAddresses([...was.difference(is)], 'removed', showAddresses),
  ];
  if (changes.length === 0) return [same('the order of the recipients of {} changes')];
  const text = `${counted(is.size, 'recipient')} instead of ${was.size}: ${changes.join(', ')}`;
  return [about(`has ${text}`, `have ${text}`)];
};

const sayStatements: Say = ({ statements: was }, { statements: is, timeZone }) => {
  const times = changedTimes(was ?? {}, is ?? {}, timeZone).map(({ period, when }) =>
    when === undefined
      ? about(`gets no statements of ${period}s any more`, `get no statements of ${period}s any more`)
      : about(`gets a statement of each ${period}, ${when}`, `get a statement of each ${period}, ${when}`),
  );
  if (was === undefined || is === undefined) return times;
  const { waitFor, correctFor } = changedDurations(was, is);
  return [
    ...times,
    ...(waitFor === undefined
      ? []
      : [same(`statements of {} wait ${waitFor[0]} for days that are not sealed, instead of ${waitFor[1]}`)]),
    ...(correctFor === undefined
      ? []
      : [
          same(
            `statements of {} follow corrections for ${correctFor[0]} after their period, instead of ${correctFor[1]}`,
          ),
        ]),
  ];
};

const sayWeekStart: Say = (before, after, { now }) => {
  const last = periodBefore(weekOf(dayAt(now, after.timeZone), before.weekStart));
  const week = weekAfter(last);
  const { from, to } = merchantDays(week, after.weekStart, { before: periodDays(last, before.weekStart) });
  const first = `${week} is from ${from} to ${to} (${counted(daysOf({ from, to }).length, 'day')})`;
  return [
    same(
      `the week of {} begins on ${capital(after.weekStart)} instead of ${capital(before.weekStart)}, from ${addDays(to, 1)} on. Sealed weeks stay as they are. Once ${last} is sealed, ${first}`,
    ),
  ];
};

const KEPT = 'in days that are not sealed yet; sealed days keep theirs';

const sayCurrency: Say = ({ currency: was }, { currency: is }) => [
  same(
    `amounts of {} are in ${is} instead of ${was}, in days that are not sealed yet. Sealed days stay in ${was}, and a week or month with both has no total`,
  ),
];

const sayZone: Say = (before, after, telling) => [
  ...(before.reportAt === after.reportAt ? sayTime(before, after, telling) : []),
  same(
    `days of {} are days in ${after.timeZone} instead of ${before.timeZone}, where they are not sealed yet. Sealed days stay days in ${before.timeZone}`,
  ),
];

const sayStates: Say = () => [same(`the words of invoice states of {} change, ${KEPT}`)];

const sayCharges: Say = () => [same(`the charges of {} change, ${KEPT}`)];

const sayRefunds: Say = ({ refunds: was }, { refunds: is }) => [
  ...(was.source === is.source ? [] : [same(valueChange('refunds.source', '{}', was.source, is.source))]),
  ...(isSameJson(was.statuses, is.statuses) ? [] : [same(`the words of refunds of {} change, ${KEPT}`)]),
];

const sayLanguage: Say = (_, { language }) => [
  about(`gets its mails in ${LANGUAGES[language]}`, `get their mails in ${LANGUAGES[language]}`),
];

const sayAlerts: Say = (before, after) => {
  const [was, is] = [before.alerts.length, after.alerts.length];
  if (was === is) return [same('the alert rules of {} change')];
  const text = `${counted(is, 'alert rule')} instead of ${was}`;
  return [about(`has ${text}`, `have ${text}`)];
};

/** Members with sentences of their own. */
const SAID: Partial<Record<keyof MerchantSettings, Say>> = {
  reportAt: sayTime,
  timeZone: sayZone,
  recipients: sayRecipients,
  language: sayLanguage,
  alerts: sayAlerts,
  statements: sayStatements,
  weekStart: sayWeekStart,
  currency: sayCurrency,
  invoiceStatuses: sayStates,
  charges: sayCharges,
  refunds: sayRefunds,
};

function shownValue(value: unknown): string | undefined {
  if (value === undefined) return 'nothing';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return typeof value === 'string' ? `"${shown(value, 80)}"` : undefined;
}

/** @param owner whose setting it is */
export function valueChange(name: string, owner: string, before: unknown, after: unknown): string {
  const [was, is] = [shownValue(before), shownValue(after)];
  return was === undefined || is === undefined
    ? `${name} of ${owner} changes`
    : `${name} of ${owner} changes from ${was} to ${is}`;
}

/**
 * What a change of settings does for a merchant.
 *
 * @returns the phrases, and the members that they are about
 */
export function settingsPhrases(
  before: MerchantSettings,
  after: MerchantSettings,
  telling: Telling,
): { phrases: Phrase[]; members: Set<string> } {
  const said = new Map(Object.entries(SAID));
  const values = { before: new Map(Object.entries(before)), after: new Map(Object.entries(after)) };
  const names = new Set([...said.keys(), ...values.before.keys(), ...values.after.keys()]);
  const members = [...names].filter((name) => {
    // The code is used as the name where there is none. It does not change.
    return !isSameJson(values.before.get(name), values.after.get(name));
  });
  const phrases = members.flatMap((name) => {
    const say = said.get(name);
    return say === undefined
      ? [same(valueChange(name, '{}', values.before.get(name), values.after.get(name)))]
      : say(before, after, telling);
  });
  return { phrases, members: new Set(members) };
}
