import { globSync } from 'node:fs';
import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type * as esbuild from 'esbuild';
import { BUDGETS, BuildError, bundle, copyRunTimeFiles } from './bundle.ts';
import { readOptions } from './command-line.ts';
import { assertWithinTime, importTimes } from './import-times.ts';
import type { ImportTime } from './import-times.ts';

export { BuildError } from './bundle.ts';

/** One bundle. The sizes are bytes that a cold start reads; chunks that are imported later do not count. */
export interface BuiltFunction {
  name: string;
  file: string;
  minified: number;
  gzipped: number;
}

export interface BuildOptions {
  /** Default: this repository. */
  root?: string;
  /** Default: `dist/functions` of the root. Emptied first. */
  outdir?: string;
  /** By function. Default: this repository's budgets; none for another root. */
  budgets?: Readonly<Record<string, number>>;
}

const USAGE = `
Bundles every function into dist/functions/<name>/index.mjs. Fails if a bundle is over its budget.

  npm run build -- [options]

  --sizes-only   do not measure how long the bundles take to import
  -h, --help     show this text`;

const NEVER_BUNDLED = ['sandbox', 'test'];

function lambdaFiles(root: string): { name: string; entry: string }[] {
  const entries = globSync('functions/**/*.lambda.ts', { cwd: root }).sort();
  if (entries.length === 0) throw new BuildError('no functions/<name>/<name>.lambda.ts found');
  return entries.map((entry) => {
    const name = basename(dirname(entry));
    if (basename(entry) !== `${name}.lambda.ts`) {
      throw new BuildError(`${entry} must be named ${name}.lambda.ts, like its folder`);
    }
    return { name, entry };
  });
}

function assertDeployable(root: string, entry: string, { inputs, outputs }: esbuild.Metafile): void {
  for (const input of Object.keys(inputs)) {
    const [folder = ''] = relative(root, resolve(root, input)).split(/[\\/]/);
    if (NEVER_BUNDLED.includes(folder)) throw new BuildError(`${entry} must not bundle ${input}`);
  }
  const main = Object.values(outputs).find(({ entryPoint }) => entryPoint === entry);
  if (main?.exports.includes('handler') !== true) throw new BuildError(`${entry} must export "handler"`);
}

/** The entry and the chunks that it imports before it runs. */
function atStart(root: string, file: string, { outputs }: esbuild.Metafile): string[] {
  const files = new Set([relative(root, file)]);
  for (const name of files) {
    for (const { kind, path } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && Object.hasOwn(outputs, path)) files.add(path);
    }
  }
  return [...files].map((name) => resolve(root, name));
}

function assertWithinSize(
  { name, minified }: BuiltFunction,
  budgets: Readonly<Record<string, number>> | undefined,
): void {
  if (budgets === undefined) return;
  const budget = budgets[name];
  if (budget === undefined) throw new BuildError(`${name} has no budget in scripts/bundle.ts`);
  if (minified < budget) return;
  throw new BuildError(
    `${name} is ${minified} bytes at a cold start, and must be under ${budget} (scripts/bundle.ts)`,
  );
}

/** Otherwise esbuild would list every file that it cannot write. @throws {BuildError} when the folder cannot be written to */
async function makeEmpty(outdir: string): Promise<void> {
  try {
    await rm(outdir, { recursive: true, force: true });
    await mkdir(outdir, { recursive: true });
    await access(outdir, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string') throw error;
    throw new BuildError(`${outdir} is the output folder and cannot be written to (${code})`, {
      cause: error,
    });
  }
}

/**
 * Bundles every function into `<outdir>/<name>/index.mjs`, with its source maps, its chunks and the files that it reads when it
 * runs. Everything else in `outdir` is removed first, so that no old function is deployed.
 *
 * @throws {BuildError} when there is nothing to build, `outdir` cannot be written to, or something does not build, must
 *   not be deployed or is over its budget of bytes
 */
export async function build(options: BuildOptions = {}): Promise<BuiltFunction[]> {
  const root = resolve(options.root ?? join(import.meta.dirname, '..'));
  const outdir = resolve(options.outdir ?? join(root, 'dist/functions'));
  const budgets = options.budgets ?? (options.root === undefined ? BUDGETS : undefined);
  const found = lambdaFiles(root);
  await makeEmpty(outdir);
  const built: BuiltFunction[] = [];
  for (const { name, entry } of found) {
    const folder = join(outdir, name);
    const file = join(folder, 'index.mjs');
    const metafile = await bundle(root, entry, folder);
    try {
      assertDeployable(root, entry, metafile);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    await copyRunTimeFiles(folder, metafile);
    const start = await Promise.all(atStart(root, file, metafile).map((path) => readFile(path)));
    const code = Buffer.concat(start);
    built.push({ name, file, minified: code.length, gzipped: gzipSync(code).length });
  }
  for (const one of built) assertWithinSize(one, budgets);
  return built;
}

function table(built: readonly BuiltFunction[], imports: ReadonlyMap<string, ImportTime>): string {
  const kilobytes = (bytes: number | undefined) =>
    bytes === undefined ? '' : `${(bytes / 1_000).toFixed(0)} kB`;
  const rows = [
    ['function', 'minified', 'gzip', 'budget', 'import', 'ratio'],
    ...built.map(({ name, minified, gzipped }) => {
      const time = imports.get(name);
      return [
        name,
        ...[minified, gzipped, BUDGETS[name]].map(kilobytes),
        time === undefined ? '' : `${time.milliseconds.toFixed(0)} ms`,
        time?.ratio.toFixed(2) ?? '',
      ];
    }),
  ];
  return rows
    .map(([name = '', ...cells]) => name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join(''))
    .join('\n');
}

if (import.meta.main) {
  const { 'sizes-only': sizesOnly = false } = readOptions(USAGE, { 'sizes-only': { type: 'boolean' } });
  try {
    const built = await build();
    const imports = sizesOnly ? new Map<string, ImportTime>() : await importTimes(built);
    console.log(table(built, imports));
    assertWithinTime(imports);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
