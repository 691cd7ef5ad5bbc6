import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFiles, readFilesChanged, stepsFor } from '#scripts/check.ts';

describe('changed files', () => {
  let root: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  const commitAll = () => {
    git('add', '-A');
    git('commit', '-qm', 'One');
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'daybook-check-'));
    git('init', '-q', '-b', 'main');
    await writeFile(join(root, '.gitignore'), 'ignored.ts\n');
    await writeFile(join(root, 'same.ts'), '');
    await writeFile(join(root, 'edited.ts'), '');
    await writeFile(join(root, 'removed.ts'), '');
    commitAll();
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  it('are none in a clean tree', () => {
    expect(changedFiles(root, false)).toEqual([]);
  });

  it('are the edited, staged and new files, without removed and ignored files', async () => {
    await writeFile(join(root, 'edited.ts'), 'export {};\n');
    await writeFile(join(root, 'staged.ts'), '');
    git('add', 'staged.ts');
    await writeFile(join(root, 'new file – ع.ts'), '');
    await writeFile(join(root, 'ignored.ts'), '');
    await rm(join(root, 'removed.ts'));
    expect(changedFiles(root, false)).toEqual(['edited.ts', 'new file – ع.ts', 'staged.ts']);
  });

  it('include the files of the whole branch when that is asked for', async () => {
    git('checkout', '-qb', 'mine');
    await writeFile(join(root, 'committed.ts'), '');
    commitAll();
    await writeFile(join(root, 'new.ts'), '');
    expect(changedFiles(root, false)).toEqual(['new.ts']);
    expect(changedFiles(root, true)).toEqual(['committed.ts', 'new.ts']);
  });
});

describe('the steps of a check', () => {
  const names = (files: string[]) => stepsFor(files).map(({ name }) => name);

  it('are only the types when nothing changed', () => {
    expect(names([])).toEqual(['types', 'types of the stacks']);
  });

  it('lint and test code that changed', () => {
    expect(names(['functions/plan/create-plan.ts'])).toEqual([
      'types',
      'types of the stacks',
      'lint',
      'format',
      'tests',
    ]);
  });

  it('only look at the format of a document that changed', () => {
    expect(names(['README.md', 'package.json'])).toEqual(['types', 'types of the stacks', 'format']);
  });

  it('lint a script of plain JavaScript, which no test imports', () => {
    expect(names(['bin/needed-node.mjs'])).toEqual(['types', 'types of the stacks', 'lint', 'format']);
  });

  it('run the tests that use a text or another JSON file which is imported', () => {
    expect(names(['functions/mail/texts/en.json'])).toEqual([
      'types',
      'types of the stacks',
      'format',
      'tests',
    ]);
  });

  it('give a file that begins with a dash as a file, and not as an option', () => {
    for (const { args } of stepsFor(['--fix.ts'])) expect(args).not.toContain('--fix.ts');
  });
});

describe('the files that a project reads', () => {
  let root: string;
  const at = (name: string) => join(root, name);
  const record = () => at('record.tsbuildinfo');
  const LATER = new Date('2026-01-02T00:00:00Z');
  const EARLIER = new Date('2026-01-01T00:00:00Z');

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'daybook-record-'));
    const fileNames = ['./read.d.ts', '../node_modules/library/index.d.ts'];
    await writeFile(at('read.d.ts'), '');
    await utimes(at('read.d.ts'), EARLIER, EARLIER);
    await writeFile(record(), JSON.stringify({ fileNames, version: '6' }));
    await utimes(record(), LATER, LATER);
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  it('have not changed when all are older than the record', () => {
    expect(readFilesChanged(record())).toBe(false);
  });

  it('have changed when one is newer than the record', async () => {
    await utimes(at('read.d.ts'), LATER, new Date(LATER.getTime() + 1));
    expect(readFilesChanged(record())).toBe(true);
  });

  it('have changed when one was removed, or there is no record', async () => {
    await rm(at('read.d.ts'));
    expect(readFilesChanged(record())).toBe(true);
    expect(readFilesChanged(at('none.tsbuildinfo'))).toBe(true);
  });
});

describe('the types of the stacks', () => {
  const needed = (file: string) =>
    stepsFor([file])
      .find(({ name }) => name === 'types of the stacks')
      ?.needed?.();

  it.each(['test/stacks/new.test.ts', 'package-lock.json', 'lib/tsconfig.json'])(
    'are checked for %s',
    (file) => {
      expect(needed(file)).toBe(true);
    },
  );
});
