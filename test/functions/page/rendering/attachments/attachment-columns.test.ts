import { describe, expect, it } from 'vitest';
import { peopleCells, workbookColumns } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { LANGUAGES, textsIn } from '#mail/texts/texts.ts';
import { refundRecord } from '#support/domain/sample-records.ts';

const NO_NAMES = workbookColumns({ refunds: { statuses: {} } });

const DAY = '2026-11-20';

describe.each(LANGUAGES)('the heads of tables in %s', (language) => {
  const texts = textsIn(language);
  it.each([
    ['invoices', NO_NAMES.invoices],
    ['refunds', NO_NAMES.refunds],
  ])('are different, also without capitals: %s', (_table, columns) => {
    const heads = columns.map(({ head }) => texts.say(head).toLocaleLowerCase(texts.locale));
    expect(new Set(heads).size).toBe(heads.length);
  });

  it('and the names of sheets are ones that a spreadsheet takes', () => {
    const names = (['workbook.summary', 'workbook.invoices', 'workbook.refunds'] as const).map((name) =>
      texts.say(name),
    );
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[^[\]/\\:*?']{1,31}$/);
  });
});

describe('the columns of a workbook', () => {
  const heads = (columns: readonly { head: string }[]) => columns.map(({ head }) => head);
  it('have the numbers of statuses only where no word stands for them', () => {
    const named = workbookColumns({
      invoiceStatuses: { 1: 'paid' },
      refunds: { statuses: { 1: 'approved' } },
    });
    expect(heads(NO_NAMES.invoices)).toContain('columns.status');
    expect(heads(named.invoices)).not.toContain('columns.status');
    expect(heads(NO_NAMES.refunds)).toContain('refundColumns.status');
    expect(heads(named.refunds)).not.toContain('refundColumns.status');
  });
});

it('the rows of both sheets have the members of an allowed list, and no token, key or link', () => {
  const paths = (columns: readonly { path: readonly string[] }[]) =>
    columns.map(({ path }) => path.join('.')).filter((path) => path !== '');
  const { invoices, refunds } = workbookColumns({
    invoiceStatuses: { 1: 'paid' },
    refunds: { statuses: { 1: 'approved' } },
  });
  expect(paths(invoices)).toEqual([
    ...['id', 'invoice_type', 'reference_number', 'invoice_status', 'amount', 'admin_charge'],
    ...['service_charge', 'discount', 'payment_method', 'customer.name', 'customer.email'],
    ...['customer.phone_number', 'description', 'created_at', 'updated_at', 'expires_at'],
    ...['transaction.payment_id', 'transaction.transaction_id', 'transaction.paid_on'],
    'transaction.payment_type',
  ]);
  expect(paths(refunds)).toEqual([
    ...['id', 'refund_at', 'status', 'amount', 'total_transaction_amount', 'transaction_date'],
    ...['order_reference_number', 'document_number', 'transaction.display_name'],
    ...['transaction.transaction_id', 'remarks', 'created_at', 'updated_at'],
  ]);
});

describe('a refund in words', () => {
  const statuses = { 0: 'pending', 1: 'approved', 4: 'held-back' };
  const words = new AttachmentWords(
    { language: 'en', refunds: { statuses }, attachments: { paymentMethods: { KNET: 'debit card' } } },
    DAY,
  );
  const cells = (changes: object) =>
    peopleCells(
      { ...refundRecord(), refund_at: DAY, ...changes },
      workbookColumns({ refunds: { statuses } }).refunds.filter(({ head }) =>
        ['refundColumns.state', 'refundColumns.countsIn', 'refundColumns.paidWith'].includes(head),
      ),
      words,
    );

  it.each([
    [0, 'Pending'],
    [1, 'Approved'],
    [4, 'held-back'],
    [7, 'Other'],
    ['constructor', 'Other'],
  ])('has for the status %j the word %s', (status, word) => {
    expect(cells({ status })[0]).toBe(word);
  });

  it.each([
    [DAY, 'Refunds of the day'],
    ['2026-11-21', 'Not on this day: it has another date'],
    ['0000-00-00', 'Not counted: it has no usable date'],
    ['2026-02-30', 'Not counted: it has no usable date'],
  ])('of %s counts in: %s', (refund_at, word) => {
    expect(cells({ refund_at, transaction_date: `${DAY} 09:30:00` })[1]).toBe(word);
  });

  it('has the payment method by the registry', () => {
    expect(cells({})[2]).toBe('Debit card');
  });
});
