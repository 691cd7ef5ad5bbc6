import type { Manifest } from '#records/revision/manifest.ts';
import { peopleCells, workbookColumns } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { summaryRows, type SummaryRow } from '#page/rendering/attachments/summary-rows.ts';
import { LANGUAGES, textsIn, type Language } from '#mail/texts/texts.ts';
import { refundRecord } from '#support/records/records.ts';
import { aManifest, MERCHANT, NO_AMOUNTS } from '#support/rendering/reports.ts';

const NO_NAMES = workbookColumns({ refunds: { statuses: {} } });
const NAMED = workbookColumns({ invoiceStatuses: { 1: 'paid' }, refunds: { statuses: { 1: 'approved' } } });
const DAY = '2026-11-20';

it.each(LANGUAGES)(
  'in %s columns have different heads, and sheets names that a spreadsheet takes',
  (language) => {
    const texts = textsIn(language);
    for (const columns of Object.values(NO_NAMES)) {
      const heads = columns.map(({ head }) => texts.say(head).toLocaleLowerCase(texts.locale));
      expect(new Set(heads).size).toBe(heads.length);
    }
    const sheets = ['workbook.summary', 'workbook.invoices', 'workbook.refunds'] as const;
    const names = sheets.map((name) => texts.say(name));
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[^[\]/\\:*?']{1,31}$/);
  },
);

it('the columns of a workbook have the numbers of statuses only where no word stands for them', () => {
  const statuses = ({ invoices, refunds }: typeof NAMED) =>
    [...invoices, ...refunds]
      .map(({ head }) => head)
      .filter((head) => head.toLowerCase().endsWith('.status'));
  expect([statuses(NO_NAMES), statuses(NAMED)]).toEqual([['columns.status', 'refundColumns.status'], []]);
});

it('the rows of both sheets have the members of an allowed list, and no token, key or link', () => {
  const paths = (columns: readonly { path: readonly string[] }[]) =>
    columns.map(({ path }) => path.join('.')).filter((path) => path !== '');
  const { invoices, refunds } = NAMED;
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

const charges = ['admin_charge'] as const;

function summaryOf(changes: Partial<Manifest> = {}, language: Language = 'en', name = 'Kuwait Coffee') {
  const merchant = { ...MERCHANT, name, language, charges };
  const settings = { language, refunds: { statuses: {} }, attachments: { paymentMethods: {} } };
  const manifest = aManifest(changes);
  return summaryRows(merchant, manifest, new AttachmentWords(settings, manifest.day));
}

const values = (rows: SummaryRow[]) => rows.map((row) => row.map(({ value }) => value));

describe('the summary of a workbook', () => {
  it('has the day, whether it was checked, and every figure of the manifest', () => {
    expect(values(summaryOf())).toEqual([
      ['Merchant', 'Kuwait Coffee'],
      ['Day', 46_346],
      ['Checked', 'Yes. All figures match the payment service.'],
      ['Read at', 46_347 + (6 * 3_600 + 7) / 86_400],
      ['Time zone', 'Asia/Kuwait'],
      ['Currency', 'KWD'],
      ['Revision', 1],
      [],
      ['Came in, by the day of the payment', 'Count', 'Amount'],
      ['KNET', 1301, 1_234_567.5],
      ['Total', 1301, 1_234_567.5],
      ['For older invoices', 0, 0],
      [],
      ['Net of the day', null, 'Amount'],
      ['Came in', null, 1_234_567.5],
      ['Approved refunds', null, 140.5],
      ['Charges', null, 400.125],
      ['Net', null, 1_234_026.875],
      ['About these figures', 'Counted on the day of the payment.'],
      [],
      ['Invoices made on 20\u00A0November', 'Count', 'Amount'],
      ['Paid by now', 1301, 1_234_567.5],
      ['Unpaid', 96, 4_210.25],
      ['Expired', 0, 0],
      ['Cancelled', 31, 31],
      ['Other', 0, 0],
      ['Issued', 1428, 1_238_808.75],
      [],
      ['Refunds, by the date of the refund', 'Count', 'Amount'],
      ['Approved', 11, 140.5],
      ['Pending', 1, 3],
      ['held-back', 0, 0],
      ['Total', 12, 143.5],
    ]);
  });

  it('has dates, times and amounts as such, and heads and totals in bold', () => {
    const rows = summaryOf();
    const holds = rows.map((row) => [row[0]?.value, ...row.slice(1).map((cell) => cell.holds)]);
    for (const row of ['Day day', 'Read at time', 'Paid by now integer amount'])
      expect(holds.map((cells) => cells.join(' '))).toContain(row);
    const strong = rows.flatMap((row) => (row[0]?.strong === true ? [row[0].value] : []));
    expect(strong).toEqual([
      'Came in, by the day of the payment',
      'Total',
      'Net of the day',
      'Net',
      'Invoices made on 20\u00A0November',
      'Issued',
      'Refunds, by the date of the refund',
      'Total',
    ]);
  });

  const COUNTS = { total: 3, paid: null, notPaid: 1, cancelled: 0, other: null };
  const EARLIER = { received: null, outcomes: null, breakdown: null };
  const huge = '123456789012345678901234567890.125';
  it.each<[string, SummaryRow[], [string, ...unknown[]][]]>([
    [
      'what is not known, and guesses nothing',
      summaryOf({ counts: COUNTS, amounts: null, balanced: false }),
      [
        ['Paid by now', 'unknown', 'unknown'],
        ['Issued', 3, 'unknown'],
        ['Checked', expect.stringMatching(/^No\. /)],
      ],
    ],
    [
      'the paid invoices made that day, of a page of an earlier version',
      summaryOf(EARLIER),
      [
        ['Paid', null, 1_234_567.5],
        ['Net', null, 'unknown'],
        ['About these figures', expect.stringMatching(/^Invoices made on this day/)],
      ],
    ],
    [
      'that something is left out of the check',
      summaryOf({ notCompared: [{ what: 'refund list, count', service: 1, rows: 2 }] }),
      [['Checked', expect.stringMatching(/^Yes, except/)]],
    ],
    [
      'until when a day is known that was not over, in the merchant’s time zone',
      summaryOf({ soFarUntil: '2026-11-20T12:00:00.900Z' }),
      [['So far, until', 46_346.625]],
    ],
    [
      'a sum as a text when a spreadsheet would change its digits',
      summaryOf({ amounts: { ...NO_AMOUNTS, paid: huge } }),
      [['Paid by now', 1301, huge]],
    ],
    [
      'Arabic words in an Arabic mail',
      summaryOf({}, 'ar'),
      [
        ['مدفوعة حتى الآن', 1301, 1_234_567.5],
        ['مقبولة', 11, 140.5],
      ],
    ],
    ['the merchant’s name on one line', summaryOf({}, 'en', 'a\r\nb\u202E'), [['Merchant', 'a b']]],
    ['the code where no name is visible', summaryOf({}, 'en', '\u200B'), [['Merchant', '700001']]],
  ])('says %s', (_, rows, said) => {
    expect(values(rows)).toEqual(expect.arrayContaining(said));
  });

  it('says nothing of what came in, of a page of an earlier version', () => {
    expect(values(summaryOf(EARLIER)).map(([head]) => head)).not.toContain('Came in');
  });
});
