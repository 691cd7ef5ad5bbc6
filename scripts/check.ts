import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readFlags } from './command-line.ts';

/** One command of the check. */
export interface CheckStep {
  name: 'types' | 'lint' | 'format' | 'tests';
  /** A program of node_modules/.bin. */
  program: string;
  args: string[];
}

const ROOT = resolve(import.meta.dirname, '..');
/** The tests without a server. The others are run by `npm test`. */
const FAST_PROJECT = 'unit';

const USAGE = `
Checks what you changed: the types of everything, incrementally; lint, format and unit tests of the files
that differ from the last commit. "npm run validate" checks everything.

  npm run check -- [options]

  --branch       also the files that this branch changed since it left main
  -h, --help     this text`;

/** @returns the names that git prints, each ended by a NUL */
function gitNames(root: string, ...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '');
}

/**
 * The files that differ from the last commit, new ones included, without those removed.
 *
 * @param wholeBranch also those that the branch's commits changed since it left `main`
 * @returns paths from the root, sorted
 */
export function changedFiles(root: string, wholeBranch: boolean): string[] {
  const since = wholeBranch
    ? execFileSync('git', ['merge-base', 'HEAD', 'main'], { cwd: root, encoding: 'utf8' }).trim()
    : 'HEAD';
  const edited = gitNames(root, 'diff', '--name-only', '--diff-filter=d', '-z', since);
  const untracked = gitNames(root, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...edited, ...untracked])].sort();
}

/** What is to be run for files that changed. */
export function stepsFor(files: readonly string[]): CheckStep[] {
  const named = (pattern: RegExp) => files.filter((file) => pattern.test(file)).map((file) => `./${file}`);
  const [code, all, tested] = [named(/\.(ts|mjs)$/), named(/./), named(/\.ts$|^(functions|lib)\/.*\.json$/)];
  const steps: CheckStep[] = [{ name: 'types', program: 'tsc', args: ['-b'] }];
  if (code.length > 0) {
    // By content: a checkout gives every file another time.
    const cache = ['--cache', '--cache-location', '.cache/eslint/', '--cache-strategy', 'content'];
    steps.push({ name: 'lint', program: 'eslint', args: [...cache, '--no-warn-ignored', ...code] });
  }
  if (all.length > 0) {
    steps.push({ name: 'format', program: 'prettier', args: ['--check', '--ignore-unknown', ...all] });
  }
  if (tested.length > 0) {
    const args = ['related', '--run', '--project', FAST_PROJECT, '--passWithNoTests', ...tested];
    steps.push({ name: 'tests', program: 'vitest', args });
  }
  return steps;
}

function run({ name, program, args }: CheckStep): boolean {
  const began = performance.now();
  console.log(`== ${name}`);
  const { status } = spawnSync(resolve(ROOT, 'node_modules/.bin', program), args, {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  console.log(status === 0 ? `== ${name}: good, ${took}` : `== ${name}: FAILED, ${took}`);
  return status === 0;
}

if (import.meta.main) {
  const files = changedFiles(ROOT, readFlags(USAGE, ['branch']).has('branch'));
  console.log(files.length === 0 ? 'no file differs from the last commit' : `${files.length} files changed`);
  // All of them, so that one run tells everything that is wrong.
  if (stepsFor(files).map(run).includes(false)) process.exitCode = 1;
}
