import { boundedDifferences, type Comparison, type FoundDifference } from '#records/balance/comparisons.ts';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { invoiceState } from '#records/figures/invoice-state-totals.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { paymentDay, type PageOutcomes, type PaymentBounds } from '#records/figures/outcome-tally.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { shownId } from '#records/rows/drift-tallies.ts';
import type { PageSettings } from '#page/page-settings.ts';
import { CipherError, LoginRefusedError, NotFoundError, PaymentsError } from '#service/errors.ts';
import { methodName, readTransactions, transactionIds } from '#service/transaction-list.ts';
import type { Transactions } from '#service/transaction-list.ts';
import { withMerchantClient, type ClientRequest } from '#service/with-merchant-client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Witness } from './pull-day.ts';

const MOST_IDS = 5;

/**
 * The operator's transaction list of a day, against which what came in on it is held: the count, the sum, both by each method
 * that both name, and the day's own payments by their ids.
 */
function witnessOf(
  { all, byMethod, ids: listedIds }: Transactions,
  { invoiceStatuses = {}, balance, followFor }: PageSettings,
  bounds: PaymentBounds,
): Witness {
  let [compared, lacking] = [0, 0];
  /** Of the first invoices whose payment the list lacks. */
  const ids: string[] = [];
  const differencesFrom = (received: Received | null, others: readonly PageOutcomes[]): FoundDifference[] => {
    const what = 'payments of the day by their ids';
    const found = differences('transactionIds', what, compared - lacking, compared);
    const byIds = found.map((one) => ({ ...one, ids }));
    // Of a payment without a time, and of one in another currency, it is not known that the list has it on this day.
    if (received === null || received.basis.seen > 0 || received.basis.otherCurrency > 0) return byIds;
    // The list also has payments of earlier days' invoices.
    if (!isPastKnown(bounds.from, followFor, others)) return byIds;
    const listed = all.value();
    return [
      ...byIds,
      ...differences('transactionCount', 'transaction list, count', listed.count, received.count),
      ...differences('transactionAmount', 'transaction list, amount', listed.amount, received.sum),
      ...received.byMethod.flatMap(({ method, ...own }) => {
        const sum = method === null ? undefined : byMethod.get(methodName(method))?.value();
        if (sum === undefined) return [];
        const [service, rows] = [sum, own].map(({ count, amount }) => `${count}: ${amount}`);
        return differences('transactionMethods', `transaction list, ${method}`, service, rows);
      }),
    ];
  };
  return {
    /** Looks for its payment, if it was paid on the day. */
    see(invoice) {
      if (invoiceState(invoiceStatuses, invoice.invoice_status) !== 'paid') return;
      const { transaction } = invoice;
      if (!isMembers(transaction) || paymentDay(invoice, bounds) !== bounds.from) return;
      const own = transactionIds(transaction).filter(({ name }) => listedIds.has(name));
      if (own.length === 0) return;
      compared += 1;
      if (own.some(({ name, id }) => listedIds.get(name)?.has(id))) return;
      lacking += 1;
      if (ids.length < MOST_IDS) ids.push(shownId(invoice.id));
    },
    heard(pull, received, others) {
      const found = Map.groupBy(differencesFrom(received, others), ({ name }) =>
        balance.ignore.includes(name),
      );
      const disagreeing = [...pull.differences, ...boundedDifferences(found.get(false) ?? [])];
      const notCompared = [...pull.notCompared, ...boundedDifferences(found.get(true) ?? [])];
      const figures = { ...pull.figures, balanced: disagreeing.length === 0 };
      return { ...pull, differences: disagreeing, notCompared, figures };
    },
  };
}

/** Whether the outcomes of each day are known whose invoices are followed. */
function isPastKnown(day: Day, followFor: number, others: readonly PageOutcomes[]): boolean {
  const known = new Set(others.filter(({ outcomes }) => outcomes).map((other) => other.day));
  const followed = Array.from({ length: followFor }, (_, back) => addDays(day, -1 - back));
  return followFor > 0 && followed.every((one) => known.has(one));
}

type Side = FoundDifference['service'];

/** None where both sides are the same. */
function differences(
  name: Comparison,
  what: string,
  service: Side = null,
  rows: Side = null,
): FoundDifference[] {
  return service === rows ? [] : [{ name, what, service, rows }];
}

/** Of the time for the pull, so that a slow list leaves enough for the day's own rows. */
const SHARE_OF_TIME = 1 / 3;

/**
 * Reads the transaction list of a day that is over, with a client of its own: its limit, too, says nothing of other paths.
 * `undefined` for a day that goes on, and when the list cannot be read: ops hear it once for each cause.
 * @param path of the list at the service
 * @throws {LoginRefusedError} as each read of the day would
 */
export async function secondWitness(
  dependencies: Dependencies,
  path: string,
  day: Day,
  { service, settings, deadline }: ClientRequest & { settings: PageSettings },
): Promise<Witness | undefined> {
  const { clock, telemetry, opsNotices } = dependencies;
  const { merchantCode, timeZone } = settings;
  const now = clock.now();
  const until = dayAt(now, timeZone);
  if (until <= day) return undefined;
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
