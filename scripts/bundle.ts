import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import * as esbuild from 'esbuild';

/**
 * The bytes that a cold start of a function may read, minified: the entry and the chunks that it imports before it runs. A build
 * that reaches one of them fails. docs/performance.md, "Cold start", has the measured values.
 */
export const BUDGETS: Readonly<Record<string, number>> = {
  announce: 570_000,
  'alert-check': 620_000,
  'daily-report': 610_000,
  'delivery-watch': 600_000,
  lake: 500_000,
  link: 750_000,
  'mail-events': 560_000,
  plan: 600_000,
  prove: 560_000,
  statement: 635_000,
  sweep: 570_000,
  unsubscribe: 740_000,
};

const PACKAGES = resolve(import.meta.dirname, '../node_modules');
const FONTS = '@expo-google-fonts/vazirmatn';

/** A file that a module reads when it runs, so that a bundle of the module needs it beside it. */
interface RunTimeFile {
  of: string;
  from: string;
  to: string;
}

const RUN_TIME_FILES: readonly RunTimeFile[] = [
  // It looks for the file beside its own module, which the bundle is now.
  {
    of: 'node_modules/pdfkit/js/pdfkit.node.mjs',
    from: 'pdfkit/js/data/sRGB_IEC61966_2_1.icc',
    to: 'data/sRGB_IEC61966_2_1.icc',
  },
  // It looks for the package, as Node does. The licence of a font goes where the font goes.
  ...['400Regular/Vazirmatn_400Regular.ttf', '700Bold/Vazirmatn_700Bold.ttf', 'LICENSE_FONT'].map((file) => ({
    of: 'functions/page/document-fonts.ts',
    from: `${FONTS}/${file}`,
    to: `node_modules/${FONTS}/${file}`,
  })),
];

/** Copies the files that the modules of a bundle read when they run. @param folder of the bundle */
export async function copyRunTimeFiles(folder: string, { inputs }: Metafile): Promise<void> {
  const modules = Object.keys(inputs);
  for (const { of, from, to } of RUN_TIME_FILES) {
    if (!modules.some((module) => module.endsWith(of))) continue;
    await cp(join(PACKAGES, from), join(folder, to));
  }
}

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

/** Bundles an entry as deployed: `index.mjs`, its maps and chunks. @throws {BuildError} when it does not build */
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
