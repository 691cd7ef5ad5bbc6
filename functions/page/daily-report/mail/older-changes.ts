import { CountedSum, parseAmount, parseSum } from '#records/money/money.ts';
import type { ChangedRow, ChangedRows, Move } from '#records/revision/changed-rows.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { pageSettings, type PageSettings } from '#page/page-settings.ts';
import { MOST_LARGEST } from '#page/rendering/report/older-section.ts';
import type { LargestChange, OlderChanges, Way } from '#page/rendering/report/older-section.ts';
import { rowsIn } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';
import { changedRows } from './compared-revisions.ts';

/** Rows of all days together, so that a mail about many large days is made in time. Of others only the figures are compared. */
const MOST_ROWS = 500_000;

type Ways = Record<Way, CountedSum>;

function byWay<Value>(of: (way: Way) => Value): Record<Way, Value> {
  return {
    paid: of('paid'),
    cancelled: of('cancelled'),
    approved: of('approved'),
    rejected: of('rejected'),
    other: of('other'),
  };
}

function wayOf(table: Table, { was, is }: Pick<Move, 'was' | 'is'>): Way {
  if (was === is) return 'other';
  if (table === 'invoices') return is === 'paid' || is === 'cancelled' ? is : 'other';
  return is === 'approved' || is === 'rejected' ? is : 'other';
}

/** What the figures of two revisions say, where their rows cannot be compared. */
function addFigures(ways: Ways, before: Manifest, after: Manifest): void {
  const difference = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined ? 0n : parseSum(other) - parseSum(one);
  for (const state of ['paid', 'cancelled'] as const) {
    const count = (after.counts[state] ?? 0) - (before.counts[state] ?? 0);
    if (count > 0) ways[state].add(difference(before.amounts?.[state], after.amounts?.[state]), count);
  }
  for (const status of ['approved', 'rejected'] as const) {
    const [was, is] = [before, after].map(({ refunds }) => refunds.byStatus[status]);
    const count = (is?.count ?? 0) - (was?.count ?? 0);
    if (count > 0) ways[status].add(difference(was?.total ?? '0.000', is?.total), count);
  }
}

/** Gathers what changed on the told days. What is kept does not grow with them. */
class OlderTally {
  readonly #byCurrency = new Map<string, Ways>();
  #largest: { change: LargestChange; size: bigint }[] = [];

  waysIn(currency: string): Ways {
    const ways = this.#byCurrency.get(currency) ?? byWay(() => new CountedSum());
    this.#byCurrency.set(currency, ways);
    return ways;
  }

  addRows(table: Table, { moves, first }: ChangedRows, of: { day: string; currency: string }): void {
    const ways = this.waysIn(of.currency);
    for (const move of moves) ways[wayOf(table, move)].add(parseSum(move.amount), move.count);
    const listed = first.map((row) => ({ change: { ...row, ...of, table }, size: sizeOf(row) }));
    // The sort is stable: of changes of the same size, the newest day's come first.
    this.#largest = [...this.#largest, ...listed]
      .sort((one, other) => (one.size === other.size ? 0 : one.size > other.size ? -1 : 1))
      .slice(0, MOST_LARGEST);
  }

  changes(): Pick<OlderChanges, 'sums' | 'largest'> {
    const valueOf = (sum: CountedSum) => {
      const { count, amount } = sum.value();
      return { count, sum: amount };
    };
    return {
      sums: [...this.#byCurrency].map(([currency, ways]) => ({
        currency,
        ways: byWay((way) => valueOf(ways[way])),
      })),
      largest: this.#largest.map(({ change }) => change),
    };
  }
}

function sizeOf({ was, is }: ChangedRow): bigint {
  const [before, after] = [was, is].map((state) => (state === null ? 0n : parseAmount(state.amount)));
  return [before ?? 0n, after ?? 0n].reduce((one, other) => (one > other ? one : other));
}

/**
 * What the page's mail tells of older days, from their manifests and sealed rows alone. `null`: nothing.
 * @param settings of the page @throws {StorageError} when S3 fails
 */
export async function olderChanges(
  snapshots: Pick<DayStore, 'lines' | 'revision'>,
  settings: PageSettings,
  { merchantCode, told, older }: Pick<Manifest, 'merchantCode' | 'told' | 'older'>,
): Promise<OlderChanges | null> {
  if (told.length === 0 && older === null) return null;
  const tally = new OlderTally();
  let left = MOST_ROWS;
  for (const { day, from, to } of told) {
    const place = merchantDay(merchantCode, day);
    const [before, after] = await Promise.all(
      [from, to].map((revision) => unlessSpoilt(() => snapshots.revision({ ...place, revision }))),
    );
    if (before === undefined || after === undefined) continue;
    const own = pageSettings(after, settings);
    const of = { day, currency: own.currency };
    left -= rowsIn([before, after]);
    const rows = left < 0 ? null : await changedRows(snapshots, own, before, after);
    if (rows === null) addFigures(tally.waysIn(own.currency), before, after);
    else {
      tally.addRows('invoices', rows.invoices, of);
      tally.addRows('refunds', rows.refunds, of);
    }
  }
  return { pages: told.map(({ day, to }) => ({ day, revision: to })), ...tally.changes(), older };
}
