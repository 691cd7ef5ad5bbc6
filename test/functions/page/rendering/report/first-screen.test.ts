import { describe, expect, it } from 'vitest';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import type { Difference } from '#records/figures/figure-schemas.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import { aManifest, aReport, anEmptyManifest } from '#support/rendering/reports.ts';

const textOf = (input: ReportInput) => inCell(renderReport(input).text);

const COUNTED = 'Counted on the day of the payment.';

/** What comes before the first section. */
function firstScreen(input: ReportInput): string[] {
  const lines = (textOf(input).split('\n\n')[0] ?? '').split('\n').slice(2);
  return lines.filter((line) => line !== COUNTED);
}

const preheaderOf = (input: ReportInput) =>
  /<div style="display:none[^>]*>([^<]*)</
    .exec(renderReport(input).html)?.[1]
    ?.replaceAll('\u00A0', ' ')
    .trim();

const { drift } = aManifest();
/** A day with these charges of what came in, all of which the merchant bears. */
function charged(adminCharge: string | null): ReportInput {
  const { received } = aManifest();
  const charges = [
    { column: 'admin_charge', total: adminCharge },
    { column: 'service_charge', total: '27.000' },
  ] as const;
  const manifest = aManifest({ received: received && { ...received, charges: [...charges] } });
  return aReport({ merchant: { charges: CHARGE_COLUMNS }, manifest });
}
const NOT_SAID = { total: 9, paid: null, notPaid: null, cancelled: null, other: null };

describe('the first screen', () => {
  it('has the charges and a net when the registry names charges', () => {
    expect(firstScreen(charged('400.125')).slice(1, 4)).toEqual([
      'Refunded: 140.500 KWD (3.000 KWD pending)',
      'Charges: 427.125 KWD',
      'Net: 1,233,999.875 KWD',
    ]);
    expect(textOf(charged('400.125'))).toContain(
      'Net: approved refunds and charges (Admin charge, Service charge) are taken off, pending refunds are not. ' +
        'These are the payment service’s records, not a promise of a payout.\n',
    );
  });

  it.each([
    ['invoice statuses are not configured', { amounts: null }, '1,301 of 1,428 invoices paid'],
    ['the service gives no counts', { counts: NOT_SAID, balanced: false }, '1,234,567.500 KWD paid'],
    ['neither is known', { counts: NOT_SAID, amounts: null, balanced: false }, 'Paid: unknown, Total: 9'],
  ])('says what is known when %s', (_when, changes, headline) => {
    expect(firstScreen(aReport({ manifest: aManifest(changes) }))[0]).toBe(headline);
  });

  it.each([
    [
      'the day is unbalanced',
      aReport({ manifest: aManifest({ balanced: false }) }),
      'The figures do not all match the payment service.',
    ],
    [
      'invoice statuses are not configured',
      aReport({ manifest: aManifest({ amounts: null }) }),
      'We do not know for every invoice whether it is paid.',
    ],
    [
      'a refund has a status without a name',
      aReport({
        manifest: aManifest({
          refunds: {
            ...aManifest().refunds,
            byStatus: { approved: { count: 11, total: '140.500' }, other: { count: 1, total: '3.000' } },
          },
          drift: { ...drift, unknownRefundStatuses: { '7': 1 } },
        }),
      }),
      'We do not know for every refund whether it is approved and what its date is.',
    ],
    ['a charge is redacted', charged(null), 'We do not know the charges of every payment.'],
  ])('says that the net is unknown when %s, and why below', (_when, input, reason) => {
    const name = input.merchant.charges === undefined ? 'Came in less refunds' : 'Net';
    expect(firstScreen(input)).toContain(`${name}: unknown (see below)`);
    expect(textOf(input)).toContain(`“${name}” is unknown. ${reason} `);
  });

  it('says until when it is, on a day that is not over', () => {
    const manifest = aManifest({ soFarUntil: '2026-11-20T11:05:00.000Z' });
    expect(firstScreen(aReport({ manifest }))).toEqual([
      '1,234,567.500 KWD came in (today until 14:05)',
      'Refunded: 140.500 KWD (3.000 KWD pending)',
      'Came in less refunds: 1,234,427.000 KWD',
      '✓ Checked at 14:05: all figures so far match the payment service',
    ]);
  });
});

describe('the stamp of a day that does not balance', () => {
  const stampOf = (differences: Difference[], changes: Partial<ReportInput> = {}) =>
    firstScreen(aReport({ manifest: aManifest({ balanced: false, differences }), ...changes })).at(-1);
  const MEANING = 'We will send a correction if anything changes. You need not do anything.';
  const moving = {
    name: 'stablePages',
    what: 'pages while they were read',
    service: 'kept changing',
    rows: 'read three times',
  };
  const paid = { name: 'statsPaid', what: 'stats.invoice_paid', service: 5, rows: 4 };
  const silent = { name: 'statsPaid', what: 'stats.invoice_paid', service: null, rows: 4 };
  const refund = { name: 'knownRefunds', what: 'refund 1400', service: 'not found', rows: null };

  it.each<[string, Difference[], string]>([
    ['pages moved', [moving], 'The service’s totals kept changing while we read them.'],
    [
      'pages moved and totals differ',
      [paid, moving],
      'The service’s totals kept changing while we read them.',
    ],
    ['totals differ', [paid], 'The service’s totals do not match the invoices that it sent.'],
    [
      'pages have other totals',
      [{ name: 'paginationTotal', what: 'pagination.total of invoiceType 6', service: 4, rows: 3 }],
      'The service’s totals do not match the invoices that it sent.',
    ],
    ['totals are missing', [silent], 'The service did not give all of its totals.'],
    [
      'invoices are of another day',
      [{ name: 'invoiceDay', what: 'day of the invoices', service: 9, rows: 8, ids: ['1'] }],
      'The service sent some invoices of another day or another type.',
    ],
    ['a refund is missing', [refund], 'The refunds do not match the payment service’s list.'],
    [
      'fields are repeated',
      [
        {
          name: 'repeatedFields',
          what: 'invoices with amount twice',
          service: 3,
          rows: 'the last value of each',
        },
      ],
      'Some records give one detail twice. We used the last value.',
    ],
    ['there are several kinds', [paid, refund], 'Some figures do not match the payment service.'],
    ['nothing is named', [], 'Some figures do not match the payment service.'],
    [
      'another version names it',
      [{ name: 'newer', what: 'something newer', service: 1, rows: 2 }],
      'Some figures do not match the payment service.',
    ],
  ])('says what it is and what it means when %s', (_when, differences, sentence) => {
    expect(stampOf(differences)).toBe(`${sentence} ${MEANING}`);
    // Manifests of earlier versions have no names.
    const unnamed = differences.map(({ what, service, rows }) => ({ what, service, rows }));
    if (!differences.some(({ name }) => name === 'invoiceDay' || name === 'repeatedFields')) {
      expect(stampOf(unnamed)).toBe(`${sentence} ${MEANING}`);
    }
  });

  it('promises no correction when the day is not read again', () => {
    expect(stampOf([paid], { isReadAgain: false })).toBe(
      'The service’s totals do not match the invoices that it sent. Ask your provider before you rely on these figures.',
    );
  });

  it('is not that all figures match when something is left out of the check, and the details are below', () => {
    const input = aReport({ manifest: aManifest({ notCompared: [paid] }) });
    expect(firstScreen(input).at(-1)).toMatch(/^Checked: the figures match the payment service, except for /);
    expect(textOf(input)).toContain(
      'Your provider leaves this out of the check: Paid invoices: the service says 5, the records say 4\n',
    );
  });
});

describe('what a list of mails shows beside the subject', () => {
  it('is net, refunds and unpaid invoices, and not the subject again', () => {
    const { subject } = renderReport(aReport());
    expect(preheaderOf(aReport())).toBe(
      'Came in less refunds: 1,234,427.000 KWD · Refunded: 140.500 KWD · Unpaid: 96 (4,210.250 KWD)',
    );
    expect(subject).toBe('Kuwait Coffee · 20 Nov · 1,234,567.500 KWD came in');
  });

  it('says what is unknown', () => {
    const manifest = aManifest({ balanced: false, amounts: null, counts: NOT_SAID });
    expect(preheaderOf(aReport({ manifest }))).toBe(
      'Came in less refunds: unknown · Refunded: 140.500 KWD · Unpaid: unknown',
    );
  });

  it('is the check on an empty day', () => {
    expect(preheaderOf(aReport({ manifest: anEmptyManifest() }))).toBe(
      '✓ Checked: all figures match the payment service',
    );
  });
});

describe('the subject', () => {
  it('has the year only when it is not that of the mail', () => {
    const manifest = aManifest({ day: '2025-12-31' });
    expect(renderReport(aReport({ manifest })).subject).toContain(' · 31 Dec 2025 · ');
    expect(renderReport(aReport()).subject).toContain(' · 20 Nov · ');
  });

  it('cuts a long name, so that the amount is in view', () => {
    const { subject } = renderReport(
      aReport({ merchant: { name: 'Kuwait Coffee and Tea Trading Company' } }),
    );
    expect(subject).toBe('Kuwait Coffee and Tea Trading… · 20 Nov · 1,234,567.500 KWD came in');
  });
});

describe('the body', () => {
  it('has no internals but the reference, its last line', () => {
    const { manifest } = aReport();
    const { text, html } = renderReport(
      aReport({ attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }] }),
    );
    for (const part of [text, html]) {
      expect(part).not.toContain(manifest.pull);
      expect(part).not.toMatch(/days\/|invoices\/csv|\.json|\.gz|[Rr]evision/);
    }
    expect(text.trimEnd().split('\n').at(-1)).toBe('Reference 700001 · 2026-11-20 · 1 · cdcdcdcdcdcdcdcd');
  });

  it('says which files are attached', () => {
    const attachments = [
      { kind: 'attached', format: 'csv', rows: 428 },
      { kind: 'attached', format: 'xlsx', rows: 428 },
    ] as const;
    expect(textOf(aReport({ attachments }))).toContain(' Attached: CSV, XLSX (428 rows).\n');
  });
});

it('says of a day without refunds that there are none', () => {
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  const refunds = { ...aManifest().refunds, ...nothing };
  expect(textOf(aReport({ manifest: aManifest({ refunds }) }))).toContain('No refunds on this day.\n');
});
