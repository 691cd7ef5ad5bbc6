import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { expect, it } from 'vitest';
import { ROOT } from '#support/documentation/claims.ts';
import { rightsRows } from '#support/documentation/rights-table.ts';

const FILE = join(ROOT, 'docs/rights.md');
const HEADING = ['command', 'policy', 'reads', 'writes', 'removes', 'other calls'];

// `vitest run test/documentation/rights -u` writes the table anew.
it('docs/rights.md lists every command with exactly the calls that the policies allow', async () => {
  const [words = ''] = readFileSync(FILE, 'utf8').split(/^\| command/m);
  await expect(`${words}${markdownTable([HEADING, ...rightsRows()])}\n`).toMatchFileSnapshot(FILE);
});
