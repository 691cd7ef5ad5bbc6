import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build } from '#scripts/build.ts';
import { defined } from '#support/assertions/defined.ts';
import { handlerOf } from '#support/assertions/handler-of.ts';
import { readPdf } from '#support/readers/read-pdf.ts';

const ROOT = join(import.meta.dirname, '../..');

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-files-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A function's folder as it is deployed. @param handler its code */
async function deployed(handler: string): Promise<string> {
  const root = await temporaryDirectory();
  await mkdir(join(root, 'functions/first'), { recursive: true });
  await writeFile(join(root, 'functions/first/first.lambda.ts'), handler);
  const [first] = await build({ root });
  const folder = await temporaryDirectory();
  await cp(dirname(defined(first).file), folder, { recursive: true });
  return folder;
}

test('a bundle that writes documents has the fonts and the colour profile beside it, and works anywhere', async () => {
  const folder = await deployed(`
    export async function handler() {
      const { writePdf } = await import('${ROOT}/functions/page/rendering/document/write-pdf.ts');
      const { readDocumentFonts } = await import('${ROOT}/functions/page/document-fonts.ts');
      const { ARABIC_DOCUMENT } = await import('${ROOT}/test/support/rendering/documents.ts');
      return writePdf(ARABIC_DOCUMENT, await readDocumentFonts());
    }`);
  const files = await readdir(folder, { recursive: true });
  expect(files.filter((file) => /[.](?:ttf|icc)$|LICENSE/.test(file)).sort()).toEqual([
    'data/sRGB_IEC61966_2_1.icc',
    'node_modules/@expo-google-fonts/vazirmatn/400Regular/Vazirmatn_400Regular.ttf',
    'node_modules/@expo-google-fonts/vazirmatn/700Bold/Vazirmatn_700Bold.ttf',
    'node_modules/@expo-google-fonts/vazirmatn/LICENSE_FONT',
  ]);
  const handler = await handlerOf(join(folder, 'index.mjs'));
  const bytes = await handler();
  if (!(bytes instanceof Uint8Array)) throw new Error('no file was written');
  const { pages } = await readPdf(bytes);
  expect(pages[0]?.texts[0]).toBe('كشف حساب شهر نوفمبر 2026');
});

test('another bundle has no such files', async () => {
  expect(await readdir(await deployed('export const handler = () => 1;'))).toEqual([
    'index.mjs',
    'index.mjs.map',
  ]);
});
