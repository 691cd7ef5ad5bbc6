import { boundedDifferences } from '#records/balance/comparisons.ts';
import type { FoundDifference } from '#records/balance/comparisons.ts';
import { dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { invoiceState } from '#records/figures/invoice-state-totals.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { paymentDay } from '#records/figures/outcome-tally.ts';
import type { PaymentBounds } from '#records/figures/outcome-tally.ts';
import { isMembers } from '#records/json/exact-json.ts';
import type { Invoice } from '#records/rows/contract-records.ts';
import { shownId } from '#records/rows/drift-tallies.ts';
import type { PageSettings } from '#page/page-settings.ts';
import type { PaymentsClient } from '#service/client.ts';
import { ContractError } from '#service/errors.ts';
import {
  methodName,
  readTransactions,
  transactionIds,
  TransactionListMissingError,
} from '#service/transactions/transaction-list.ts';
import type { Transactions } from '#service/transactions/transaction-list.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Pull, Witness } from './pull-day.ts';

const MOST_IDS = 5;

/**
 * The operator's transaction list of a day, against which what came in on it is held: the count, the sum, both by each method
 * that both name, and the day's own payments by their ids.
 */
class SecondWitness implements Witness {
  readonly #transactions: Transactions;
  readonly #settings: PageSettings;
  readonly #bounds: PaymentBounds;
  readonly #unknown: { count: number; ids: string[] } = { count: 0, ids: [] };
  #compared = 0;

  constructor(transactions: Transactions, settings: PageSettings, bounds: PaymentBounds) {
    this.#transactions = transactions;
    this.#settings = settings;
    this.#bounds = bounds;
  }

  /** Looks for its payment, if it was paid on the day. */
  see(invoice: Invoice): void {
    const { invoiceStatuses = {} } = this.#settings;
    if (invoiceState(invoiceStatuses, invoice.invoice_status) !== 'paid') return;
    if (paymentDay(invoice, this.#bounds) !== this.#bounds.from) return;
    const { transaction } = invoice;
    const ids = isMembers(transaction) ? transactionIds(transaction) : [];
    if (ids.length === 0 || this.#transactions.ids.size === 0) return;
    this.#compared += 1;
    if (ids.some((id) => this.#transactions.ids.has(id))) return;
    this.#unknown.count += 1;
    if (this.#unknown.ids.length < MOST_IDS) this.#unknown.ids.push(shownId(invoice.id));
  }

  heard(pull: Pull, received: Received | null): Pull {
    const { ignore } = this.#settings.balance;
    const found = Map.groupBy(this.#differences(received), ({ name }) => ignore.includes(name));
    const differences = [...pull.differences, ...boundedDifferences(found.get(false) ?? [])];
    const notCompared = [...pull.notCompared, ...boundedDifferences(found.get(true) ?? [])];
    return {
      ...pull,
      differences,
      notCompared,
      figures: { ...pull.figures, balanced: differences.length === 0 },
    };
  }

  *#differences(received: Received | null): Generator<FoundDifference> {
    const { count, ids } = this.#unknown;
    if (count > 0) {
      const what = 'payments of the day by their ids';
      yield { name: 'transactionIds', what, service: this.#compared - count, rows: this.#compared, ids };
    }
    // Of a payment without a time, and of one in another currency, it is not known that the list has it on this day.
    if (received === null || received.basis.seen > 0 || received.basis.otherCurrency > 0) return;
    const { all, byMethod } = this.#transactions;
    const listed = all.value();
    if (listed.count !== received.count)
      yield {
        name: 'transactionCount',
        what: 'transaction list, count',
        service: listed.count,
        rows: received.count,
      };
    if (listed.amount !== received.sum)
      yield {
        name: 'transactionAmount',
        what: 'transaction list, amount',
        service: listed.amount,
        rows: received.sum,
      };
    for (const { method, count: rows, amount } of received.byMethod) {
      const own = method === null ? undefined : byMethod.get(methodName(method))?.value();
      if (own === undefined || (own.count === rows && own.amount === amount)) continue;
      const what = `transaction list, ${String(method)}`;
      yield {
        name: 'transactionMethods',
        what,
        service: `${own.count}: ${own.amount}`,
        rows: `${rows}: ${amount}`,
      };
    }
  }
}

/**
 * Reads the transaction list of a day that is over. `undefined` for one that goes on, and when there is no list that can be
 * read: ops hear it once, and the day goes on.
 * @param path of the list at the service
 * @throws {PaymentsError} when the service cannot be read at all
 */
export async function secondWitness(
  { clock, telemetry, opsNotices }: Pick<Dependencies, 'clock' | 'telemetry' | 'opsNotices'>,
  client: PaymentsClient,
  path: string,
  { settings, day }: { settings: PageSettings; day: Day },
): Promise<Witness | undefined> {
  const { merchantCode, timeZone } = settings;
  const until = dayAt(clock.now(), timeZone);
  if (until <= day) return undefined;
  try {
    const transactions = await readTransactions(client, path, day);
    return new SecondWitness(transactions, settings, { timeZone, from: day, until });
  } catch (error) {
    const isMissing = error instanceof TransactionListMissingError;
    if (!isMissing && !(error instanceof ContractError)) throw error;
    telemetry.logError(error);
    await opsNotices.notifyOnce({
      about: `transaction list ${path}: ${isMissing ? 'missing' : 'not as it is read'}`,
      merchants: [merchantCode],
      days: [day],
      happened: isMissing ? 'the service has no transaction list' : 'the transaction list cannot be read',
      meaning: [
        isMissing
          ? `The service answers "Request not found" at service.transactionsPath, ${path}.`
          : `The list at service.transactionsPath, ${path}, is not as it is read: ${error.message}.`,
        'Days are sealed and mailed as without it: what came in is not held against a second list. It is said once for all merchants.',
      ],
      tried: ['Each pull of a day asks for the list again.'],
      toDo: ['Correct service.transactionsPath in the registry, or take it out: then nothing is asked.'],
      headings: [],
      commands: [],
    });
    return undefined;
  }
}
