import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#sandbox/free-port.ts';

/*
 * Runs the tests of test/contract/aws against moto's server, an independent and widely used copy of AWS.
 * moto is installed into its own virtual environment under .local/moto, which the next run uses again. Parameters are
 * passed to Vitest.
 */

/** moto cannot be installed or started on this machine. The message says what was tried. */
class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/moto');
const REQUIREMENTS = join(ROOT, 'scripts/moto-requirements.txt');
const RESULTS = '.local/moto-results.json';
const SUITE = 'test/contract/aws';
/** Milliseconds. */
const LONGEST_INSTALL = 5 * 60_000;
const LONGEST_START = 30_000;

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: LONGEST_INSTALL });
  if (status === 0) return;
  const last = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  throw new UnavailableError(`${[command, ...args.slice(0, 3)].join(' ')} failed: ${last}`);
}

/** A Python with the packages in the requirements. Installs them if they are missing. */
function pythonWithMoto(): string {
  const { status, stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.version)'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new UnavailableError('python3 is missing');
  const wanted = createHash('sha256').update(stdout).update(readFileSync(REQUIREMENTS)).digest('hex');
  const environment = join(HOME, 'python');
  const python = join(environment, 'bin/python');
  // Written last, so that an interrupted installation does not count as complete.
  const mark = join(environment, 'installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) {
    console.log('moto: installed before');
    return python;
  }
  const began = Date.now();
  rmSync(environment, { recursive: true, force: true });
  run('python3', ['-m', 'venv', environment]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  run(python, ['-m', 'pip', 'install', ...quiet, '--no-deps', '--no-compile', '-r', REQUIREMENTS]);
  writeFileSync(mark, wanted);
  console.log(`moto: installed in ${seconds(began)}`);
  return python;
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(`${endpoint}/moto-api/`, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
}

async function startServer(python: string): Promise<{ server: ChildProcess; endpoint: string }> {
  const began = Date.now();
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const logFile = join(HOME, 'server.log');
  const log = openSync(logFile, 'w');
  const args = ['-I', '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
  const server = spawn(python, args, { cwd: HOME, stdio: ['ignore', log, log] });
  closeSync(log);
  process.on('exit', () => server.kill());
  while (!(await answers(endpoint))) {
    if (server.exitCode !== null || Date.now() - began > LONGEST_START) {
      server.kill();
      throw new UnavailableError(`the server did not start: see ${logFile}`);
    }
    await wait(100);
  }
  console.log(`moto: serves ${endpoint} after ${seconds(began)}`);
  return { server, endpoint };
}

/** @returns the exit status of the tests */
async function test(endpoint: string, parameters: readonly string[]): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', SUITE, ...parameters], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, DAYBOOK_AWS_ENDPOINT: endpoint, DAYBOOK_TEST_RESULTS: RESULTS },
  });
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

const USAGE = `Runs test/contract/aws against moto's server, an independent copy of AWS. Needs Python 3.

  npm run test:moto -- [options of Vitest]

  -h, --help   show this text
`;

const began = Date.now();
if (['-h', '--help'].includes(process.argv[2] ?? '')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
mkdirSync(HOME, { recursive: true });
rmSync(join(ROOT, RESULTS), { force: true });
try {
  const { server, endpoint } = await startServer(pythonWithMoto());
  try {
    process.exitCode = await test(endpoint, process.argv.slice(2));
  } finally {
    server.kill();
  }
  console.log(`moto: everything took ${seconds(began)}`);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  const isOptional = process.env['CI'] !== 'true';
  console.error(`moto: ${error.message}`);
  console.error(
    isOptional
      ? 'moto: SKIPPED. Nothing was tested against it; continuous integration (CI=true) would fail here.'
      : 'moto: continuous integration must test against it',
  );
  process.exitCode = isOptional ? 0 : 1;
}
