import { globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

/** Nothing was built, or nothing that may be deployed; the message is one line for the person at the keyboard. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** One bundle. Sizes in bytes, of what a cold start reads: chunks that are imported later do not count. */
export interface BuiltFunction {
  name: string;
  file: string;
  /** Beside it: what only some invocations import, and what that shares with the rest. */
  chunks: string[];
  minified: number;
  gzipped: number;
}

/** Where things are, for a build of something else than this repository. */
export interface BuildOptions {
  /** Default: this repository. */
  root?: string;
  /** Default: `dist/functions` of the root. Emptied first. */
  outdir?: string;
}

/** Folders of the root that hold what must never be deployed. */
const NEVER_BUNDLED = ['sandbox', 'test'];

/** For a CommonJS dependency: it asks for Node's own modules with `require`, which an ES module does not have. */
const REQUIRE_FOR_COMMONJS =
  "import { createRequire as createRequireOfBundle } from 'node:module';" +
  'const require = createRequireOfBundle(import.meta.url);';

function lambdaFiles(root: string): { name: string; entry: string }[] {
  const entries = globSync('functions/*/*.lambda.ts', { cwd: root }).sort();
  if (entries.length === 0) throw new BuildError('there is no functions/<name>/<name>.lambda.ts to build');
  return entries.map((entry) => {
    const name = basename(dirname(entry));
    if (basename(entry) !== `${name}.lambda.ts`) {
      throw new BuildError(`${entry} must be named ${name}.lambda.ts, after its folder`);
    }
    return { name, entry };
  });
}

async function bundle(root: string, entry: string, outdir: string): Promise<esbuild.Metafile> {
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [{ in: entry, out: 'index' }],
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What is imported where it is needed only, such as the writer of workbooks, is loaded then.
      splitting: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      mainFields: ['module', 'main'],
      minify: true,
      sourcemap: 'linked',
      sourcesContent: false,
      legalComments: 'none',
      banner: { js: REQUIRE_FOR_COMMONJS },
      metafile: true,
      logLevel: 'silent',
    });
    return metafile;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const [first = text] = text.split('\n').filter((line) => line.includes('ERROR:'));
    throw new BuildError(`${entry} does not build: ${first.replace('ERROR: ', '')}`, { cause: error });
  }
}

function assertDeployable(root: string, entry: string, { inputs, outputs }: esbuild.Metafile): void {
  for (const input of Object.keys(inputs)) {
    const [folder = ''] = relative(root, resolve(root, input)).split(/[\\/]/);
    if (NEVER_BUNDLED.includes(folder)) throw new BuildError(`${entry} must not bundle ${input}`);
  }
  const main = Object.values(outputs).find(({ entryPoint }) => entryPoint === entry);
  if (main?.exports.includes('handler') !== true) throw new BuildError(`${entry} must export "handler"`);
}

/** The entry and the chunks that it imports before anything runs. */
function atStart(root: string, file: string, { outputs }: esbuild.Metafile): string[] {
  const files = new Set([relative(root, file)]);
  for (const name of files) {
    for (const { kind, path } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && Object.hasOwn(outputs, path)) files.add(path);
    }
  }
  return [...files].map((name) => resolve(root, name));
}

/**
 * Bundles every function into `<outdir>/<name>/index.mjs`, with its source maps and chunks beside it. What stood in `outdir`
 * before is removed, so that nothing is deployed that is no longer built.
 *
 * @throws {BuildError} when there is nothing to build, something does not build or must not be deployed
 */
export async function build(options: BuildOptions = {}): Promise<BuiltFunction[]> {
  const root = resolve(options.root ?? join(import.meta.dirname, '..'));
  const outdir = resolve(options.outdir ?? join(root, 'dist/functions'));
  const found = lambdaFiles(root);
  await rm(outdir, { recursive: true, force: true });
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
    const start = await Promise.all(atStart(root, file, metafile).map((path) => readFile(path)));
    const chunks = globSync('*.mjs', { cwd: folder }).filter((chunk) => chunk !== 'index.mjs');
    const code = Buffer.concat(start);
    built.push({
      name,
      file,
      chunks: chunks.sort().map((chunk) => join(folder, chunk)),
      minified: code.length,
      gzipped: gzipSync(code).length,
    });
  }
  return built;
}

function sizeTable(built: readonly BuiltFunction[]): string {
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`.padStart(10);
  const width = Math.max(8, ...built.map(({ name }) => name.length));
  return [
    `${'function'.padEnd(width)}${'minified'.padStart(10)}${'gzip'.padStart(10)}`,
    ...built.map(
      ({ name, minified, gzipped }) => `${name.padEnd(width)}${kilobytes(minified)}${kilobytes(gzipped)}`,
    ),
  ].join('\n');
}

if (import.meta.main) {
  try {
    console.log(sizeTable(await build()));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
