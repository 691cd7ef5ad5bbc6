import { hash } from 'node:crypto';
import * as z from 'zod';
import { comparedAs, type FoundDifference } from '#records/balance/comparisons.ts';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { invoiceState } from '#records/figures/invoice-state-totals.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { paymentDay, type PageOutcomes, type PaymentBounds } from '#records/figures/outcome-tally.ts';
import { isMembers, textOrDigits, type Members } from '#records/json/exact-json.ts';
import { CountedSum, SumsByKey, parseDecimal } from '#records/money/money.ts';
import { daysOf } from '#records/period/period.ts';
import { shownId } from '#records/rows/drift-tallies.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { PaymentsClient } from '#service/client.ts';
import { countOf } from '#service/envelope/answer-schemas.ts';
import {
  CipherError,
  ContractError,
  LoginRefusedError,
  NotFoundError,
  PaymentsError,
} from '#service/errors.ts';
import { withMerchantClient, type ClientRequest } from '#service/with-merchant-client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Witness } from './pull-day.ts';

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

/** For a list that never states its end. */
const MOST_PAGES = 2_000;
const MOST_TRANSACTIONS = 250_000;
/** A service with a text for each transaction must not fill the memory. */
const MOST_METHODS = 1_000;

/** By which a transaction is known, with their members' names: of a row of the list or of the `transaction` of an invoice. */
function transactionIds(transaction: Members): { name: string; id: string }[] {
  const ids = ID_MEMBERS.map((name) => ({ name, id: textOrDigits(transaction[name])?.trim() ?? '' }));
  return ids.filter(({ id: { length } }) => length >= SHORTEST_ID && length <= LONGEST_ID);
}

const methodName = (text: string) => text.trim().toLowerCase();

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
 * shape of a row is not published, so any list and any of the usual names is taken.
 * @throws {ContractError} when there is no list, or a row has no status or amount that can be read
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readTransactions(client: Pick<PaymentsClient, 'read'>, path: string, day: Day) {
  const all = new CountedSum();
  /** By each name and number that a row gives its method. */
  const byMethod = new SumsByKey<string>();
  /** By the name of their member. */
  const ids = new Map<string, Set<string>>();
  const seen = new Set<string>();
  let listPath: string | undefined;
  for (let page = 1; ; page += 1) {
    const operation = `transaction list (page ${page})`;
    const wrong = (at: string, what: string) => new ContractError({ operation }, at, what);
    const range = { fromDate: day, toDate: day, page: page.toString() };
    const query = { ...range, nostats: '1', paymentType: '', serviceType: SERVICE_TYPE };
    const answer = await client.read({ operation, path, query, schema: z.unknown() });
    const found = transactionsIn(answer, listPath);
    if (found === undefined) throw wrong('response', 'has no list of transactions');
    listPath = found.path;
    const known = seen.size;
    for (const [index, row] of found.rows.entries()) {
      const at = `${found.path}[${index}]`;
      if (!isMembers(row)) throw wrong(at, 'must be object');
      // Of a row without an id, and of an endless id, the text must not be kept.
      const key = hash('sha256', textOrDigits(row['id']) ?? JSON.stringify(row), 'base64');
      if (seen.has(key)) continue;
      seen.add(key);
      const status = textOrDigits(row['status'] ?? row['payment_status']) ?? '';
      if (OTHERS.has(status)) continue;
      if (!CAME_IN.has(status)) throw wrong(`${at}.status`, 'must be a published number');
      const amount = parseDecimal(textOrDigits(row['amount'] ?? row['Amount']) ?? '');
      if (amount === null) throw wrong(`${at}.amount`, 'must be an amount');
      all.add(amount);
      for (const { name, id } of transactionIds(row)) ids.set(name, (ids.get(name) ?? new Set()).add(id));
      const methods = METHOD_MEMBERS.flatMap((name) => textOrDigits(row[name]) ?? []);
      const names = methods.filter(({ length }) => length <= LONGEST_ID).map(methodName);
      for (const name of new Set(names))
        if (byMethod.has(name) || byMethod.size < MOST_METHODS) byMethod.addTo(name, amount);
    }
    // The last page has nothing new, or says that it is the last.
    const { pagination } = found.beside;
    const totalPages = isMembers(pagination) ? countOf(pagination['total_pages']) : null;
    if (seen.size === known || (totalPages !== null && page >= totalPages)) return { all, byMethod, ids };
    if (page === MOST_PAGES || seen.size > MOST_TRANSACTIONS)
      throw wrong(found.path, 'has more transactions than can be read');
  }
}

const MOST_IDS = 5;

/** Holds what came in against the transaction list: count and sum, both by method, and the day's payments by ids. */
function witnessOf(
  { all, byMethod, ids: listedIds }: Awaited<ReturnType<typeof readTransactions>>,
  { invoiceStatuses = {}, balance, followFor }: PageSettings,
  bounds: PaymentBounds,
): Witness {
  const { from: day } = bounds;
  let [compared, lacking] = [0, 0];
  /** Of the first invoices whose payment the list lacks. */
  const ids: string[] = [];
  /** What both sides say, also where it is the same. */
  const compare = (received: Received | null, others: readonly PageOutcomes[]): FoundDifference[] => {
    const what = 'payments of the day by their ids';
    const byIds = { name: 'transactionIds', what, service: compared - lacking, rows: compared, ids } as const;
    // Of a payment without a time, and of one in another currency, it is not known that the list has it on this day.
    if (received === null || received.basis.seen > 0 || received.basis.otherCurrency > 0) return [byIds];
    // The list also has payments of earlier days' invoices.
    const known = new Set(others.flatMap((other) => (other.outcomes ? [other.day] : [])));
    const followed = daysOf({ from: addDays(day, -followFor), to: addDays(day, -1) });
    if (followFor === 0 || !followed.every((one) => known.has(one))) return [byIds];
    const { count, amount } = all.value();
    return [
      byIds,
      { name: 'transactionCount', what: 'transaction list, count', service: count, rows: received.count },
      { name: 'transactionAmount', what: 'transaction list, amount', service: amount, rows: received.sum },
      ...received.byMethod.flatMap(({ method, count: own, amount: sum }): FoundDifference[] => {
        const listed = method === null ? undefined : byMethod.get(methodName(method))?.value();
        if (listed === undefined) return [];
        const service = `${listed.count}: ${listed.amount}`;
        const rows = `${own}: ${sum}`;
        return [{ name: 'transactionMethods', what: `transaction list, ${method}`, service, rows }];
      }),
    ];
  };
  return {
    see(invoice) {
      if (invoiceState(invoiceStatuses, invoice.invoice_status) !== 'paid') return;
      const { transaction } = invoice;
      if (!isMembers(transaction) || paymentDay(invoice, bounds) !== day) return;
      const own = transactionIds(transaction).filter(({ name }) => listedIds.has(name));
      if (own.length === 0) return;
      compared += 1;
      if (own.some(({ name, id }) => listedIds.get(name)?.has(id))) return;
      lacking += 1;
      if (ids.length < MOST_IDS) ids.push(shownId(invoice.id));
    },
    heard(pull, received, others) {
      const found = compare(received, others).filter(({ service, rows }) => service !== rows);
      const compared = comparedAs(found, balance.ignore);
      const differences = [...pull.differences, ...compared.differences];
      const notCompared = [...pull.notCompared, ...compared.notCompared];
      const figures = { ...pull.figures, balanced: differences.length === 0 };
      return { ...pull, differences, notCompared, figures };
    },
  };
}

/** Of the time for the pull, so that a slow list leaves enough for the day's own rows. */
const SHARE_OF_TIME = 1 / 3;

/**
 * Reads the transaction list of a day that is over, with a client of its own: its limit, too, says nothing of other paths.
 * `undefined` for a day that goes on, and when the list cannot be read: ops hear it once for each cause.
 * @throws {LoginRefusedError} as each read of the day would
 */
export async function secondWitness(
  dependencies: Dependencies,
  day: Day,
  { service, settings, deadline }: ClientRequest & { settings: PageSettings },
): Promise<Witness | undefined> {
  const { clock, telemetry, opsNotices } = dependencies;
  const { merchantCode, timeZone } = settings;
  const { transactionsPath: path } = service;
  const now = clock.now();
  const until = dayAt(now, timeZone);
  if (path === undefined || until <= day) return undefined;
  const own = { service, settings, deadline: now + (deadline - now) * SHARE_OF_TIME };
  try {
    const transactions = await withMerchantClient(dependencies, own, (client) =>
      readTransactions(client, path, day),
    );
    return witnessOf(transactions, settings, { timeZone, from: day, until });
  } catch (error) {
    const isOfService = error instanceof PaymentsError || error instanceof CipherError;
    if (!isOfService || error instanceof LoginRefusedError) throw error;
    const isMissing = error instanceof NotFoundError;
    telemetry.logError(error);
    await opsNotices.notifyOnce({
      about: `transaction list ${path}: ${error.name}`,
      merchants: [merchantCode],
      days: [day],
      happened: isMissing ? 'the service has no transaction list' : 'the transaction list cannot be read',
      meaning: [
        `At service.transactionsPath, ${path}: ${error.message}.`,
        'Days are sealed and mailed as without it: what came in is not held against a second list. It is said once for all merchants and each cause.',
      ],
      tried: ['Each pull of a day asks for the list again.'],
      toDo: [
        'If it stays so, correct service.transactionsPath in the registry, or take it out: then nothing is asked.',
      ],
      headings: [],
      commands: [],
    });
    return undefined;
  }
}
