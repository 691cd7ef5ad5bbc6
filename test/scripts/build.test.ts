import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, BuildError } from '#scripts/build.ts';
import { BUDGETS } from '#scripts/bundle.ts';
import { defined, membersOf, textLike } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import * as z from 'zod';
import { readPdf } from '#support/readers/read-pdf.ts';

/** The handler that the module in the file exports. Throws `Error` when it exports none. */
async function handlerOf(file: string): Promise<() => unknown> {
  const module: unknown = await import(pathToFileURL(file).href);
  const { handler } = membersOf(module);
  if (typeof handler !== 'function') throw new Error(`${file} exports no handler`);
  return (): unknown => Reflect.apply(handler, undefined, []);
}

async function repository(files: Record<string, string>): Promise<string> {
  const root = newDirectory();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** The build fails in this line alone. */
const expectLine = (building: Promise<unknown>, line: string) =>
  expect(building).rejects.toThrow(new BuildError(line));

describe('a build', () => {
  test('makes one module for each function, with its source map, that exports the handler', async () => {
    const root = await repository({
      'functions/first/first.lambda.ts':
        "import { word } from '../shared/word.ts';\nexport const handler = (): string => word;\n",
      'functions/second/second.lambda.ts':
        "import { createHash } from 'node:crypto';\nexport async function handler() { return createHash('md5').digest('hex'); }\n",
      'functions/shared/word.ts': "export const word: string = 'shared';\n",
      'dist/functions/gone/index.mjs': '',
    });
    const built = await build({ root });
    expect(built.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(await readdir(join(root, 'dist/functions'))).toEqual(['first', 'second']);
    const [first] = built;
    expect(first?.file).toBe(join(root, 'dist/functions/first/index.mjs'));
    const code = await readFile(defined(first).file);
    expect(first?.minified).toBe(code.length);
    expect(first?.gzipped).toBeGreaterThan(0);
    const { sources } = membersOf(JSON.parse(await readFile(`${defined(first).file}.map`, 'utf8')));
    expect(sources).toContainEqual(textLike(/functions\/shared\/word\.ts$/));
    const handler = await handlerOf(defined(first).file);
    expect(handler()).toBe('shared');
  });

  test('makes another chunk for code that is imported later, which does not count for a cold start', async () => {
    const root = await repository({
      'functions/first/first.lambda.ts':
        "import { word } from '../shared/word.ts';\n" +
        "export const handler = async () => `${word} ${(await import('../shared/later.ts')).later}`;\n",
      'functions/shared/word.ts': "export const word = 'now';\n",
      'functions/shared/later.ts':
        "import { word } from './word.ts';\nexport const handler = 1;\nexport const later = `and later than ${word}`;\n",
    });
    const [first] = await build({ root });
    const folder = join(root, 'dist/functions/first');
    const files = (await readdir(folder)).filter((file) => file.endsWith('.mjs'));
    expect(files.some((file) => file.startsWith('later-'))).toBe(true);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    const { minified } = defined(first);
    expect(minified).toBeGreaterThan((await stat(join(folder, 'index.mjs'))).size);
    expect(minified).toBeLessThan(sizes.reduce((sum, size) => sum + size, 0));
    const handler = await handlerOf(defined(first).file);
    expect(await handler()).toBe('now and later than now');
  });

  test("gives a CommonJS dependency the require it needs for Node's modules", async () => {
    const root = await repository({
      'functions/first/first.lambda.ts':
        "import { separator } from 'old';\nexport const handler = () => separator;\n",
      'node_modules/old/package.json': '{ "name": "old", "main": "index.js" }',
      'node_modules/old/index.js': "exports.separator = require('path').posix.sep;",
    });
    const [first] = await build({ root });
    const handler = await handlerOf(defined(first).file);
    expect(handler()).toBe('/');
  });

  test.each(['sandbox', 'test'])('refuses code from %s/, and leaves nothing to deploy', async (folder) => {
    const root = await repository({
      'functions/first/first.lambda.ts': "export { handler } from './part.ts';\n",
      'functions/first/part.ts': `import { made } from '../../${folder}/made-up.ts';\nexport const handler = () => made;\n`,
      [`${folder}/made-up.ts`]: 'export const made = Math.random();\n',
    });
    await expectLine(build({ root }), `functions/first/first.lambda.ts must not bundle ${folder}/made-up.ts`);
    expect(await readdir(join(root, 'dist/functions'))).toEqual([]);
  });

  test.each([
    [{}, 'no functions/<name>/<name>.lambda.ts found'],
    [
      { 'functions/first/other.lambda.ts': '' },
      'functions/first/other.lambda.ts must be named first.lambda.ts, like its folder',
    ],
    [
      { 'functions/first/first.lambda.ts': 'export const handle = 1;' },
      'functions/first/first.lambda.ts must export "handler"',
    ],
    [
      { 'functions/first/first.lambda.ts': "export * from './missing.ts';" },
      'functions/first/first.lambda.ts does not build: functions/first/first.lambda.ts:1:14: Could not resolve "./missing.ts"',
    ],
    [
      { 'functions/first/first.lambda.ts': 'export const handler = (;' },
      'functions/first/first.lambda.ts does not build: functions/first/first.lambda.ts:1:24: Unexpected ";"',
    ],
  ])('fails in one line: %j', async (files, line) => {
    await expectLine(build({ root: await repository(files) }), line);
  });

  test('names the folder that it cannot write to, in one line', async () => {
    const root = await repository({
      'functions/first/first.lambda.ts': 'export const handler = () => 1;\n',
      'a-file': '',
    });
    const inFile = join(root, 'a-file/functions');
    const line = `${inFile} is the output folder and cannot be written to (ENOTDIR)`;
    await expectLine(build({ root, outdir: inFile }), line);
  });
});

describe('the budget of bytes', () => {
  const files = {
    'functions/first/first.lambda.ts': "export const handler = () => import('./later.ts');\n",
    'functions/first/later.ts': `export const later = '${'x'.repeat(5_000)}';\n`,
    'functions/second/second.lambda.ts': `export const handler = () => '${'x'.repeat(5_000)}';\n`,
  };
  const budget = 5_000;

  test('fails the build in one line when the size reaches it', async () => {
    const root = await repository(files);
    const [, second] = await build({ root });
    const minified = defined(second).minified;
    const budgets = (bytes: number) => ({ first: budget, second: bytes });
    for (const bytes of [5_000, minified]) {
      const line = `second is ${minified} bytes at a cold start, and must be under ${bytes} (scripts/bundle.ts)`;
      await expectLine(build({ root, budgets: budgets(bytes) }), line);
    }
    await expect(build({ root, budgets: budgets(minified + 1) })).resolves.toHaveLength(2);
  });

  test('must exist for every function', async () => {
    const building = build({ root: await repository(files), budgets: { first: budget } });
    await expectLine(building, 'second has no budget in scripts/bundle.ts');
  });

  test('is at most 800,000 bytes for every function', () => {
    expect(Math.max(...Object.values(BUDGETS))).toBeLessThanOrEqual(800_000);
  });
});

const ROOT = join(import.meta.dirname, '../..');

/** A function's folder as it is deployed. @param handler its code */
async function deployed(handler: string): Promise<string> {
  const [first] = await build({ root: await repository({ 'functions/first/first.lambda.ts': handler }) });
  const folder = newDirectory();
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
  const { pages } = await readPdf(z.instanceof(Uint8Array).parse(await handler()));
  expect(pages[0]?.texts[0]).toBe('كشف حساب شهر نوفمبر 2026');
});

test('another bundle has no such files', async () => {
  expect(await readdir(await deployed('export const handler = () => 1;'))).toEqual([
    'index.mjs',
    'index.mjs.map',
  ]);
});
