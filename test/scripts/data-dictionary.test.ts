import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { LAKE_TABLES } from '#lib/lake/tables/index.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { DICTIONARY, dataDictionary } from '#scripts/data-dictionary.ts';

it('the data dictionary agrees with the definitions (npm run dictionary writes it)', async () => {
  expect(await readFile(DICTIONARY, 'utf8')).toBe(await dataDictionary());
});

it('the data dictionary has every column of every table and view', async () => {
  const text = await readFile(DICTIONARY, 'utf8');
  const sections = new Map(text.split('\n### ').map((section) => [/`(\w+)`/.exec(section)?.[1], section]));
  for (const { name, columns } of [...LAKE_TABLES, ...LAKE_VIEWS]) {
    if (name.startsWith('merchant_')) {
      expect(text).toContain(`\`${name}\``);
      continue;
    }
    for (const column of columns) {
      expect(sections.get(name), `${name}.${column.name}`).toMatch(
        new RegExp(
          `^\\| \`${column.name.toLowerCase()}\` +\\| \`[^\`]+\` +\\|.*\\| (Daybook|Invoice record|Refund record)`,
          'm',
        ),
      );
    }
  }
});
