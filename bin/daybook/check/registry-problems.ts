import { isMembers } from '#records/json/exact-json.ts';
import type { Problem, MerchantProblem } from '#registry/problem.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';
import { rulesOfRegistry } from '#alerts/rules/rule.ts';
import type { Members } from '#records/json/exact-json.ts';
import { readDefaults, readEntry } from '#registry/entry.ts';
import type { BadDefault } from '#registry/entry.ts';
import { readGroup, usableName } from '#registry/group.ts';
import { MOST_GROUPS, TOO_MANY_GROUPS } from '#registry/groups.ts';
import { usableCode, MOST_MERCHANTS } from '#registry/registry.ts';
import { problemsOf } from '#registry/problem.ts';
import { serviceSchema } from '#registry/registry-schema.ts';
import { unknownMembers } from '#registry/unknown-members.ts';
import { fieldPath } from '#records/json/schema-issue.ts';

const KNOWN_INVOICE_STATUSES = ['0', '1', '3'];
const KNOWN_REFUND_STATUSES = ['1'];

const STATUS_NUMBER = /^-?\d+$/;

function doubt(at: readonly PropertyKey[], reason: string, value: unknown): Problem {
  return { at, reason, value, candidates: [] };
}

/** What is in a list twice. @param says what is wrong with it, by the place of the first */
function repeated(
  list: unknown,
  at: readonly PropertyKey[],
  says: (first: number) => string,
  keyOf = (value: unknown) => value,
): Problem[] {
  const places = new Map<unknown, number>();
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  return all.flatMap((value, index) => {
    const first = places.get(keyOf(value));
    if (first !== undefined) return [doubt([...at, index], says(first), value)];
    places.set(keyOf(value), index);
    return [];
  });
}

function repeatedRecipients(recipients: unknown, at: readonly PropertyKey[]): Problem[] {
  const says = (first: number) => `is the address of recipients[${first}], too`;
  // What is no text is no address, and another problem.
  return repeated(recipients, at, says, (one) =>
    typeof one === 'string' ? one.toLowerCase() : Symbol('none'),
  );
}

/** Numbers that the contract shows without a word, and names that are no numbers. */
function wordsOfStatuses(
  words: unknown,
  known: readonly string[],
  what: string,
  at: readonly PropertyKey[],
): { lacking: Problem[]; noNumbers: Problem[] } {
  if (!isMembers(words)) return { lacking: [], noNumbers: [] };
  const without = known.filter((status) => !Object.hasOwn(words, status));
  const reason = `has no word for ${without.join(', ')}: such ${what} count as other`;
  return {
    lacking: without.length === 0 ? [] : [doubt(at, reason, words)],
    noNumbers: Object.keys(words)
      .filter((name) => !STATUS_NUMBER.test(name))
      .map((name) => doubt([...at, name], 'must be the number of a status', words[name])),
  };
}

/**
 * Usable settings that do less than they seem to: an address twice gets one mail, an unnamed state counts as
 * `other`.
 * @param owner an entry or the defaults
 * @param at its place
 */
function doubtfulSettings(owner: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!isMembers(owner)) return [];
  const invoices = [...at, 'invoiceStatuses'];
  const ofInvoices = wordsOfStatuses(owner.invoiceStatuses, KNOWN_INVOICE_STATUSES, 'invoices', invoices);
  const statuses = isMembers(owner.refunds) ? owner.refunds.statuses : undefined;
  const refunds = [...at, 'refunds', 'statuses'];
  const isEmpty = !isMembers(statuses) || Object.keys(statuses).length === 0;
  const ofRefunds = wordsOfStatuses(
    isEmpty ? undefined : statuses,
    KNOWN_REFUND_STATUSES,
    'refunds',
    refunds,
  );
  const isNetKnown = isEmpty || Object.values(statuses).includes('approved');
  return [
    ...repeatedRecipients(owner.recipients, [...at, 'recipients']),
    ...ofInvoices.lacking,
    ...ofInvoices.noNumbers,
    ...ofRefunds.lacking,
    ...(isNetKnown
      ? []
      : [doubt(refunds, 'names no status "approved": the net of a report is unknown', statuses)]),
    ...ofRefunds.noNumbers,
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

class HeirCounts {
  readonly #entries = new Map<BadDefault, number>();
  readonly #groups = new Map<BadDefault, number>();

  note(inherited: readonly BadDefault[], owner: 'entry' | 'group'): void {
    const counts = owner === 'entry' ? this.#entries : this.#groups;
    for (const bad of inherited) counts.set(bad, (counts.get(bad) ?? 0) + 1);
  }

  /** `2 entries and 1 group inherit it`; `undefined` when nothing does. */
  consequenceOf(bad: BadDefault): string | undefined {
    const [entries, groups] = [this.#entries.get(bad) ?? 0, this.#groups.get(bad) ?? 0];
    if (entries + groups === 0) return undefined;
    const heirs = [
      ...(entries === 0 ? [] : [`${entries} ${entries === 1 ? 'entry' : 'entries'}`]),
      ...(groups === 0 ? [] : [`${groups} ${groups === 1 ? 'group' : 'groups'}`]),
    ];
    return `${heirs.join(' and ')} ${entries + groups === 1 ? 'inherits' : 'inherit'} it`;
  }
}

class FirstPlaces {
  readonly #list: string;
  readonly #places = new Map<string, number>();

  constructor(list: string) {
    this.#list = list;
  }

  /** What is wrong when it was there before. @param what it is, such as `the name of` */
  look(name: string | null, index: number, member: string, what: string): Problem[] {
    if (name === null) return [];
    const first = this.#places.get(name);
    if (first === undefined) {
      this.#places.set(name, index);
      return [];
    }
    const reason = `is ${what} ${fieldPath([this.#list, first])}, too`;
    return [{ at: [this.#list, index, member], reason, value: name, candidates: [] }];
  }
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

function problemAt(name: string, reason: string, value: unknown): Problem {
  const said = value === undefined ? `is missing, ${reason}` : reason;
  return { at: [name], reason: said, value, candidates: [] };
}

function readFrame(registry: Members) {
  const problems: Problem[] = [];
  const service = serviceSchema.safeParse(registry.service);
  if (!isMembers(registry.service)) problems.push(problemAt('service', 'must be object', registry.service));
  else if (!service.success) problems.push(...problemsOf(service.error, registry.service, ['service']));
  const { defaults = {}, merchants, groups = [] } = registry;
  if (!isMembers(defaults)) problems.push(problemAt('defaults', 'must be object', defaults));
  if (!Array.isArray(merchants)) problems.push(problemAt('merchants', 'must be array', merchants));
  else if (merchants.length > MOST_MERCHANTS) {
    problems.push(problemAt('merchants', `has more than ${MOST_MERCHANTS} entries`, merchants));
  }
  if (!Array.isArray(groups)) problems.push(problemAt('groups', 'must be array', groups));
  else if (groups.length > MOST_GROUPS) problems.push(problemAt('groups', TOO_MANY_GROUPS, groups));
  return {
    defaults: isMembers(defaults) ? defaults : {},
    merchants: Array.isArray(merchants) ? merchants : [],
    groups: Array.isArray(groups) ? groups.slice(0, MOST_GROUPS) : [],
    problems,
  };
}

function problemsOfDefaults(defaults: Members, heirs: HeirCounts): Problem[] {
  return readDefaults(defaults).bad.flatMap((bad) => {
    const consequence = heirs.consequenceOf(bad);
    if (consequence === undefined) return bad.problems;
    return bad.problems.map((problem) => ({ ...problem, consequence }));
  });
}

interface FoundInGroups {
  problems: Problem[];
  doubtful: Problem[];
}

function lookAtGroups(defaults: Members, groups: readonly unknown[], heirs: HeirCounts): FoundInGroups {
  const found: FoundInGroups = { problems: [], doubtful: [] };
  const names = new FirstPlaces('groups');
  for (const [index, group] of groups.entries()) {
    const at = ['groups', index];
    const { problems = [], inherited = [] } = readGroup(defaults, group, at);
    heirs.note(inherited, 'group');
    for (const problem of problems) found.problems.push(problem);
    for (const problem of doubtfulGroup(group, at)) found.doubtful.push(problem);
    found.problems.push(...names.look(usableName(group), index, 'name', 'the name of'));
  }
  return found;
}

/**
 * Every problem, for people who edit the registry: goes on after any, and names settings that do less than
 * they seem to. Linear time.
 * @param json the parsed text, in which repeated names cannot be seen
 */
export function registryProblems(json: unknown): MerchantProblem[] {
  const nobody = { merchantCode: null };
  if (!isMembers(json)) {
    return [{ at: [], reason: 'must be object', value: json, candidates: [], ...nobody }];
  }
  const { defaults, merchants, groups, problems } = readFrame(json);
  const ofEntries: MerchantProblem[] = [];
  const doubtful: MerchantProblem[] = [];
  const heirs = new HeirCounts();
  const codes = new FirstPlaces('merchants');
  for (const [index, entry] of merchants.entries()) {
    const at = ['merchants', index];
    const merchantCode = usableCode(entry);
    const { settings, problems: found = [], inherited = [] } = readEntry(defaults, entry, at);
    heirs.note(inherited, 'entry');
    for (const problem of found) ofEntries.push({ ...problem, merchantCode });
    for (const problem of doubtfulSettings(entry, at)) doubtful.push({ ...problem, merchantCode });
    for (const problem of doubtfulStatements(entry, settings, at))
      doubtful.push({ ...problem, merchantCode });
    for (const problem of codes.look(merchantCode, index, 'merchantCode', 'the code of')) {
      ofEntries.push({ ...problem, merchantCode });
    }
  }
  const ofGroups = lookAtGroups(defaults, groups, heirs);
  const rules = rulesOfRegistry({ defaults, merchants });
  const all: MerchantProblem[] = [];
  // One by one: a call with some hundred thousand arguments overflows the stack.
  const add = (list: readonly (Problem & Partial<MerchantProblem>)[]) => {
    for (const problem of list) all.push({ ...nobody, ...problem });
  };
  add(problems);
  add(problemsOfDefaults(defaults, heirs));
  add(ofEntries);
  add(ofGroups.problems);
  add(unknownMembers({ ...json, defaults, merchants, groups }));
  add(rules.problems);
  add(rules.unknown);
  add(doubtfulSettings(defaults, ['defaults']));
  add(doubtful);
  add(ofGroups.doubtful);
  return all;
}
