import { isMembers } from '#records/json/exact-json.ts';
import type { Problem, MerchantProblem } from '#registry/problem.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';
import { rulesOfRegistry } from '#registry/alert-rules.ts';
import type { Members } from '#records/json/exact-json.ts';
import { readDefaults, readEntry } from '#registry/entry.ts';
import type { BadDefault } from '#registry/entry.ts';
import { MOST_GROUPS, readGroup, TOO_MANY_GROUPS, usableName } from '#registry/groups.ts';
import { usableCode, MOST_MERCHANTS } from '#registry/registry.ts';
import { problemsOf } from '#registry/problem.ts';
import { serviceSchema } from '#registry/registry-schema.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import { counted } from '../terminal/shown-text.ts';

const KNOWN_INVOICE_STATUSES = ['0', '1', '3'];
const KNOWN_REFUND_STATUSES = ['1'];

const STATUS_NUMBER = /^-?\d+$/;

function doubt(at: readonly PropertyKey[], reason: string, value: unknown): Problem {
  return { at, reason, value, candidates: [] };
}

/** What is in a list twice, by the key or by itself. `keyOf` gives `null` for what is not compared. */
function repeated(
  list: unknown,
  at: readonly PropertyKey[],
  says: (first: number) => string,
  keyOf: (value: unknown) => unknown = (value) => value,
  member?: string,
): Problem[] {
  const places = new Map<unknown, number>();
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((value, index) => {
    const key = keyOf(value);
    const first = places.get(key) ?? index;
    places.set(key, first);
    if (key === null || first === index) return [];
    return member === undefined
      ? [doubt([...at, index], says(first), value)]
      : [doubt([...at, index, member], says(first), key)];
  });
}

function repeatedRecipients(recipients: unknown, at: readonly PropertyKey[]): Problem[] {
  const says = (first: number) => `is the address of recipients[${first}], too`;
  // What is no text is no address, and another problem.
  return repeated(recipients, at, says, (one) => (typeof one === 'string' ? one.toLowerCase() : null));
}

/** Numbers that the contract shows without a word, and names that are no numbers. */
function wordsOfStatuses(
  words: unknown,
  known: readonly string[],
  what: string,
  at: readonly PropertyKey[],
): Problem[] {
  if (!isMembers(words)) return [];
  const without = known.filter((status) => !Object.hasOwn(words, status));
  const reason = `has no word for ${without.join(', ')}: such ${what} count as other`;
  const names = Object.keys(words).filter((name) => !STATUS_NUMBER.test(name));
  return [
    ...(without.length === 0 ? [] : [doubt(at, reason, words)]),
    ...names.map((name) => doubt([...at, name], 'must be the number of a status', words[name])),
  ];
}

/**
 * Usable settings that do less than they seem to: an address twice gets one mail, an unnamed state counts as
 * `other`.
 * @param owner an entry or the defaults
 * @param at its place
 */
function doubtfulSettings(owner: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(owner)) return [];
  const { recipients, invoiceStatuses, refunds } = owner;
  const statuses = isMembers(refunds) ? refunds.statuses : undefined;
  const refundsAt = [...at, 'refunds', 'statuses'];
  const given = isMembers(statuses) && Object.keys(statuses).length > 0 ? statuses : undefined;
  const isNetKnown = given === undefined || Object.values(given).includes('approved');
  const unknownNet = 'names no status "approved": the net of a report is unknown';
  return [
    ...repeatedRecipients(recipients, [...at, 'recipients']),
    ...wordsOfStatuses(invoiceStatuses, KNOWN_INVOICE_STATUSES, 'invoices', [...at, 'invoiceStatuses']),
    ...wordsOfStatuses(given, KNOWN_REFUND_STATUSES, 'refunds', refundsAt),
    ...(isNetKnown ? [] : [doubt(refundsAt, unknownNet, given)]),
  ];
}

/** Statements that say how long they wait, and never when they come. `null` switches them off on purpose. */
function doubtfulStatements(
  entry: unknown,
  settings: { statements?: StatementSettings | undefined } | undefined,
  at: readonly PropertyKey[],
): Problem[] {
  const own = isMembers(entry) ? entry.statements : undefined;
  if (!isMembers(own) || own.weekly === null || own.monthly === null) return [];
  const statements = settings?.statements;
  if (settings === undefined || statements?.weekly !== undefined || statements?.monthly !== undefined)
    return [];
  return [doubt([...at, 'statements'], 'has neither "weekly" nor "monthly": no statement comes', undefined)];
}

/** The bad defaults that each entry and each group inherits. */
interface Heirs {
  entries: BadDefault[];
  groups: BadDefault[];
}

/** `2 entries and 1 group inherit it`; `undefined` when nothing does. */
function inheritedBy(bad: BadDefault, { entries, groups }: Heirs): string | undefined {
  const count = (list: readonly BadDefault[]) => list.filter((one) => one === bad).length;
  const [ofEntries, ofGroups] = [count(entries), count(groups)];
  const heirs = [
    ...(ofEntries === 0 ? [] : [`${ofEntries} ${ofEntries === 1 ? 'entry' : 'entries'}`]),
    ...(ofGroups === 0 ? [] : [counted(ofGroups, 'group')]),
  ];
  if (heirs.length === 0) return undefined;
  return `${heirs.join(' and ')} ${ofEntries + ofGroups === 1 ? 'inherits' : 'inherit'} it`;
}

function doubtfulGroup(group: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(group)) return [];
  const { daily = false, weekly, monthly, recipients, merchants } = group;
  const isNever = daily === false && weekly === undefined && monthly === undefined;
  const never = 'has neither "daily": true nor "weekly" or "monthly": no page of it comes by itself';
  const isSentToNobody = Array.isArray(recipients) && recipients.length === 0;
  return [
    ...(isNever ? [doubt(at, never, undefined)] : []),
    ...(isSentToNobody ? [doubt([...at, 'recipients'], 'is empty: nobody gets its pages', recipients)] : []),
    ...repeatedRecipients(recipients, [...at, 'recipients']),
    ...repeated(merchants, [...at, 'merchants'], (first) => `is the code of merchants[${first}], too`),
  ];
}

function readFrame(registry: Members) {
  const problems: Problem[] = [];
  const add = (name: string, reason: string, value: unknown) =>
    problems.push(doubt([name], value === undefined ? `is missing, ${reason}` : reason, value));
  const { service, defaults = {}, merchants, groups = [] } = registry;
  const read = serviceSchema.safeParse(service);
  if (!isMembers(service)) add('service', 'must be object', service);
  else if (!read.success) problems.push(...problemsOf(read.error, service, ['service']));
  if (!isMembers(defaults)) add('defaults', 'must be object', defaults);
  if (!Array.isArray(merchants)) add('merchants', 'must be array', merchants);
  else if (merchants.length > MOST_MERCHANTS)
    add('merchants', `has more than ${MOST_MERCHANTS} entries`, merchants);
  if (!Array.isArray(groups)) add('groups', 'must be array', groups);
  else if (groups.length > MOST_GROUPS) add('groups', TOO_MANY_GROUPS, groups);
  return {
    defaults: isMembers(defaults) ? defaults : {},
    merchants: Array.isArray(merchants) ? merchants : [],
    groups: Array.isArray(groups) ? groups.slice(0, MOST_GROUPS) : [],
    problems,
  };
}

function problemsOfDefaults(defaults: Members, heirs: Heirs): Problem[] {
  return readDefaults(defaults).bad.flatMap((bad) => {
    const consequence = inheritedBy(bad, heirs);
    if (consequence === undefined) return bad.problems;
    return bad.problems.map((problem) => ({ ...problem, consequence }));
  });
}

/** The code of the merchant whose entry a place is in, `null` without a usable one. */
export function codeAt(merchants: readonly unknown[], [first, index]: readonly PropertyKey[]): string | null {
  return first === 'merchants' && typeof index === 'number' ? usableCode(merchants[index]) : null;
}

/**
 * Every problem, for people who edit the registry: goes on after any, and names settings that do less than
 * they seem to. Linear time.
 * @param json the parsed text, in which repeated names cannot be seen
 */
export function registryProblems(json: unknown): MerchantProblem[] {
  if (!isMembers(json))
    return [{ at: [], reason: 'must be object', value: json, candidates: [], merchantCode: null }];
  const { defaults, merchants, groups, problems } = readFrame(json);
  const heirs: Heirs = { entries: [], groups: [] };
  const ofEntries = merchants.map((entry, index) => {
    const at = ['merchants', index];
    const { settings, problems: found = [], inherited = [] } = readEntry(defaults, entry, at);
    heirs.entries.push(...inherited);
    return { found, doubtful: [...doubtfulSettings(entry, at), ...doubtfulStatements(entry, settings, at)] };
  });
  const ofGroups = groups.map((group, index) => {
    const at = ['groups', index];
    const { problems: found = [], inherited = [] } = readGroup(defaults, group, at);
    heirs.groups.push(...inherited);
    return { found, doubtful: doubtfulGroup(group, at) };
  });
  const codeOf = (first: number) => `is the code of merchants[${first}], too`;
  const nameOf = (first: number) => `is the name of groups[${first}], too`;
  const rules = rulesOfRegistry({ defaults, merchants });
  const lists: (readonly Problem[])[] = [
    problems,
    problemsOfDefaults(defaults, heirs),
    ofEntries.flatMap(({ found }) => found),
    repeated(merchants, ['merchants'], codeOf, usableCode, 'merchantCode'),
    ofGroups.flatMap(({ found }) => found),
    repeated(groups, ['groups'], nameOf, usableName, 'name'),
    unknownMembers({ ...json, defaults, merchants, groups }),
    rules.problems,
    rules.unknown,
    doubtfulSettings(defaults, ['defaults']),
    ofEntries.flatMap(({ doubtful }) => doubtful),
    ofGroups.flatMap(({ doubtful }) => doubtful),
  ];
  return lists.flat().map((problem) => ({ ...problem, merchantCode: codeAt(merchants, problem.at) }));
}
