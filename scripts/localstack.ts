import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installRuntimeClient } from '#sandbox/lambda/index.ts';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { pythonEnvironment } from '#sandbox/python-environment.ts';

/*
 * Runs the tests in which LocalStack deploys the stacks and runs a state machine. LocalStack is installed into a virtual
 * environment under .local/localstack, the client of Lambda's runtime under .local/lambda. Parameters are passed to Vitest.
 */

const ROOT = join(import.meta.dirname, '..');
const HOME = join(ROOT, '.local/localstack');
const REQUIREMENTS = join(ROOT, 'scripts/localstack-requirements.txt');

const USAGE = `Runs the tests in which LocalStack deploys the stacks and runs a state machine. Needs Linux, g++ and the headers of
curl, and Python 3.12 or later: one on the PATH, or one of pyenv. The first run installs LocalStack (some 300 MB) under
.local/localstack, and the client of Lambda's runtime under .local/lambda.

  npm run test:localstack -- [options of Vitest]

  -h, --help   show this text
`;

/** LocalStack 4.14 says that it needs 3.10, but has syntax of 3.12. */
function newPython(): string {
  const versions = join(homedir(), '.pyenv/versions');
  const ofPyenv = globSync('3.1[2-9]*/bin/python3', { cwd: versions }).map((name) => join(versions, name));
  const found = ['python3.13', 'python3.12', 'python3', ...ofPyenv].find(
    (python) => spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 12))']).status === 0,
  );
  if (found === undefined) throw new UnavailableError('Python 3.12 or later is missing');
  return found;
}

if (['-h', '--help'].includes(process.argv[2] ?? '')) {
  process.stdout.write(USAGE);
  process.exit(0);
}
try {
  const programs = await pythonEnvironment(join(HOME, 'python'), REQUIREMENTS, newPython());
  const client = await installRuntimeClient(join(ROOT, '.local/lambda'));
  console.log('localstack: installed');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'localstack', ...process.argv.slice(2)],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, DAYBOOK_LOCALSTACK: join(programs, 'python'), DAYBOOK_RUNTIME_CLIENT: client },
    },
  );
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(`localstack: ${error.message}`);
  process.exitCode = 1;
}
