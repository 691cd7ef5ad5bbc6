import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nameOfProcess } from '#runtime/running-process.ts';
import { newDirectory, WITHOUT_ROOT } from '#support/machine.ts';

const DIRECTORY = join(import.meta.dirname, '../../../bin/local/directory.ts');

let parent: string;
beforeEach(() => {
  parent = newDirectory();
  chmodSync(parent, 0o755);
});
// Else nothing could remove what is in it.
afterEach(() => chmodSync(parent, 0o755));

const refused = (why: string) => `UsageError: ${why}; choose another with --directory`;

/** The message of the attempt to claim the directory; `claimed` when it succeeds. */
function claim(directory: string): string {
  const program = `const { claimDirectory } = await import(${JSON.stringify(DIRECTORY)});
    ${WITHOUT_ROOT}
    try { claimDirectory(${JSON.stringify(directory)}, false); console.log('claimed'); }
    catch (error) { console.log(error.name + ': ' + error.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
}

function open(path: string): void {
  chmodSync(path, 0o777);
}

it('names the directory when its parent or itself cannot be written to', () => {
  const directory = join(parent, 'local');
  const why = refused(`${directory} cannot be written to (EACCES)`);
  chmodSync(parent, 0o555);
  expect(claim(directory)).toBe(why);
  chmodSync(parent, 0o755);
  mkdirSync(directory, { mode: 0o555 });
  expect(claim(directory)).toBe(why);
});

it.each(['s3', 'mail', 'daybook.log'])('names the directory when another user left %s in it', (name) => {
  open(parent);
  const left = join(parent, name);
  writeFileSync(join(parent, 'payments.sqlite'), '');
  chmodSync(join(parent, 'payments.sqlite'), 0o666);
  if (name === 'daybook.log') writeFileSync(left, '', { mode: 0o444 });
  else mkdirSync(left, { mode: 0o555 });
  expect(claim(parent)).toBe(refused(`${left} cannot be written to (EACCES)`));
});

it('names the directory when it is a file or has no parent', () => {
  open(parent);
  const file = join(parent, 'file');
  writeFileSync(file, '');
  expect(claim(file)).toBe(refused(`${file} is not a directory`));
  const none = join(parent, 'none');
  const missing = refused(`${none}/there cannot be made, because ${none} does not exist`);
  expect(claim(`${none}/there`)).toBe(missing);
});

it('takes a directory over from a dead run whose number a living process has', () => {
  open(parent);
  const directory = join(parent, 'local');
  mkdirSync(directory);
  open(directory);
  const lock = join(directory, 'running.pid');
  writeFileSync(lock, `${nameOfProcess()}\n`);
  expect(claim(directory)).toContain(`is in use by another run (process ${process.pid}, see ${lock})`);
  writeFileSync(lock, `${process.pid}.0\n`);
  const isLinux = existsSync('/proc/self/stat');
  expect(claim(directory)).toBe(isLinux ? 'claimed' : expect.stringContaining('is in use'));
});
