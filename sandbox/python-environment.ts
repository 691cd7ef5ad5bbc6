import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError, run, runs } from './outside-program.ts';

/** pip takes ten times the processor time for large packages. uv comes from PyPI, too. */
const UV = 'uv==0.13.9';

/**
 * A virtual environment of Python with exactly these packages. It is made anew only when they or the Python have changed.
 * @param directory of the environment; it is replaced
 * @param requirements the file of the packages, each at one version, with all that they need
 * @param interpreter the Python
 * @returns the folder of its programs
 * @throws {UnavailableError} when Python is missing or the packages cannot be had
 */
export async function pythonEnvironment(
  directory: string,
  requirements: string,
  interpreter = 'python3',
): Promise<string> {
  if (!(await runs(interpreter, ['-c', '']))) throw new UnavailableError(`${interpreter} is missing`);
  const version = await run(interpreter, ['-c', 'import sys; print(sys.version)']);
  const wanted = createHash('sha256')
    .update(version)
    .update(UV)
    .update(readFileSync(requirements))
    .digest('hex');
  const programs = join(directory, 'bin');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(directory, 'installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return programs;

  rmSync(directory, { recursive: true, force: true });
  await run(interpreter, ['-m', 'venv', directory]);
  const python = join(programs, 'python');
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(python, ['-m', 'pip', 'install', ...quiet, UV]);
  const packages = ['--no-deps', '--python', python, '-r', requirements];
  await run(join(programs, 'uv'), ['pip', 'install', '--quiet', ...packages]);
  writeFileSync(mark, wanted);
  return programs;
}
