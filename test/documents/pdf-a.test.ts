import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SummaryDocument } from '#page/rendering/document/document.ts';
import { writePdf } from '#page/rendering/document/write-pdf.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import { ARABIC_DOCUMENT, ENGLISH_DOCUMENT } from '#support/rendering/documents.ts';
import { HAS_VERAPDF, verdictsOf } from '#support/verapdf/verapdf.ts';

const HOSTILE_DOCUMENT: SummaryDocument = {
  ...ARABIC_DOCUMENT,
  title: '\u202Eنص 👩‍👩‍👧 नमस्ते\u0000 <&>',
  facts: [{ label: 'می\u200Cخواهم', value: `Z${'\u0301'.repeat(100)} مُحَمَّد لآلئ ﷲ` }],
  metadata: { ...ARABIC_DOCUMENT.metadata, title: '</rdf:li><A & B>' },
};

describe.runIf(HAS_VERAPDF)('veraPDF', () => {
  it(
    'finds nothing that breaks PDF/A-2a, and that PDF/UA lacks its name only',
    { timeout: 300_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'daybook-pdf-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const written = async (name: string, document: SummaryDocument) => {
        const file = join(folder, `${name}.pdf`);
        await writeFile(file, await writePdf(document, await readDocumentFonts()));
        return file;
      };
      const english = await written('english', ENGLISH_DOCUMENT);
      const arabic = await written('arabic', ARABIC_DOCUMENT);
      const hostile = await written('hostile', HOSTILE_DOCUMENT);
      const [accessible, ...archival] = await verdictsOf([
        { file: arabic, flavour: 'ua1' },
        ...[english, arabic, hostile].map((file) => ({ file, flavour: '2a' }) as const),
      ]);
      expect(accessible?.broken).toEqual(['5-1']);
      expect(archival.map(({ broken }) => broken)).toEqual([[], [], []]);
      for (const { checks } of archival) expect(checks).toBeGreaterThan(10_000);
    },
  );
});
