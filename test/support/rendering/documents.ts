import { documentColumns } from '#page/rendering/document/document.ts';
import type { DocumentColumn, SummaryDocument } from '#page/rendering/document/document.ts';
import { isolated } from '#mail/formatters/outside-text.ts';

/** The first column begins at the start; those of figures end at the end. */
export function columnsOf(first: string, ...figures: string[]): DocumentColumn[] {
  return documentColumns([first], figures);
}

/** The rows of a month of 30 days: the day, its revision, its invoices, and three amounts. */
function monthRows(month: string, written: (number: string) => string): string[][] {
  return Array.from({ length: 30 }, (_, index) => [
    written(`${index + 1} ${month}`),
    written('1'),
    written(`${380 + index}`),
    written(`2,${200 + index * 7}.125`),
    written(`${700 + index}.000`),
    written(`-${70 + index}.250`),
  ]);
}

/** A document as a statement could be one, of two pages, in English. */
export const ENGLISH_DOCUMENT: SummaryDocument = {
  language: 'en',
  direction: 'ltr',
  title: 'Statement for November 2026',
  subtitle: 'Al Noor Trading · 700001 · 2026-11, revision 1',
  notices: ['Provisional: 2 of 30 days are not sealed yet: 29 and 30 November 2026.'],
  facts: [
    { label: 'Merchant', value: `Al Noor Trading (${isolated('شركة النور للتجارة')})` },
    { label: 'Period', value: '1 November 2026 to 30 November 2026 (Kuwait time)' },
    { label: 'Currency', value: 'Kuwaiti dinar (KWD)' },
  ],
  sections: [
    {
      title: 'Totals',
      note: 'Sums of the sealed days. Amounts in KWD.',
      columns: columnsOf('Figure', 'Count', 'Amount'),
      rows: [
        ['Paid', '8,220', '68,196.840'],
        ['Unpaid', '2,700', '21,004.125'],
        ['Cancelled', '1,080', '9,412.000'],
        ['Refunds', '360', '-2,273.228'],
      ],
      total: ['Net', '', '65,923.612'],
    },
    {
      title: 'Day by day',
      columns: columnsOf('Day', 'Revision', 'Invoices', 'Paid', 'Unpaid', 'Refunds'),
      rows: monthRows('November 2026', (number) => number),
      total: ['30 days', '', '12,000', '68,196.840', '21,004.125', '-2,273.228'],
    },
  ],
  footer: 'Al Noor Trading · 700001 · 2026-11 · revision 1',
  metadata: { title: 'Statement 2026-11', author: 'Daybook', createdAt: '2026-12-01T06:00:00.000Z' },
};

const arabic = (number: string) =>
  number
    .replaceAll(',', '٬')
    .replaceAll('.', '٫')
    .replace(/[0-9]/g, (digit) => String.fromCharCode(0x06_60 + Number(digit)));

/** The same in Arabic, with Latin digits in the first table and Arabic ones in the second. */
export const ARABIC_DOCUMENT: SummaryDocument = {
  language: 'ar',
  direction: 'rtl',
  title: 'كشف حساب شهر نوفمبر 2026',
  subtitle: `شركة الأفق للتجارة · 700003 · ${isolated('2026-11')}، المراجعة 1`,
  notices: ['مؤقت: يومان من أصل 30 يومًا لم يُختما بعد، وهما 29 و30 نوفمبر 2026.'],
  facts: [
    { label: 'التاجر', value: `شركة الأفق للتجارة (${isolated('Horizon Trading Co. W.L.L.')})` },
    { label: 'الفترة', value: 'من 1 نوفمبر 2026 إلى 30 نوفمبر 2026 (توقيت الكويت)' },
    { label: 'العملة', value: 'دينار كويتي (KWD)' },
  ],
  sections: [
    {
      title: 'المجاميع',
      note: 'مجموع الأيام المختومة. المبالغ بالدينار الكويتي.',
      columns: columnsOf('البيان', 'العدد', 'المبلغ'),
      rows: [
        ['مدفوعة', '8,220', isolated('68,196.840')],
        ['غير مدفوعة', '2,700', isolated('21,004.125')],
        ['ملغاة', '1,080', isolated('9,412.000')],
        ['مبالغ مستردة', '360', isolated('-2,273.228')],
      ],
      total: ['الصافي', '', isolated('65,923.612')],
    },
    {
      title: 'يومًا بيوم',
      columns: columnsOf('اليوم', 'المراجعة', 'الفواتير', 'مدفوعة', 'غير مدفوعة', 'مسترد'),
      rows: monthRows('نوفمبر 2026', arabic),
      total: ['30 يومًا', '', '12,000', '68,196.840', '21,004.125', '-2,273.228'].map(arabic),
    },
  ],
  footer: `شركة الأفق للتجارة · 700003 · ${isolated('2026-11')} · المراجعة 1`,
  metadata: { title: 'كشف حساب 2026-11', author: 'Daybook', createdAt: '2026-12-01T06:00:00.000Z' },
};
