import { join } from 'node:path';
import { installRuntimeClient } from '#sandbox/lambda/index.ts';
import { withTool } from './outside-tool.ts';

/*
 * Runs the tests of the functions under the client of Lambda's runtime. It is installed under .local/lambda, which the next
 * run uses again. Parameters are passed to Vitest.
 */

const HOME = join(import.meta.dirname, '../.local/lambda');

const usage = `Runs the functions under the client of Lambda's runtime. Needs Linux, xz, g++ and the headers of curl
(Debian: xz-utils, g++, libcurl4-openssl-dev).

  npm run test:lambda -- [options of Vitest]

  -h, --help   show this text
`;

await withTool(
  { name: 'lambda', usage, skipped: 'Nothing was tested under it' },
  async ({ report, vitest }) => {
    const client = await installRuntimeClient(HOME);
    report('the client is installed');
    return vitest(['--project', 'lambda', ...process.argv.slice(2)], { DAYBOOK_RUNTIME_CLIENT: client });
  },
);
