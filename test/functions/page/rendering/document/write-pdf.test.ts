import { XMLParser } from 'fast-xml-parser';
import type { SummaryDocument } from '#page/rendering/document/document.ts';
import { writePdf } from '#page/rendering/document/write-pdf.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import { defined, fc, forAllAsync, ANY_CHARACTER } from '#support/assertions/index.ts';
import { type PaintedText, readPdf, type ReadPdf } from '#support/readers/read-pdf.ts';
import { ARABIC_DOCUMENT, ENGLISH_DOCUMENT, columnsOf } from '#support/rendering/documents.ts';

const fonts = await readDocumentFonts();
const written = async (document: SummaryDocument, of = fonts) => readPdf(await writePdf(document, of));
const english = await written(ENGLISH_DOCUMENT);
const arabic = await written(ARABIC_DOCUMENT);
/** Points, of A4. */
const WIDTH = 595.28;
const NOTHING = { title: '', subtitle: '', notices: [], facts: [], sections: [], footer: '' };
const EMPTY: SummaryDocument = { ...ENGLISH_DOCUMENT, ...NOTHING };

function turned(text: string): string {
  return Array.from(text).reverse().join('');
}

/** All of a file, page after page. */
function paintedOf({ pages }: ReadPdf): PaintedText[] {
  return pages.flatMap(({ painted }) => painted);
}

function found(file: ReadPdf, text: string): PaintedText {
  return defined(paintedOf(file).find((each) => each.text === text));
}

/** One table of these rows, as it is painted. */
async function tableOf(rows: string[][], document: SummaryDocument = EMPTY): Promise<PaintedText[]> {
  const columns = columnsOf('H0', ...defined(rows[0]?.slice(1)).map((_, index) => `H${index + 1}`));
  return paintedOf(await written({ ...document, sections: [{ title: '', columns, rows }] }));
}

describe('a document', () => {
  it('has the same bytes whatever was written before it and with it', async () => {
    const ofNewFonts = async (document: SummaryDocument) =>
      Buffer.from(await writePdf(document, { ...fonts }));
    const alone = await ofNewFonts(ARABIC_DOCUMENT);
    const documents = [ENGLISH_DOCUMENT, ARABIC_DOCUMENT, EMPTY, ARABIC_DOCUMENT];
    const files = await Promise.all(documents.map((document) => writePdf(document, fonts)));
    expect(alone.equals(defined(files[1]))).toBe(true);
    expect(alone.equals(defined(files[3]))).toBe(true);
    expect((await ofNewFonts(ENGLISH_DOCUMENT)).equals(defined(files[0]))).toBe(true);
    const metadata = { ...ARABIC_DOCUMENT.metadata, createdAt: '2026-12-01T06:00:01.000Z' };
    expect((await ofNewFonts({ ...ARABIC_DOCUMENT, metadata })).equals(alone)).toBe(false);
  });

  it.each([
    ['digits', 'متجر ٠١٢٣٤٥٦٧٨٩', 'متجر ۰۱۲۳۴۵۶۷۸۹'],
    ['Arabic letters', 'شركة بيت', 'شرکت ایران بیت'],
    ['Latin letters', 'Cafe', 'Café'],
  ])('can be searched and copied after one whose %s are made of the same parts', async (_, title, before) => {
    const own = { ...fonts };
    await writePdf({ ...EMPTY, title: before }, own);
    const { pages } = await written({ ...EMPTY, title }, own);
    expect(pages[0]?.texts).toContain(title);
  });

  it.each([
    ['English', english, ENGLISH_DOCUMENT],
    ['Arabic', arabic, ARABIC_DOCUMENT],
  ])('in %s says its language, title, author and time, and is tagged', (_, file, document) => {
    expect(file).toMatchObject({
      language: document.language,
      title: document.metadata.title,
      author: 'Daybook',
      createdAt: 'D:20261201060000Z',
      isTagged: true,
    });
    for (const { width, height } of file.pages) expect([width, height]).toEqual([WIDTH, 841.89]);
  });

  it('has a structure that programs read aloud, its tables with heads', () => {
    for (const part of [
      'Document(H1 P P Table(TR(TH TD) TR(TH TD) TR(TH TD)) Sect(H2 P Table(',
      'Table(THead(TR(TH TH TH)) TBody(TR(TD TD TD)',
      'TFoot(TR(TD TD TD)))',
    ])
      expect(english.pages[0]?.structure).toContain(part);
  });

  it('has only the letters of its fonts that it needs', async () => {
    expect(fonts.regular.length).toBeGreaterThan(100_000);
    expect((await writePdf(ARABIC_DOCUMENT, fonts)).length).toBeLessThan(100_000);
    expect((await writePdf(EMPTY, fonts)).length).toBeLessThan(20_000);
  });

  it('is PDF/A-2a by its own word, in XML that no title breaks', async () => {
    const metadata = { ...EMPTY.metadata, title: '</rdf:li><A & B> "شركة"\uFFFF\uD800' };
    const bytes = await writePdf({ ...EMPTY, metadata }, fonts);
    const [xml = ''] = /<x:xmpmeta[^]*<\/x:xmpmeta>/.exec(Buffer.from(bytes).toString('utf8')) ?? [];
    const parsed = JSON.stringify(new XMLParser({ parseTagValue: false }).parse(xml));
    expect(parsed).toContain('"pdfaid:part":"2","pdfaid:conformance":"A"');
    expect(parsed).toContain('‹/rdf:li›‹A ＆ B› \\"شركة\\"\uFFFD');
    expect(Buffer.from(bytes).toString('latin1')).toContain('/OutputIntents');
  });

  it('refuses a time that is none, and a font that is none', async () => {
    const metadata = { ...EMPTY.metadata, createdAt: 'soon' };
    await expect(writePdf({ ...EMPTY, metadata }, fonts)).rejects.toThrow(RangeError);
    await expect(writePdf(EMPTY, { ...fonts, bold: new Uint8Array(10) })).rejects.toThrow();
  });
});

describe('in English', () => {
  it('texts begin at the left, amounts end below each other, and an Arabic name is turned with its bracket', () => {
    expect(english.pages[0]?.texts.slice(0, 3)).toEqual([
      'Statement for November 2026',
      'Al Noor Trading · 700001 · 2026-11, revision 1',
      'Provisional: 2 of 30 days are not sealed yet: 29 and 30 November 2026.',
    ]);
    expect(found(english, 'Statement for November 2026').left).toBeCloseTo(48);
    for (const amount of ['Amount', '68,196.840', '9,412.000', '-2,273.228', '65,923.612'])
      expect(found(english, amount).right).toBeCloseTo(WIDTH - 52, 1);
    for (const label of ['Figure', 'Paid', 'Net']) expect(found(english, label).left).toBeCloseTo(52, 1);
    expect(found(english, `Al Noor Trading (${turned('شركة النور للتجارة')})`).left).toBeCloseTo(187.8, 1);
  });

  it('heads are repeated on the next page, outside of the structure, and pages are numbered', () => {
    const [first, second] = english.pages;
    const heads = ['Day', 'Revision', 'Invoices', 'Paid', 'Unpaid', 'Refunds'];
    expect(second?.texts.slice(0, 6)).toEqual(heads);
    expect(first?.texts.slice(-1)).toEqual(['1 / 2']);
    expect(second?.texts.slice(-1)).toEqual(['2 / 2']);
    expect(paintedOf(english).filter(({ text }) => text === 'Revision')).toHaveLength(2);
    expect(first?.structure.match(/THead/g)).toHaveLength(2);
  });
});

describe('in Arabic', () => {
  it('texts begin at the right, their letters from the right, columns are mirrored, and all can be searched', () => {
    expect(found(arabic, `2026 ${turned('كشف حساب شهر نوفمبر')}`).right).toBeCloseTo(WIDTH - 48);
    expect(found(arabic, turned('مدفوعة')).right).toBeCloseTo(WIDTH - 52, 1);
    const searched = ['كشف حساب شهر نوفمبر 2026', 'مجموع الأيام المختومة. المبالغ بالدينار الكويتي.'];
    expect(arabic.pages[0]?.texts).toEqual(expect.arrayContaining(searched));
    const lefts = ['البيان', 'العدد', 'المبلغ'].map((head) => found(arabic, turned(head)).left);
    expect(lefts).toEqual([...lefts].sort((one, other) => other - one));
    expect(found(arabic, '65,923.612').left).toBeCloseTo(52, 1);
  });

  it.each([
    ['8,220', '360'],
    ['68,196.840', '-2,273.228'],
    ['٢٬٢٠٠٫١٢٥', '٢٬٤٠٣٫١٢٥'],
    ['-٧٠٫٢٥٠', '-٩٩٫٢٥٠'],
  ])('amounts keep their digits and their sign, and end below each other: %s', (one, other) => {
    expect(found(arabic, one).right).toBeCloseTo(found(arabic, other).right, 1);
  });

  it('words and numbers of both directions are in one line, and page numbers are not turned round', () => {
    const name = turned('شركة الأفق للتجارة').replace('أل', 'ﻷ');
    expect(found(arabic, `(Horizon Trading Co. W.L.L.) ${name}`)).toBeDefined();
    expect(found(arabic, `(KWD) ${turned('دينار كويتي')}`)).toBeDefined();
    expect(found(arabic, '1 / 2').left).toBeCloseTo(48, 1);
  });

  it('the order of speech is in the structure', async () => {
    const bytes = Buffer.from(await writePdf(ARABIC_DOCUMENT, fonts));
    const value = 'شركة الأفق للتجارة (Horizon Trading Co. W.L.L.)';
    const escaped = Buffer.from(value, 'utf16le')
      .swap16()
      .toString('latin1')
      .replace(/[()\\]/g, '\\$&');
    expect(bytes.toString('latin1')).toContain(escaped);
  });
});

describe('a table', () => {
  const columns = columnsOf('Day', 'Paid');

  it('gives a long text several lines, and amounts one', async () => {
    const painted = await tableOf([
      ['word '.repeat(50), '1,234.500', '7,234.500'],
      ['short', '-5.000', '0.000'],
    ]);
    const word = /^word( word)*$/;
    expect(painted.filter(({ text }) => word.test(text)).length).toBeGreaterThan(2);
    expect(painted.filter(({ text }) => text === '1,234.500')).toHaveLength(1);
    for (const { left, right } of painted) {
      expect(left).toBeGreaterThanOrEqual(47.9);
      expect(right).toBeLessThanOrEqual(WIDTH - 47.9);
    }
  });

  it('has smaller letters when it has many columns', async () => {
    const row = Array.from({ length: 10 }, (_, index) => `${index},234,567.890`);
    const painted = await tableOf([row]);
    for (const cell of row) expect(painted.map(({ text }) => text)).toContain(cell);
  });

  it('without rows has its heads and its total', async () => {
    const sections = [
      { title: 'None', columns, rows: [], total: ['Total', '0.000'] },
      { title: 'Empty', columns: [], rows: [] },
    ];
    const painted = paintedOf(await written({ ...EMPTY, sections }));
    expect(painted.map(({ text }) => text).join()).toBe('None,Day,Paid,Total,0.000,Empty,1 / 1');
  });

  it('does not leave its title, its heads or its total alone on a page', async () => {
    for (let rows = 30; rows < 42; rows += 1) {
      const section = (name: string) => ({
        title: `Title ${name}`,
        columns,
        rows: Array.from({ length: rows }, (_, index) => [`Row ${index}`, '1.000']),
        total: ['Total', `${rows}.000`],
      });
      const file = await written({ ...EMPTY, sections: [section('a'), section('b')] });
      for (const { painted } of file.pages) {
        const texts = painted.map(({ text }) => text).slice(0, -1);
        expect(texts.some((text) => text.startsWith('Row'))).toBe(true);
        expect(texts.at(-1)).toMatch(/^\d+\.000$/);
      }
    }
  });
});

describe('hostile texts', () => {
  const HOSTILE = [
    ...['\u202E9.000\u202C', '\u2067\u2067\u2067', '\u2069\u202D12.000', '\uD800', '\u0000\n\r\u2028'],
    ...['👩‍👩‍👧', 'नमस्ते', `Z${'\u0301'.repeat(1_000)}`, '((((((((((('],
    ...['W'.repeat(100_000), 'ب'.repeat(100_000), ' '.repeat(1_000)],
  ];

  it.each(['ltr', 'rtl'] as const)('change no figure and no place beside them (%s)', async (direction) => {
    const rows = (names: string[]) => names.map((name, index) => [name, `${index + 1},234.500`]);
    const amounts = (painted: PaintedText[]) => painted.filter(({ text }) => /^\d+,234[.]500$/.test(text));
    const document = { ...EMPTY, direction } as const;
    const plain = amounts(await tableOf(rows(HOSTILE.map(() => 'W'.repeat(300))), document));
    const hostile = amounts(await tableOf(rows(HOSTILE), document));
    expect(hostile.map(({ text }) => text)).toEqual(plain.map(({ text }) => text));
    for (const { right } of hostile) expect(right).toBeCloseTo(plain[0]?.right ?? 0, 1);
  });

  it('are printed everywhere without an error, and stay on the page', async () => {
    const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: ANY_CHARACTER, maxLength: 50 }));
    const row = fc.array(text, { maxLength: 4 });
    const document = fc.record({
      language: fc.constantFrom('en', 'ar'),
      direction: fc.constantFrom('ltr', 'rtl'),
      title: text,
      subtitle: text,
      notices: row,
      facts: fc.array(fc.record({ label: text, value: text }), { maxLength: 3 }),
      sections: fc.array(
        fc.record({
          title: text,
          note: text,
          columns: fc.array(fc.record({ head: text, align: fc.constantFrom('start', 'end') }), {
            maxLength: 12,
          }),
          rows: fc.array(row, { maxLength: 3 }),
          total: row,
        }),
        { maxLength: 2 },
      ),
      footer: text,
      metadata: fc.record({ title: text, author: text, createdAt: fc.constant('2026-12-01T06:00:00.000Z') }),
    });
    await forAllAsync([document], { numRuns: 15 }, async (any) => {
      const file = await written(any);
      for (const { left, right, y } of paintedOf(file)) {
        expect(left).toBeGreaterThan(0);
        expect(right).toBeLessThan(WIDTH);
        expect(y).toBeGreaterThan(20);
        expect(y).toBeLessThan(841);
      }
    });
  });
});
