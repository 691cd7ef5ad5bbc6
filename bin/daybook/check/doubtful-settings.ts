import { isMembers } from '#records/json/exact-json.ts';
import type { Problem } from '#registry/problem.ts';
import type { StatementSettings } from '#registry/statement-settings.ts';

const KNOWN_INVOICE_STATUSES = ['0', '1', '3'];
const KNOWN_REFUND_STATUSES = ['1'];

const STATUS_NUMBER = /^-?\d+$/;

export function doubt(at: readonly PropertyKey[], reason: string, value: unknown): Problem {
  return { at, reason, value, candidates: [] };
}

/** Addresses that come again, whatever their case. */
export function repeatedRecipients(recipients: unknown, at: readonly PropertyKey[]): Problem[] {
  if (!Array.isArray(recipients)) return [];
  const places = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [index, address] of recipients.entries()) {
    if (typeof address !== 'string') continue;
    const first = places.get(address.toLowerCase());
    if (first === undefined) places.set(address.toLowerCase(), index);
    else problems.push(doubt([...at, index], `is the address of recipients[${first}], too`, address));
  }
  return problems;
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
export function doubtfulSettings(owner: unknown, at: readonly PropertyKey[]): Problem[] {
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
export function doubtfulStatements(
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
