import type { Manifest } from '#records/revision/manifest.ts';
import { boundedDifferences } from '#records/balance/comparisons.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aManifest, aReport, anEmptyManifest } from '#support/rendering/reports.ts';

const unbalanced = aManifest({
  balanced: false,
  counts: { total: 1428, paid: 1301, notPaid: 96, cancelled: null, other: null },
  amounts: null,
  differences: [
    { what: 'stats.invoice_paid', service: 1301, rows: 1300 },
    { what: 'pagination.total of invoiceType 6', service: 4, rows: 3 },
    { what: 'pages while they were read', service: 'kept changing', rows: 'read three times' },
    { what: 'refund list, amount', service: '650.000', rows: '143.500' },
    { what: 'refund 1400', service: 'not found', rows: null },
    { what: 'something of another version', service: null, rows: 7 },
  ],
});

const misplacedTypes = (type: number, service: number, rows: number, ids: string[]) => {
  return { name: 'invoiceType', what: `invoice_type of invoiceType ${type}`, service, rows, ids };
};
const misplaced = aManifest({
  balanced: false,
  differences: [
    misplacedTypes(1, 96, 95, ['12']),
    misplacedTypes(6, 4_000, 7, ['12', '15', '18', '21', '24']),
    { name: 'invoiceDay', what: 'day of the invoices', service: 1428, rows: 1425, ids: ['12', '15', '18'] },
  ],
});

const leftOut = aManifest({
  notCompared: [
    { name: 'refundListCount', what: 'refund list, count', service: 13, rows: 12 },
    { name: 'statsCancelled', what: 'stats.invoice_cancelled', service: null, rows: 31 },
    { name: 'invoiceDay', what: 'day of the invoices', service: 1428, rows: 1426, ids: ['12', '15'] },
  ],
});

const repeatedFields = (what: string, service: number) => {
  return { name: 'repeatedFields', what: `${what} twice`, service, rows: 'the last value of each' };
};
const repeated = aManifest({
  balanced: false,
  differences: [
    repeatedFields('invoices with amount', 3),
    repeatedFields('invoices with further fields', 1_200),
    repeatedFields('refunds with (another name)', 1),
  ],
});

/** As a manifest has them that names the first hundred refunds and counts the others. */
const missing = boundedDifferences(
  Array.from({ length: 5_000 }, (_, id) => {
    return { name: 'knownRefunds', what: `refund ${1_400 + id}`, service: 'not found', rows: null };
  }),
);

const arabicMerchant = { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } as const;

const ofManifest: Record<string, Manifest> = {
  empty: anEmptyManifest(),
  ...{ unbalanced, misplaced, 'left-out': leftOut, repeated },
};

it.each<[string, ReportInput]>([
  ['report', aReport({ attachments: [{ kind: 'too-big', format: 'csv', rows: 90_000 }] })],
  ['preview', aReport({ preview: true })],
  ['arabic', aReport({ merchant: arabicMerchant })],
  ...Object.entries(ofManifest).flatMap(([name, manifest]): [string, ReportInput][] => [
    [name, aReport({ manifest })],
    [`arabic-${name}`, aReport({ merchant: arabicMerchant, manifest })],
  ]),
])('the text of %s is the golden text', async (name, input) => {
  const { subject, text } = renderReport(input);
  await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${name}.txt`);
});

it.each([
  ['en', 'differences', 'and 4,950 more'],
  ['ar', 'differences', 'و4,950 سطرًا آخر'],
  ['en', 'notCompared', 'and 4,950 more'],
  ['ar', 'notCompared', 'و4,950 سطرًا آخر'],
] as const)(
  'more differences than a manifest lists are counted with those that the mail has no room for (%s, %s)',
  (language, member, more) => {
    const manifest = aManifest({ balanced: member === 'notCompared', [member]: missing });
    const { text } = renderReport(aReport({ merchant: { language }, manifest }));
    expect(text.replaceAll(/[\u2068\u2069]/g, '')).toContain(more);
    expect(text).not.toContain('more of the comparison');
  },
);

it.each(['\u202E\r\n ', '\u200B\u00AD', '\u3164'])(
  'the subject falls back to the code where nothing of the name can be seen: %j',
  (name) => {
    expect(renderReport(aReport({ merchant: { name } })).subject).toMatch(/^700001 · /);
  },
);

it('an unpaid invoice is named by the first of customer, reference and id that can be seen', () => {
  const lineOf = (customer: string | null, reference: string | null) => {
    const invoice = { id: '501', customer, reference, amount: '12.500', expiresAt: null, url: null };
    const highlights = { largestUnpaid: [invoice], expiringSoon: [], expiringSoonCount: 0, byType: [] };
    return /^ {2}(.*): 12\.500/m.exec(renderReport(aReport({ highlights })).text)?.[1];
  };
  expect(lineOf('نورة', 'INV-1')).toBe('نورة');
  for (const customer of [null, '  ', '\u200F', '\u200B']) {
    expect(lineOf(customer, 'INV-1')).toBe('INV-1');
    expect(lineOf(customer, ' ')).toBe('Invoice 501');
  }
});

it('the invoices are shown by type where there are two types, and not where there is one', () => {
  const states = { paid: 2, notPaid: 0, cancelled: 0, other: 0 };
  const textOf = (types: string[]) => {
    const byType = types.map((type) => ({ type, count: 2, amount: '3.000', ...states }));
    const highlights = { largestUnpaid: [], expiringSoon: [], expiringSoonCount: 0, byType };
    return renderReport(aReport({ highlights })).text;
  };
  expect(textOf(['1', '6']).replaceAll('\u00A0', ' ')).toContain(
    '  By type: Single 2 (3.000), Split 2 (3.000).\n',
  );
  expect(textOf(['1'])).not.toContain('By type');
});

it('there is no green check where a figure is unknown', () => {
  const stampOf = (manifest: Manifest) => {
    const { html } = renderReport(aReport({ manifest }));
    return [...html.matchAll(/<div class="box (\w+)"[^>]*>([^<]*)</g)].map(([, tone, text]) => [tone, text]);
  };
  expect(stampOf(aManifest())).toEqual([['good', '✓ Checked: all figures match the payment service']]);
  const known = 'Checked: the figures that we know match the payment service. Some cannot be known.';
  for (const manifest of [
    aManifest({ amounts: null, received: null }),
    aManifest({ counts: { ...aManifest().counts, paid: null } }),
  ]) {
    const stamp = stampOf(manifest);
    expect(stamp.filter(([tone]) => tone === 'good')).toEqual([]);
    expect(renderReport(aReport({ manifest })).text).toContain(known);
  }
});

describe('the html', () => {
  it('holds every line of the text', () => {
    const { text, html } = renderReport(aReport());
    const words = html
      .replace(/<style>.*<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#39;', "'");
    for (const word of text.match(/\d[\d.,-]{2,}|[A-Za-z’]+/g) ?? []) expect(words).toContain(word);
  });

  it('of an English mail reads from left to right, and knows dark mode', () => {
    const { html } = renderReport(aReport());
    expect(html).toContain('<html lang="en" dir="ltr"');
    expect(html).toMatch(/<meta name="color-scheme" content="light dark"\s*\/?>/);
    // The namespaces of Outlook's XML are not addresses from which anything is loaded.
    expect(html.replace(/<html[^>]*>/, '')).not.toMatch(/<img|<link|https?:|url\(/);
  });

  it('keeps an amount and its currency on one line', () => {
    const { html } = renderReport(aReport());
    const style = 'white-space: nowrap; overflow-wrap: normal;"';
    expect(html).toContain(`${style}><bdi>1,234,427.000\u00A0KWD</bdi></td>`);
    expect(html).toContain(`${style} valign="top"><bdi>1,234,567.500</bdi></td>`);
  });

  it('of an Arabic mail reads from right to left and isolates figures and Latin names', () => {
    const refunds = { ...aManifest().refunds, byStatus: { approved: { count: 1, total: '-1.500' } } };
    const { html } = renderReport(
      aReport({ merchant: { language: 'ar' }, manifest: aManifest({ refunds }) }),
    );
    expect(html).toContain('<html lang="ar" dir="rtl"');
    expect(html).toContain('<bdi>Kuwait Coffee</bdi>');
    expect(html).toContain('تم تحصيل <bdi><bdi>1,234,567.500</bdi>\u00A0د.ك</bdi>');
    expect(html).toContain('<bdi><bdi>-1.500</bdi>\u00A0د.ك</bdi>');
    expect(html).toContain('بتوقيت\u00A0الكويت');
    expect(html).not.toMatch(/[\u2066-\u2069]/);
  });
});
