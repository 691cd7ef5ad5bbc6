import * as esbuild from 'esbuild';
import { oneStartChunk } from './one-start-chunk.ts';

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
