import * as z from 'zod';
import { integerText } from '../json/exact-json.ts';
import type { Integer, Members } from '../json/exact-json.ts';
import { CountedSum, formatAmount, parseAmount } from '../money/money.ts';
import { FREE, placeIn } from '../rows/id-set.ts';
import type { Day } from '../day/business-day.ts';
import { FirstFew } from '../figures/first-few.ts';
import { invoiceState, statusName } from '../figures/invoice-state-totals.ts';
import type { InvoiceStatusNames } from '../figures/invoice-state-totals.ts';
import { sealedInvoiceSchema } from '../rows/contract-records.ts';
import { amount, integer } from '../rows/contract-types.ts';

export interface RowState {
  /** `null` when the registry does not name it. */
  state: string | null;
  /** Decimal string with three fraction digits. */
  amount: string;
}

export interface ComparedRow extends RowState {
  id: Integer;
}

const refundRow = z.lazy(() => z.object({ id: integer, amount, status: integer }));

/** What a mail shows of an invoice, which cannot be redacted. @throws {z.ZodError} without a column */
export function comparedInvoice(row: Members, names: InvoiceStatusNames | undefined): ComparedRow {
  const { id, amount: sum, invoice_status: status } = sealedInvoiceSchema.parse(row);
  const state = names === undefined ? null : (invoiceState(names, status) ?? 'other');
  return { id, state, amount: sum };
}

/** `null` for a refund of another day, as in `RefundDayTotals`. @throws {z.ZodError} without a column */
export function comparedRefund(
  row: Members,
  day: Day,
  names: Readonly<Record<string, string>>,
): ComparedRow | null {
  const { id, amount: sum, status } = refundRow.parse(row);
  if (row['refund_at'] !== day) return null;
  return { id, state: statusName(names, status) ?? 'other', amount: sum };
}

/** `was: null`: it is new. `is: null`: it is gone. */
export interface ChangedRow {
  id: string;
  was: RowState | null;
  is: RowState | null;
}

/** Changed rows that went the same way. Without `was` they are new, without `is` they are gone. */
export interface Move {
  was?: RowState['state'];
  is?: RowState['state'];
  count: number;
  /** Their sum as it is, of gone ones as it was: a decimal string with three fraction digits. */
  amount: string;
  /** How many of them have another amount than before. */
  otherAmount: number;
}

export interface ChangedRows {
  count: number;
  first: ChangedRow[];
  moves: Move[];
}

export const NO_CHANGES: ChangedRows = { count: 0, first: [], moves: [] };

/** They take 44 MB. */
export const MOST_COMPARED_ROWS = 1_000_000;
export const MOST_LISTED = 10;

/** Whose id or amount no number holds exactly. No day has many. */
const MOST_ODD_ROWS = 10_000;
/** The table is never fuller than this. A fuller table makes searching slow. */
const MOST_OF_ROOM = 2 / 3;
const SMALLEST = 16;

function roomFor(rows: number): number {
  return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(rows / MOST_OF_ROOM)));
}

/** `undefined` when no number holds it exactly. */
function exactThousandths(amount: string): number | undefined {
  const thousandths = Number(amount.replace('.', ''));
  return Number.isSafeInteger(thousandths) ? thousandths : undefined;
}

function stateOf({ state, amount }: RowState): RowState {
  return { state, amount };
}

function isSame(one: RowState, other: RowState): boolean {
  return one.state === other.state && parseAmount(one.amount) === parseAmount(other.amount);
}

interface Listed {
  row: ChangedRow;
  id: bigint;
  size: bigint;
}

function sizeOf(state: RowState | null): bigint {
  const amount = state === null ? 0n : parseAmount(state.amount);
  return amount < 0n ? -amount : amount;
}

function byAmount(one: Listed, other: Listed): number {
  if (one.size !== other.size) return one.size > other.size ? -1 : 1;
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
}

class Changes {
  readonly #few = new FirstFew(MOST_LISTED, byAmount);
  readonly #moves = new Map<
    string,
    { sum: CountedSum; way: Pick<Move, 'was' | 'is'>; otherAmount: number }
  >();
  #count = 0;

  add(id: bigint, was: RowState | null, is: RowState | null): void {
    this.#count += 1;
    this.#addMove(was, is);
    const [before, after] = [sizeOf(was), sizeOf(is)];
    this.#few.add({ row: { id: id.toString(), was, is }, id, size: before > after ? before : after });
  }

  #addMove(was: RowState | null, is: RowState | null): void {
    const way = { ...(was !== null && { was: was.state }), ...(is !== null && { is: is.state }) };
    const name = JSON.stringify(way);
    const move = this.#moves.get(name) ?? { way, sum: new CountedSum(), otherAmount: 0 };
    this.#moves.set(name, move);
    move.sum.add(parseAmount((is ?? was)?.amount ?? '0.000'));
    if (was !== null && is !== null && parseAmount(was.amount) !== parseAmount(is.amount))
      move.otherAmount += 1;
  }

  all(): ChangedRows {
    return {
      count: this.#count,
      first: this.#few.items().map(({ row }) => row),
      moves: [...this.#moves.values()].map(({ way, sum, otherAmount }) => ({
        ...way,
        ...sum.value(),
        otherAmount,
      })),
    };
  }
}

/**
 * Compares rows by id, in any order: the payment service promises none. Earlier rows take 21 bytes a place,
 * of later ones only the first changed are kept. Linear in the rows.
 */
export class RowComparison {
  readonly #ids: Float64Array;
  /** Thousandths. */
  readonly #amounts: Float64Array;
  /** Places in {@link #names}, of which there are few. */
  readonly #states: Uint32Array;
  readonly #names: RowState['state'][] = [];
  readonly #seen: Uint8Array;
  /** By id. What a number cannot hold exactly. */
  readonly #odd = new Map<string, RowState>();
  readonly #changes = new Changes();
  readonly #most: number;
  #rows = 0;
  #isTooLarge = false;

  constructor(rows: number) {
    this.#isTooLarge = rows > MOST_COMPARED_ROWS;
    const room = roomFor(this.#isTooLarge ? 0 : rows);
    this.#most = room * MOST_OF_ROOM;
    this.#ids = new Float64Array(room).fill(FREE);
    this.#amounts = new Float64Array(room);
    this.#states = new Uint32Array(room);
    this.#seen = new Uint8Array(room);
  }

  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  addEarlier(row: ComparedRow): void {
    if (this.#isTooLarge) return;
    const thousandths = exactThousandths(row.amount);
    if (typeof row.id !== 'number' || thousandths === undefined) {
      this.#odd.set(integerText(row.id), stateOf(row));
      this.#isTooLarge = this.#odd.size > MOST_ODD_ROWS;
      return;
    }
    this.#rows += 1;
    if (this.#rows > this.#most) {
      this.#isTooLarge = true;
      return;
    }
    const place = placeIn(this.#ids, row.id);
    this.#ids[place] = row.id;
    this.#amounts[place] = thousandths;
    const known = this.#names.indexOf(row.state);
    this.#states[place] = known === -1 ? this.#names.push(row.state) - 1 : known;
  }

  addLater(row: ComparedRow): void {
    if (this.#isTooLarge) return;
    const was = this.#takeEarlier(row.id);
    if (was !== null && isSame(was, row)) return;
    this.#changes.add(BigInt(integerText(row.id)), was, stateOf(row));
  }

  /** `null` when there were too many rows. */
  changes(): ChangedRows | null {
    if (this.#isTooLarge) return null;
    for (const [place, id] of this.#ids.entries()) {
      if (Number.isNaN(id) || this.#seen[place] === 1) continue;
      this.#seen[place] = 1;
      this.#changes.add(BigInt(id), this.#stateAt(place), null);
    }
    for (const [id, state] of this.#odd) this.#changes.add(BigInt(id), state, null);
    this.#odd.clear();
    return this.#changes.all();
  }

  /** `null` when the row is new. Marks it as found. */
  #takeEarlier(id: Integer): RowState | null {
    const place = typeof id === 'number' ? placeIn(this.#ids, id) : -1;
    if (this.#ids[place] === id) {
      this.#seen[place] = 1;
      return this.#stateAt(place);
    }
    if (this.#odd.size === 0) return null;
    const digits = integerText(id);
    const odd = this.#odd.get(digits) ?? null;
    this.#odd.delete(digits);
    return odd;
  }

  #stateAt(place: number): RowState {
    const amount = formatAmount(BigInt(this.#amounts[place] ?? 0));
    return { state: this.#names[this.#states[place] ?? 0] ?? null, amount };
  }
}
