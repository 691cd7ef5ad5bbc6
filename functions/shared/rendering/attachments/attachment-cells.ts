import type { InvoiceStatusNames } from '#domain/figures/invoice-states.ts';
import { isExactInteger, isMembers } from '#domain/json/exact-json.ts';
import type { Members } from '#domain/json/exact-json.ts';
import { ATTACHMENT_COLUMNS } from './attachment-columns.ts';

function valueAt(row: Members, path: readonly string[]): unknown {
  return path.reduce(
    (value: unknown, name) => (isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    row,
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isExactInteger(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return JSON.stringify(value);
}

/**
 * An invoice in the form of the attachments: a text for each column, `''` for a missing value.
 *
 * @param row of a sealed invoices file, redacted
 * @param invoiceStatuses the registry's names for the values of `invoice_status`, if it has them
 */
export function attachmentCells(row: Members, invoiceStatuses: InvoiceStatusNames | undefined): string[] {
  const stateOf = (status: string) =>
    invoiceStatuses !== undefined && Object.hasOwn(invoiceStatuses, status)
      ? invoiceStatuses[status]
      : undefined;
  return ATTACHMENT_COLUMNS.map(({ name, path }) =>
    cellText(name === 'state' ? stateOf(cellText(valueAt(row, ['invoice_status']))) : valueAt(row, path)),
  );
}
