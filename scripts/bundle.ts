import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import * as esbuild from 'esbuild';

/**
 * Puts all code that a cold start reads into one chunk. esbuild makes a chunk for each set of entries that share a module,
 * and each further file costs a cold start 0.16 ms. So each part that is loaded later imports the entry. The entry has run by
 * then, and its modules have the same set of entries: all of them.
 *
 * It holds for our own parts. A part of a package would become another chunk, so such a part is loaded by a file of ours.
 *
 * @param entry path from the root
 */
function oneStartChunk(root: string, entry: string): Plugin {
  const path = join(root, entry);
  const later = new Set<string>();
  return {
    name: 'one-start-chunk',
    setup(build) {
      build.onResolve({ filter: /^[.#]/ }, async ({ path: name, kind, resolveDir, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        const resolved = await build.resolve(name, { kind: 'import-statement', resolveDir, importer });
        later.add(resolved.path);
        return resolved;
      });
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        if (!later.has(file)) return undefined;
        const text = await readFile(file, 'utf8');
        return { contents: `import ${JSON.stringify(path)};${text}`, loader: 'ts' };
      });
    },
  };
}

/** Nothing was built, or nothing that may be deployed. The message is one line for the person who runs the build. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** For CommonJS dependencies: they load Node's own modules with `require`, which an ES module does not have. */
const REQUIRE_FOR_COMMONJS =
  "import { createRequire as createRequireOfBundle } from 'node:module';" +
  'const require = createRequireOfBundle(import.meta.url);';

/**
 * Bundles one entry as it is deployed: `index.mjs` in `outdir`, with its source maps and chunks beside it.
 *
 * @throws {BuildError} when it does not build
 */
export async function bundle(root: string, entry: string, outdir: string): Promise<esbuild.Metafile> {
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [{ in: entry, out: 'index' }],
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // A dynamic import, such as that of the workbook writer, stays a chunk that is loaded when it is needed.
      splitting: true,
      plugins: [oneStartChunk(root, entry)],
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
