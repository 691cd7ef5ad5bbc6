import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedFiles, stepsFor } from '#scripts/check.ts';

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
    expect(names([])).toEqual(['types']);
  });

  it('lint and test code that changed', () => {
    expect(names(['functions/plan/due.ts'])).toEqual(['types', 'lint', 'format', 'tests']);
  });

  it('only look at the format of a document that changed', () => {
    expect(names(['README.md', 'package.json'])).toEqual(['types', 'format']);
  });

  it('lint a script of plain JavaScript, which no test imports', () => {
    expect(names(['bin/needed-node.mjs'])).toEqual(['types', 'lint', 'format']);
  });

  it('run the tests that use a text or another JSON file which is imported', () => {
    expect(names(['functions/shared/rendering/texts/en.json'])).toEqual(['types', 'format', 'tests']);
  });

  it('give a file that begins with a dash as a file, and not as an option', () => {
    for (const { args } of stepsFor(['--fix.ts'])) expect(args).not.toContain('--fix.ts');
  });
});
