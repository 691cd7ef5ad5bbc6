import type { SummaryDocument } from '#page/rendering/document/document.ts';

/** What `document` measured. Processor time in milliseconds; `peak` is the largest resident set, bytes. */
export interface MeasuredDocument {
  load: number;
  first: number;
  second: number;
  peak: number;
}

/** A table of a merchant's days, or of merchants, with five amounts a row. */
function documentOf(rows: number): SummaryDocument {
  const amounts = (row: number) =>
    Array.from({ length: 5 }, (_, column) => `${row * 7 + column},234.5${row % 90}0`);
  return {
    language: 'ar',
    direction: 'rtl',
    title: 'كشف حساب شهر نوفمبر 2026',
    subtitle: 'شركة الأفق للتجارة',
    notices: [],
    facts: [],
    sections: [
      {
        title: 'يومًا بيوم',
        columns: ['اليوم', 'مدفوعة', 'غير مدفوعة', 'ملغاة', 'مسترد', 'الصافي'].map(
          (head, index) => ({ head, align: index === 0 ? 'start' : 'end' }) as const,
        ),
        rows: Array.from({ length: rows }, (_, row) => [`شركة Al-Noor ${row} للتجارة`, ...amounts(row)]),
      },
    ],
    footer: 'شركة الأفق للتجارة',
    metadata: { title: 'كشف حساب', author: 'Daybook', createdAt: '2026-12-01T06:00:00.000Z' },
  };
}

function since(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** Not at the top level: the parts that a bundle loads later import the entry, and would wait for its end. */
async function measure(rows: number): Promise<MeasuredDocument> {
  const document = documentOf(rows);
  const began = process.cpuUsage();
  const { writePdf } = await import('#page/rendering/document/write-pdf.ts');
  const { readDocumentFonts } = await import('#page/document-fonts.ts');
  const fonts = await readDocumentFonts();
  const load = since(began);
  const beforeFirst = process.cpuUsage();
  await writePdf(document, fonts);
  const first = since(beforeFirst);
  const beforeSecond = process.cpuUsage();
  await writePdf(document, fonts);
  const second = since(beforeSecond);
  return { load, first, second, peak: process.resourceUsage().maxRSS * 1_024 };
}

void measure(Number(process.argv[2])).then((measured) => process.send?.(measured));
