import { dayIn } from '#records/day/business-day.ts';
import { FirstFew } from '#records/figures/first-few.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import { invoiceState } from '#records/figures/invoice-state-totals.ts';
import { integerText, textOrDigits } from '#records/json/exact-json.ts';
import { parseAmount } from '#records/money/money.ts';
import type { Integer } from '#records/json/exact-json.ts';
import type { AlertItem } from '#records/ledger/alert-line.ts';

export const MOST_ITEMS = 5;
/** UTF-16 units of a number or a reference. The mail and the state have no room for longer ones. */
const LONGEST_TEXT = 64;

export interface ExpiringItem extends AlertItem {
  createdOn: string;
  expiresOn: string;
}

/** Invoices and refunds behind a check's figures, the most important first. Customers' names are never in it. */
export interface Behind {
  unpaid: readonly AlertItem[];
  cancelled: readonly AlertItem[];
  refunds: readonly AlertItem[];
  /** The first few to expire of each sealed day. */
  expiring: readonly ExpiringItem[];
}

export const NOTHING_BEHIND: Behind = { unpaid: [], cancelled: [], refunds: [], expiring: [] };

interface ItemSource {
  id: Integer;
  /** As the service sent it: any text, which may be hostile, or no text. */
  reference: unknown;
  amount: string;
  expiresOn: unknown;
  currency: string;
}

function beginning(text: string): string {
  return text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '');
}

export function itemOf(
  { id, reference, amount, expiresOn, currency }: ItemSource,
  isReferenceShown: boolean,
): AlertItem {
  const text = textOrDigits(reference) ?? '';
  return {
    id: beginning(integerText(id)),
    reference: isReferenceShown && text !== '' ? beginning(text) : null,
    amount,
    expiresOn: dayIn(expiresOn),
    currency,
  };
}

/** With equal amounts, the order of the ids decides. */
export function byAmount(one: AlertItem, other: AlertItem): number {
  const difference = parseAmount(other.amount) - parseAmount(one.amount);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
}

/** With equal dates, the larger amount first. */
export function byExpiry(one: ExpiringItem, other: ExpiringItem): number {
  if (one.expiresOn !== other.expiresOn) return one.expiresOn < other.expiresOn ? -1 : 1;
  return byAmount(one, other);
}

/** Each once, however often the service lists it. */
export class FirstItems<Item extends AlertItem = AlertItem> extends FirstFew<Item> {
  constructor(compare: (one: Item, other: Item) => number) {
    super(MOST_ITEMS, compare);
  }

  override add(item: Item): void {
    if (!this.items().some(({ id }) => id === item.id)) super.add(item);
  }
}

interface InvoiceSource {
  id: Integer;
  invoice_status: Integer;
  reference_number?: unknown;
  amount: string;
  expires_at?: unknown;
}

/** Keeps the largest unpaid and cancelled invoices of any number. @param names without any, nothing is kept */
export function invoicesBehind(names: InvoiceStatusNames, isReferenceShown: boolean, currency: string) {
  const unpaid = new FirstItems(byAmount);
  const cancelled = new FirstItems(byAmount);
  return {
    add({
      id,
      invoice_status: status,
      reference_number: reference,
      amount,
      expires_at,
    }: InvoiceSource): void {
      const state = invoiceState(names, status);
      if (state !== 'notPaid' && state !== 'cancelled') return;
      const source = { id, reference, amount, expiresOn: expires_at, currency };
      (state === 'notPaid' ? unpaid : cancelled).add(itemOf(source, isReferenceShown));
    },
    items: () => ({ unpaid: unpaid.items(), cancelled: cancelled.items() }),
  };
}
