import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#sandbox/ports.ts';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';
import { withTool } from './outside-tool.ts';

/*
 * Runs the tests of test/contract/aws against moto's server, an independent and widely used copy of AWS.
 * moto is installed into its own virtual environment under .local/moto, which the next run uses again. Parameters are
 * passed to Vitest.
 */

const HOME = join(import.meta.dirname, '../.local/moto');
const REQUIREMENTS = join(import.meta.dirname, 'moto-requirements.txt');
const SUITE = 'test/contract/aws';
/** Milliseconds. */
const LONGEST_START = 30_000;

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
  return { server, endpoint };
}

const usage = `Runs test/contract/aws against moto's server, an independent copy of AWS. Needs Python 3.

  npm run test:moto -- [options of Vitest]

  -h, --help   show this text
`;

await withTool(
  { name: 'moto', usage, skipped: 'Nothing was tested against it' },
  async ({ report, vitest }) => {
    mkdirSync(HOME, { recursive: true });
    const python = join(await pythonEnvironment(join(HOME, 'python'), REQUIREMENTS), 'python');
    report('installed');
    const { server, endpoint } = await startServer(python);
    report(`serves ${endpoint}`);
    try {
      return await vitest([SUITE, ...process.argv.slice(2)], { DAYBOOK_AWS_ENDPOINT: endpoint });
    } finally {
      server.kill();
      report('everything is done');
    }
  },
);
