import { hash } from 'node:crypto';
import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { isMembers, textOrDigits } from '#records/json/exact-json.ts';
import type { Members } from '#records/json/exact-json.ts';
import { CountedSum, parseAmount } from '#records/money/money.ts';
import { countOf } from './envelope/answer-schemas.ts';
import type { PaymentsClient } from './client.ts';
import { ContractError } from './errors.ts';

/** Of invoices: they are sent by SMS. */
const SERVICE_TYPE = '2';
/** Success, and what is one: also what was paid and went back. Not: failed (0) and authorised (4). */
const CAME_IN: ReadonlySet<string> = new Set(['1', '2', '3', '6', '8', '9', '10', '11']);
const OTHERS: ReadonlySet<string> = new Set(['0', '4']);

const METHOD_MEMBERS = ['payment_type', 'payment_type_id', 'payment_name', 'display_name'];
const ID_MEMBERS = ['transaction_id', 'payment_id', 'track_id'];
/** A shorter one may be the number of a payment type. */
const SHORTEST_ID = 6;
const LONGEST_ID = 64;

const AMOUNT = /^(\d{1,15})(?:\.(\d{1,3}))?$/;

/** For a list that never states its end. */
const MOST_PAGES = 2_000;
const MOST_TRANSACTIONS = 250_000;
/** A service with a text for each transaction must not fill the memory. */
const MOST_METHODS = 1_000;

/** By which a transaction is known, with their members' names: of a row of the list or of the `transaction` of an invoice. */
export function transactionIds(transaction: Members): { name: string; id: string }[] {
  const ids = ID_MEMBERS.map((name) => ({ name, id: textOrDigits(transaction[name])?.trim() ?? '' }));
  return ids.filter(({ id: { length } }) => length >= SHORTEST_ID && length <= LONGEST_ID);
}

/** As names of payment methods are compared. */
export function methodName(text: string): string {
  return text.trim().toLowerCase();
}

/** What came in on a day by the transaction list. */
export interface Transactions {
  all: CountedSum;
  /** By each name and number that a row gives its method. */
  byMethod: ReadonlyMap<string, CountedSum>;
  /** By the name of their member. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A list in an answer, and the members beside it. */
interface FoundList {
  rows: readonly unknown[];
  path: string;
  beside: Members;
}

function listsIn(value: unknown, path = 'response', beside: Members = {}): FoundList[] {
  if (Array.isArray(value)) return [{ rows: value, path, beside }];
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => listsIn(member, `${path}.${name}`, value));
}

/** The one of the page before, or the first of records. An empty one only where there is no other. */
function transactionsIn(value: unknown, before: string | undefined): FoundList | undefined {
  const lists = listsIn(value);
  return (
    lists.find(({ path }) => path === before) ??
    lists.find(({ rows }) => rows.some(isMembers)) ??
    lists.find(({ rows }) => rows.length > 0) ??
    lists[0]
  );
}

/**
 * Reads what came in on a day for invoices by the operator's transaction list (docs/contract.md, 4.6 Transaction list). The
 * shape of a row is not published, so any list and any of the usual names is taken; pages are read until one has
 * nothing new, or is the last by `pagination`.
 * @param path of the list at the service
 * @throws {ContractError} when there is no list, or a row has no status or amount that can be read
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readTransactions(
  client: Pick<PaymentsClient, 'read'>,
  path: string,
  day: Day,
): Promise<Transactions> {
  const all = new CountedSum();
  const byMethod = new Map<string, CountedSum>();
  const ids = new Map<string, Set<string>>();
  const seen = new Set<string>();
  let listPath: string | undefined;
  for (let page = 1; ; page += 1) {
    const operation = `transaction list (page ${page})`;
    const range = { fromDate: day, toDate: day, page: page.toString() };
    const query = { ...range, nostats: '1', paymentType: '', serviceType: SERVICE_TYPE };
    const answer = await client.read({ operation, path, query, schema: z.unknown() });
    const found = transactionsIn(answer, listPath);
    if (found === undefined)
      throw new ContractError({ operation }, 'response', 'has no list of transactions');
    listPath = found.path;
    const known = seen.size;
    for (const [index, row] of found.rows.entries()) {
      const at = `${found.path}[${index}]`;
      if (!isMembers(row)) throw new ContractError({ operation }, at, 'must be object');
      // Of a row without an id, and of an endless id, the text must not be kept.
      const key = hash('sha256', textOrDigits(row['id']) ?? JSON.stringify(row), 'base64');
      if (seen.has(key)) continue;
      seen.add(key);
      const amount = cameIn(row, operation, at);
      if (amount === null) continue;
      all.add(amount);
      for (const { name, id } of transactionIds(row)) ids.set(name, (ids.get(name) ?? new Set()).add(id));
      for (const name of methodsOf(row)) {
        const sum = byMethod.get(name) ?? new CountedSum();
        if (byMethod.size < MOST_METHODS) byMethod.set(name, sum);
        sum.add(amount);
      }
    }
    const { pagination } = found.beside;
    const totalPages = isMembers(pagination) ? countOf(pagination['total_pages']) : null;
    if (seen.size === known || (totalPages !== null && page >= totalPages)) return { all, byMethod, ids };
    if (page === MOST_PAGES || seen.size > MOST_TRANSACTIONS)
      throw new ContractError({ operation }, found.path, 'has more transactions than can be read');
  }
}

/** In thousandths. `null` for what did not come in. */
function cameIn(row: Members, operation: string, at: string): bigint | null {
  const status = textOrDigits(row['status'] ?? row['payment_status']) ?? '';
  if (OTHERS.has(status)) return null;
  if (!CAME_IN.has(status))
    throw new ContractError({ operation }, `${at}.status`, 'must be a published number');
  const [, whole, decimals = ''] = AMOUNT.exec(textOrDigits(row['amount'] ?? row['Amount']) ?? '') ?? [];
  if (whole === undefined) throw new ContractError({ operation }, `${at}.amount`, 'must be an amount');
  return parseAmount(`${whole}.${decimals.padEnd(3, '0')}`);
}

function methodsOf(row: Members): Set<string> {
  const texts = METHOD_MEMBERS.flatMap((name) => textOrDigits(row[name]) ?? []);
  return new Set(texts.filter(({ length }) => length <= LONGEST_ID).map(methodName));
}
