import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BuildError } from '#scripts/build.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { newDirectory } from '#support/machine.ts';

let root: string;
let cache: string;
const change = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};
beforeEach(async () => {
  root = newDirectory();
  cache = join(root, 'cache');
  await change(
    'functions/first/first.lambda.ts',
    "import word from './word.json';\nexport const handler = () => word;\n",
  );
  await change('functions/first/word.json', '"one"');
});

const get = async () => {
  const { files } = await cachedBuild({ root, cache });
  return files.get('first') ?? '';
};

test('is not made again when a source was only touched', async () => {
  const file = await get();
  await writeFile(`${file}.mark`, '');
  const later = new Date(Date.now() + 60_000);
  await utimes(join(root, 'functions/first/first.lambda.ts'), later, later);
  expect(await get()).toBe(file);
  expect(await readdir(dirname(file))).toContain('index.mjs.mark');
});

test('is another one as soon as a source changes, and the first one again when the source changes back', async () => {
  const one = await get();
  await change('functions/first/word.json', '"two"');
  const two = await get();
  expect(two).not.toBe(one);
  expect([await readFile(one, 'utf8'), await readFile(two, 'utf8')]).toEqual([
    expect.stringContaining('one'),
    expect.stringContaining('two'),
  ]);
  await change('functions/first/word.json', '"one"');
  expect(await get()).toBe(one);
});

test('is one when several ask for it at once, and nothing else is left', async () => {
  const files = await Promise.all([get(), get(), get()]);
  expect(new Set(files).size).toBe(1);
  expect(await readdir(cache)).toHaveLength(1);
});

test('is removed when nobody used it for more than a day', async () => {
  const old = dirname(dirname(await get()));
  const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
  await utimes(old, longAgo, longAgo);
  await change('functions/first/word.json', '"two"');
  const used = dirname(dirname(await get()));
  expect(await readdir(cache)).toEqual([used.slice(cache.length + 1)]);
});

test('that fails leaves nothing behind', async () => {
  await change('functions/first/first.lambda.ts', 'export const other = 1;\n');
  await expect(get()).rejects.toThrow(BuildError);
  expect(await readdir(cache)).toEqual([]);
});
