import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, basename, dirname, resolve } from 'node:path';
import { access, mkdtemp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { stop } from 'esbuild';
import { build } from './build.ts';

/** 16 hexadecimal digits, the same for the same contents of the same files. `patterns`: below the root. */
export function hashOfFiles(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Built functions that stay where they are, so that several processes and several runs can use them. */
interface CachedBuild {
  /** The bundle of each function, by its name. Absolute. */
  files: ReadonlyMap<string, string>;
  /** Where processes that import the bundles keep compiled code: the value of `NODE_COMPILE_CACHE`. */
  compiled: string;
}

interface CachedBuildOptions {
  /** Default: this repository. */
  root?: string;
  /** Default: `node_modules/.cache/daybook-functions` of the root. */
  cache?: string;
}

/** What the bundles are made from. Templates and texts are imported by the functions, so they count too. */
const SOURCES = [
  'functions/**/*.{ts,json}',
  'scripts/{build,bundle}.ts',
  '{,functions/}tsconfig*.json',
  'package.json',
  'package-lock.json',
];
/** Builds that nobody used for so long are removed. Milliseconds. */
const UNUSED = 24 * 60 * 60_000;

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Builds beside the place and moves the result there. Another process may do the same at this moment; the first one wins. */
async function buildInto(folder: string, root: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(join(dirname(folder), 'building-'));
  try {
    await build({ root, outdir: temporary });
    await rename(temporary, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const underWay = new Map<string, Promise<void>>();

/** Builds a folder once, even when several callers in this process ask for it at the same time. */
function buildOnce(folder: string, root: string): Promise<void> {
  const running =
    underWay.get(folder) ??
    buildInto(folder, root).finally(async () => {
      underWay.delete(folder);
      // Otherwise esbuild's own process would stay. While another build uses it, stopping it would leave that build waiting.
      if (underWay.size === 0) await stop();
    });
  underWay.set(folder, running);
  return running;
}

async function removeUnused(cache: string, used: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    if (folder === used) continue;
    try {
      if (Date.now() - (await stat(folder)).mtimeMs > UNUSED) await rm(folder, { recursive: true });
    } catch {
      // Another process removes it at this moment.
    }
  }
}

/**
 * The functions as they are deployed, built only when no earlier build had the same sources. Several processes may call this
 * at the same time. The folder's name is the hash of the sources, so a bundle there never changes.
 *
 * @throws {BuildError} as {@link build} does
 */
export async function cachedBuild(options: CachedBuildOptions = {}): Promise<CachedBuild> {
  const root = resolve(options.root ?? join(import.meta.dirname, '..'));
  const cache = resolve(options.cache ?? join(root, 'node_modules/.cache/daybook-functions'));
  const folder = join(cache, hashOfFiles(root, SOURCES));
  if (!(await isThere(folder))) await buildOnce(folder, root);
  const now = new Date();
  await utimes(folder, now, now);
  await removeUnused(cache, folder);
  const files = globSync('*/index.mjs', { cwd: folder }).map((file) => join(folder, file));
  return {
    files: new Map(files.map((file) => [basename(dirname(file)), file])),
    compiled: join(folder, 'compiled'),
  };
}
