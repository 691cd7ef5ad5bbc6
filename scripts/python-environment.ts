import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that others wrote cannot be installed or started on this machine. The message says what was tried. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** pip takes ten times the processor time for large packages. uv comes from PyPI, too. */
const UV = 'uv==0.13.9';
/** Milliseconds. */
const LONGEST_INSTALL = 5 * 60_000;

function run(command: string, args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: LONGEST_INSTALL,
  });
  if (status === 0) return;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  // Debian's Python without venv says on the standard output what to install.
  const said = error?.message ?? (last === '' ? stdout.trim() : last);
  throw new UnavailableError(`${[command, ...args.slice(0, 3)].join(' ')} failed: ${said}`);
}

/**
 * A virtual environment of Python with exactly these packages. It is made anew only when they or the Python have changed.
 *
 * @param directory of the environment; it is replaced
 * @param requirements the file of the packages, each at one version, with all that they need
 * @param interpreter the Python
 * @returns the folder of its programs
 * @throws {UnavailableError} when Python is missing or the packages cannot be had
 */
export function pythonEnvironment(directory: string, requirements: string, interpreter = 'python3'): string {
  const { status, stdout } = spawnSync(interpreter, ['-c', 'import sys; print(sys.version)'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new UnavailableError(`${interpreter} is missing`);
  const wanted = createHash('sha256')
    .update(stdout)
    .update(UV)
    .update(readFileSync(requirements))
    .digest('hex');
  const programs = join(directory, 'bin');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(directory, 'installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return programs;

  rmSync(directory, { recursive: true, force: true });
  run(interpreter, ['-m', 'venv', directory]);
  const python = join(programs, 'python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', UV]);
  run(join(programs, 'uv'), [
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--python',
    python,
    '-r',
    requirements,
  ]);
  writeFileSync(mark, wanted);
  return programs;
}
