import { addDays, dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { durationText } from '#registry/statement-settings.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';
import { shown, counted, firstNamed } from '../terminal/shown-text.ts';
import { changedNames } from './differences.ts';
import type { GroupWithMembers } from './differences.ts';
import type { Members } from './registry-text.ts';

export interface Telling {
  /** Milliseconds UTC. */
  now: number;
  /** Whether addresses may be shown: a person reads them on a terminal. Otherwise only how many they are. */
  showAddresses: boolean;
}

const MOST_NAMED = 10;

/** Codes or names for a sentence: the first ones, and how many more. */
export function named(names: readonly string[]): string {
  return firstNamed(names, MOST_NAMED);
}

const TWO_DAYS = 2 * 86_400_000;

function dateInWords(date: Day, today: Day): string {
  if (date === today) return `today (${date})`;
  return date === addDays(today, 1) ? `tomorrow (${date})` : date;
}

/**
 * When the first report comes at the new time, and which day no tick reports at its time. A tick of `plan` reports the day before
 * the local date on which the clock reaches `reportAt`. A day that was reported at the old time is not mailed again.
 *
 * @param now milliseconds UTC
 */
function timeChange(before: MerchantSettings, after: MerchantSettings, now: number): string[] {
  const { reportAt, timeZone, lookbackDays } = after;
  if (before.reportAt === reportAt && before.timeZone === timeZone) return [];
  const past = daysReaching(before.reportAt, before.timeZone, now - TWO_DAYS, now).at(-1);
  const coming = daysReaching(reportAt, timeZone, now, now + TWO_DAYS);
  const today = dayAt(now, timeZone);
  const first = coming.find((date) => past === undefined || date > past) ?? addDays(today, 1);
  const time = `reports come at ${reportAt} (${timeZone}) from ${dateInWords(first, today)}`;
  if (past === undefined || first <= addDays(past, 1)) return [time];
  // The next tick looks back at the day, or none does.
  return lookbackDays.includes(1)
    ? [`${time}. The report of ${past} comes with it, a day late`]
    : [`${time}. No tick makes the report of ${past}: make it with the command report`];
}

/** What comes and what goes, such as `700003 is added`. Empty when nothing does. */
function comeAndGo(before: readonly string[], after: readonly string[], list: (names: string[]) => string) {
  const [was, is] = [new Set(before), new Set(after)];
  const changes = [
    [is.difference(was), 'added'],
    [was.difference(is), 'removed'],
  ] as const;
  return changes
    .filter(([names]) => names.size > 0)
    .map(([names, verb]) => `${list([...names])} ${names.size === 1 ? 'is' : 'are'} ${verb}`);
}

function recipientChange(
  { recipients: before }: Pick<MerchantSettings, 'recipients'>,
  { recipients: after }: Pick<MerchantSettings, 'recipients'>,
  { showAddresses }: Telling,
): string[] {
  const list = (addresses: string[]) =>
    showAddresses ? shown(addresses.join(', '), 500) : addresses.length.toString();
  const changes = comeAndGo(before, after, list);
  if (changes.length === 0) return [];
  if (after.length === 0) return ['no recipients any more: pages are sealed, and no mail is sent'];
  return [`${counted(after.length, 'recipient')} instead of ${before.length}: ${changes.join(', ')}`];
}

function shownValue(value: unknown): string | undefined {
  if (value === undefined) return 'nothing';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return typeof value === 'string' ? `"${shown(value, 80)}"` : undefined;
}

/** Members that a day is sealed with. */
const SEALED_WITH = ['timeZone', 'currency', 'invoiceStatuses', 'charges', 'refunds'];

function otherChanges(before: Members, after: Members, said: readonly string[]): string[] {
  return changedNames(before, after)
    .filter((name) => !said.includes(name))
    .map((name) => {
      const [was, is] = [shownValue(before[name]), shownValue(after[name])];
      const values = was === undefined || is === undefined ? '' : ` from ${was} to ${is}`;
      return `${name} changes${values}${SEALED_WITH.includes(name) ? '. Sealed days keep theirs' : ''}`;
    });
}

function timesInWords({ weekly, monthly, waitFor, correctFor, closeAfter }: StatementSettings) {
  return {
    weekly: weekly && `${weekly.on} at ${weekly.at}`,
    monthly: monthly && `day ${monthly.onDay} at ${monthly.at}`,
    waitFor: durationText(waitFor),
    correctFor: durationText(correctFor),
    closeAfter: closeAfter && durationText(closeAfter),
  };
}

function shownMembers({ statements, ...others }: MerchantSettings): Members {
  const times = Object.entries(statements === undefined ? {} : timesInWords(statements));
  const ofStatements = times.map(([name, value]) => [`statements.${name}`, value] as const);
  return Object.assign(others, Object.fromEntries(ofStatements));
}

/** What a change of its settings does for a merchant. */
export function merchantChange(
  before: MerchantSettings,
  after: MerchantSettings,
  telling: Telling,
): string[] {
  return [
    ...timeChange(before, after, telling.now),
    ...recipientChange(before, after, telling),
    ...otherChanges(shownMembers(before), shownMembers(after), ['reportAt', 'recipients']),
  ];
}

/** The same for a group. */
export function groupChange(before: GroupWithMembers, after: GroupWithMembers, telling: Telling): string[] {
  // Every merchant that comes or goes changes a group of all, and has a sentence of its own.
  const isOfAll = before.merchants === 'all' && after.merchants === 'all';
  const codes = isOfAll ? [] : comeAndGo(before.codes, after.codes, named);
  const seen = `${counted(after.codes.length, 'merchant')} instead of ${before.codes.length}`;
  const [was, is] = [before, after].map((group) => ({ ...group, ...timesInWords(group) }));
  return [
    ...(codes.length === 0 ? [] : [`its recipients see ${seen}: ${codes.join(', ')}`]),
    ...recipientChange(before, after, telling),
    ...otherChanges(was ?? {}, is ?? {}, ['codes', 'recipients']),
  ];
}
