import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { FUNCTIONS } from '#lib/functions.ts';
import { build } from '#scripts/build.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The path of a built function. */
export function builtFile(name: string): string {
  return join(ROOT, 'dist/functions', name, 'index.mjs');
}

const SOURCES = ['functions/**/*.ts', 'scripts/build.ts', 'package-lock.json'];

/** Milliseconds since 1970; `undefined` for a missing file. */
function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** Why the functions must be built; `undefined` when `dist` is newer than every source. */
export function whyToBuild(): string | undefined {
  const built = Object.keys(FUNCTIONS).map((name) => changedAt(builtFile(name)));
  const sources = globSync(SOURCES, { cwd: ROOT }).map((file) => changedAt(join(ROOT, file)) ?? 0);
  const newest = sources.reduce((one, other) => Math.max(one, other), 0);
  if (built.includes(undefined)) return 'dist is missing';
  return built.some((time = 0) => time < newest) ? 'dist is older than the sources' : undefined;
}

/** @throws {BuildError} when something does not build */
export async function buildFunctions(): Promise<void> {
  try {
    await build();
  } finally {
    // Otherwise esbuild's own process would run until the end.
    await stop();
  }
}
