import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Puts all code that a cold start reads into one chunk. esbuild makes a chunk for each set of entries that share a module,
 * and each further file costs a cold start 0.16 ms. So each part that is loaded later imports the entry. The entry has run by
 * then, and its modules have the same set of entries: all of them.
 *
 * It holds for our own parts. A part of a package would become another chunk, so such a part is loaded by a file of ours.
 *
 * @param entry path from the root
 */
export function oneStartChunk(root: string, entry: string): Plugin {
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
