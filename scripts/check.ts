import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { readFlags } from './command-line.ts';

/** One command of the check. */
export interface CheckStep {
  name: 'types' | 'types of the stacks' | 'lint' | 'format' | 'tests';
  /** A program of node_modules/.bin. */
  program: string;
  args: string[];
  /** Is it needed, now that the steps before it have ended? A step without this is always needed. */
  needed?: () => boolean;
}

const ROOT = resolve(import.meta.dirname, '..');
/** The tests without a server. `npm test` runs the others. */
const FAST_PROJECT = 'unit';

const USAGE = `
Checks what you changed:
- the types of every part that the change can reach,
- lint, format and unit tests of the files that differ from the last commit.
"npm run validate" checks everything.

  npm run check -- [options]

  --branch       also check the files that this branch changed since it left main
  -h, --help     show this text`;

/**
 * The projects of `tsconfig.json`, without the tests of the stacks. Those read most of CDK, which takes seconds, but few of
 * our own files. So they are a step of their own.
 */
const PROJECTS = ['scripts', 'bin', 'soak', 'bench', 'test'];
const STACK_TESTS = 'test/stacks';
/** TypeScript's record of the files that it read for the tests of the stacks. */
const STACK_TESTS_RECORD = '.cache/types/test-stacks.tsbuildinfo';
/** Folders and files whose change always checks the tests of the stacks: new files are not in the record yet. */
const STACK_TESTS_OWN = /^\.\/(test\/stacks\/|package-lock\.json$|.*tsconfig.*\.json$)/;

const recordSchema = z.object({ fileNames: z.array(z.string()) });

/**
 * Did one of our own files change after TypeScript read it? Call it when the projects before have been built, because the
 * record names their declarations, and those get a new time only when their content changes.
 *
 * @param record path of a `.tsbuildinfo` file
 * @returns `true` also when the record or one of the files is missing
 */
export function readFilesChanged(record: string): boolean {
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
  const checkedAt = changedAt(record);
  if (checkedAt === Infinity) return true;
  return recordSchema
    .parse(JSON.parse(readFileSync(record, 'utf8')))
    .fileNames.filter((name) => !name.includes('node_modules/'))
    .some((name) => changedAt(resolve(dirname(record), name)) > checkedAt);
}

/** @returns the names that git prints. A NUL ends each of them. */
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

/** The commands to run for these files. @param files paths from the root */
export function stepsFor(files: readonly string[]): CheckStep[] {
  const named = (pattern: RegExp) => files.filter((file) => pattern.test(file)).map((file) => `./${file}`);
  const [code, all, tested] = [named(/\.(ts|mjs)$/), named(/./), named(/\.ts$|^(functions|lib)\/.*\.json$/)];
  const steps: CheckStep[] = [
    { name: 'types', program: 'tsc', args: ['-b', ...PROJECTS] },
    {
      name: 'types of the stacks',
      program: 'tsc',
      args: ['-b', STACK_TESTS],
      needed: () =>
        all.some((file) => STACK_TESTS_OWN.test(file)) || readFilesChanged(resolve(ROOT, STACK_TESTS_RECORD)),
    },
  ];
  if (code.length > 0) {
    // By content, because a checkout changes the time of every file.
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

/** @returns whether the step is good */
function run({ name, program, args, needed }: CheckStep): boolean {
  if (needed?.() === false) {
    console.log(`== ${name}: not needed`);
    return true;
  }
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
  // Run all steps, so that one run shows everything that is wrong.
  if (stepsFor(files).map(run).includes(false)) process.exitCode = 1;
}
