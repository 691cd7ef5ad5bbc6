import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UnavailableError, pythonEnvironment } from './python-environment.ts';
import { freePort } from '#sandbox/free-port.ts';
import { endWithout } from './without-tool.ts';

/*
 * Runs the tests of test/contract/aws against moto's server, an independent and widely used copy of AWS.
 * moto is installed into its own virtual environment under .local/moto, which the next run uses again. Parameters are
 * passed to Vitest.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/moto');
const REQUIREMENTS = join(ROOT, 'scripts/moto-requirements.txt');
const RESULTS = '.local/moto-results.json';
const SUITE = 'test/contract/aws';
/** Milliseconds. */
const LONGEST_START = 30_000;

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
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
  const python = join(pythonEnvironment(join(HOME, 'python'), REQUIREMENTS), 'python');
  console.log(`moto: installed after ${seconds(began)}`);
  const { server, endpoint } = await startServer(python);
  try {
    process.exitCode = await test(endpoint, process.argv.slice(2));
  } finally {
    server.kill();
  }
  console.log(`moto: everything took ${seconds(began)}`);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  endWithout('moto', error, 'Nothing was tested against it');
}
