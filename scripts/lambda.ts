import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeClientUnavailableError, installRuntimeClient } from '#sandbox/lambda/index.ts';
import { endWithout } from './without-tool.ts';

/*
 * Runs the tests of the functions under the client of Lambda's runtime. It is installed under .local/lambda, which the next
 * run uses again. Parameters are passed to Vitest.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/lambda');
const RESULTS = '.local/lambda-results.json';

const USAGE = `Runs the functions under the client of Lambda's runtime. Needs Linux, xz, g++ and the headers of curl
(Debian: xz-utils, g++, libcurl4-openssl-dev).

  npm run test:lambda -- [options of Vitest]

  -h, --help   show this text
`;

/** @returns the exit status of the tests */
async function test(client: string, parameters: readonly string[]): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'lambda', ...parameters], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, DAYBOOK_RUNTIME_CLIENT: client, DAYBOOK_TEST_RESULTS: RESULTS },
  });
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

const began = Date.now();
if (['-h', '--help'].includes(process.argv[2] ?? '')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
rmSync(join(ROOT, RESULTS), { force: true });
try {
  const client = await installRuntimeClient(HOME);
  console.log(`lambda: the client is installed after ${((Date.now() - began) / 1_000).toFixed(1)} s`);
  process.exitCode = await test(client, process.argv.slice(2));
} catch (error) {
  if (!(error instanceof RuntimeClientUnavailableError)) throw error;
  endWithout('lambda', error, 'Nothing was tested under it');
}
