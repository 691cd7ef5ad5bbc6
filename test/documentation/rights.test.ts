import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#support/documentation/claims.ts';
import { rowsOf } from '#support/documentation/markdown.ts';
import { rightsRows } from '#support/documentation/rights-table.ts';

it('docs/rights.md lists every command with exactly the calls that the policies allow', () => {
  const text = readFileSync(join(ROOT, 'docs/rights.md'), 'utf8');
  expect(rowsOf(text, 'command')).toEqual(rightsRows());
});
