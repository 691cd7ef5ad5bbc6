import { addDays, dayAt, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { groupSchema } from '#registry/groups.ts';
import { merchantSchema } from '#registry/registry-schema.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { durationText } from '#registry/statement-settings.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';
import { counted, firstNamed, shown } from '../terminal/shown-text.ts';
import { changedNames, changesOf, registryValue, settingsOf } from './differences.ts';
import type { GroupWithMembers, NamedChange, UsedSettings } from './differences.ts';
import type { Members } from '#records/json/exact-json.ts';

interface Telling {
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

/** What changes for whom, in sentences, shared where the same is said. `before`: `undefined` when there is none. */
export function changesInWords(before: string | undefined, after: string, telling: Telling): string[] {
  const { merchants, groups, ...frame } = changesOf(before, after);
  if ([merchants, groups, ...Object.values(frame)].every((list) => list.length === 0)) {
    return before === after ? [] : ['Only the form of the text changes: blanks, or the order.'];
  }
  const [was, is] = [settingsOf(before), settingsOf(after)];
  const effects = [
    ...effectsOn(was.merchants, is.merchants, merchants, {
      known: merchantSchema.unwrap().shape,
      owner: (code) => code,
      tell: (earlier, settings) => merchantChange(earlier, settings, telling),
    }),
    ...effectsOn(was.groups, is.groups, groups, {
      known: groupSchema.unwrap().shape,
      owner: (name) => `group ${name}`,
      tell: (earlier, settings) => groupChange(earlier, settings, telling),
    }),
  ];
  return [
    ...(before === undefined ? ['The stage has no registry yet.'] : []),
    ...sentence(merchants, 'added'),
    ...sentence(merchants, 'removed').map((text) => `${text} Reports and alerts stop.`),
    ...(before === undefined ? [] : frameInWords(frame, after)),
    ...groups.flatMap((group) => groupThatComesOrGoes(group, is.groups.settings)),
    ...[...Map.groupBy(effects, ({ text }) => text)].map(
      ([text, of]) => `${named(of.map(({ owner }) => owner))}: ${text}.`,
    ),
  ];
}

function sentence(merchants: readonly NamedChange[], verb: NamedChange['change']): string[] {
  const names = merchants.filter(({ change }) => change === verb).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `${counted(names.length, 'merchant')} ${names.length === 1 ? 'is' : 'are'} ${verb}: ${named(names)}.`,
  ];
}

/** Lists of which something without a name changes. */
const NAMELESS: ReadonlyMap<string, string> = new Map([
  ['merchants', 'Entries without a code change.'],
  ['groups', 'Groups without a name that can be used change.'],
]);

function frameInWords(
  { service, defaults, others }: Record<'service' | 'defaults' | 'others', string[]>,
  after: string,
): string[] {
  const entries = [...registryValue(after).merchants.named.values()];
  const heirs = (name: string) =>
    entries.filter(([entry]) => entry !== undefined && !Object.hasOwn(entry, name)).length;
  return [
    ...service.map((name) => `service.${shown(name)} changes: all merchants are read there.`),
    ...defaults.map(
      (name) => `The default ${shown(name)} changes, for ${counted(heirs(name), 'merchant')} without an own.`,
    ),
    ...others.map((name) => NAMELESS.get(name) ?? `${shown(name)} of the registry changes.`),
  ];
}

function groupThatComesOrGoes(
  { name, change }: NamedChange,
  groups: ReadonlyMap<string, GroupWithMembers>,
): string[] {
  if (change === 'removed') return [`Group ${name} is removed. No page of it is made any more.`];
  const group = groups.get(name);
  if (change === 'changed' || group === undefined) return [];
  const { recipients, codes } = group;
  const who = `${counted(recipients.length, 'recipient')}, with the figures of ${counted(codes.length, 'merchant')}`;
  return [`Group ${name} is added: ${who}.`];
}

interface Kind<Settings> {
  /** Has every member that Daybook knows. */
  known: object;
  owner: (name: string) => string;
  tell: (before: Settings, after: Settings) => string[];
}

function effectsOn<Settings extends object>(
  was: UsedSettings<Settings>,
  is: UsedSettings<Settings>,
  changes: readonly NamedChange[],
  { known, owner, tell }: Kind<Settings>,
): { owner: string; text: string }[] {
  const written = new Map(changes.map(({ name, ...one }) => [name, one]));
  const unusable = [...is.unusable].flatMap((name) => {
    const isStill = was.unusable.has(name);
    if (isStill && !written.has(name)) return [];
    const more = was.settings.has(name) ? ' any more' : '';
    const text = `${isStill ? 'still ' : ''}cannot be used${more}: the command check says why`;
    return { owner: owner(name), text };
  });
  const others = [...is.settings].flatMap(([name, settings]) => {
    const { change, members = [] } = written.get(name) ?? {};
    if (change === 'added') return [];
    const earlier = was.settings.get(name);
    const texts =
      earlier === undefined
        ? ['can be used again']
        : [...tell(earlier, settings), ...withoutEffect(earlier, settings, members, known)];
    return texts.map((text) => ({ owner: owner(name), text }));
  });
  return [...unusable, ...others];
}

function withoutEffect(before: object, after: object, written: readonly string[], known: object): string[] {
  const changed = changedNames({ ...before }, { ...after });
  return written
    .filter((name) => !changed.includes(name))
    .map((name) =>
      Object.hasOwn(known, name)
        ? `${name} is written anew, with the same effect`
        : `${shown(name, 80)} changes. Daybook does not know this member`,
    );
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

type Recipients = Pick<MerchantSettings, 'recipients'>;

function recipientChange({ recipients: before }: Recipients, after: Recipients, telling: Telling): string[] {
  const { recipients } = after;
  const list = (addresses: string[]) =>
    telling.showAddresses ? shown(addresses.join(', '), 500) : addresses.length.toString();
  const changes = comeAndGo(before, recipients, list);
  if (changes.length === 0) return [];
  if (recipients.length === 0) return ['no recipients any more: pages are sealed, and no mail is sent'];
  return [`${counted(recipients.length, 'recipient')} instead of ${before.length}: ${changes.join(', ')}`];
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

/** The durations of statements as the registry writes them: `2d`. */
export function durationsInWords({ waitFor, correctFor, closeAfter }: StatementSettings) {
  return {
    waitFor: durationText(waitFor),
    correctFor: durationText(correctFor),
    closeAfter: closeAfter && durationText(closeAfter),
  };
}

function timesInWords(settings: StatementSettings) {
  const { weekly, monthly } = settings;
  return {
    weekly: weekly && `${weekly.on} at ${weekly.at}`,
    monthly: monthly && `day ${monthly.onDay} at ${monthly.at}`,
    ...durationsInWords(settings),
  };
}

function shownMembers({ statements, ...others }: MerchantSettings): Members {
  const times = Object.entries(statements === undefined ? {} : timesInWords(statements));
  return { ...others, ...Object.fromEntries(times.map(([name, value]) => [`statements.${name}`, value])) };
}

function merchantChange(before: MerchantSettings, after: MerchantSettings, telling: Telling): string[] {
  return [
    ...timeChange(before, after, telling.now),
    ...recipientChange(before, after, telling),
    ...otherChanges(shownMembers(before), shownMembers(after), ['reportAt', 'recipients']),
  ];
}

function groupChange(before: GroupWithMembers, after: GroupWithMembers, telling: Telling): string[] {
  // Every merchant that comes or goes changes a group of all, and has a sentence of its own.
  const isOfAll = before.merchants === 'all' && after.merchants === 'all';
  const codes = isOfAll ? [] : comeAndGo(before.codes, after.codes, named);
  const seen = `${counted(after.codes.length, 'merchant')} instead of ${before.codes.length}`;
  const withTimes = (group: GroupWithMembers) => ({ ...group, ...timesInWords(group) });
  return [
    ...(codes.length === 0 ? [] : [`its recipients see ${seen}: ${codes.join(', ')}`]),
    ...recipientChange(before, after, telling),
    ...otherChanges(withTimes(before), withTimes(after), ['codes', 'recipients']),
  ];
}
