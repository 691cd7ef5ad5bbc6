import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { DICTIONARY, dataDictionary } from '#scripts/data-dictionary.ts';

it('the data dictionary agrees with the definitions (npm run dictionary writes it)', async () => {
  expect(await readFile(DICTIONARY, 'utf8')).toBe(await dataDictionary());
});

it('the data dictionary has every column of every table and view, in its section or in the one that it refers to', async () => {
  const text = await readFile(DICTIONARY, 'utf8');
  const sections = new Map(text.split('\n### ').map((section) => [/`(\w+)`/.exec(section)?.[1], section]));
  const columnsOf = (name: string): string[] => {
    const section = sections.get(name) ?? '';
    const [, referred = '', without = ''] =
      /^Columns as in `(\w+)`((?:, without [^;.]*)?)/m.exec(section) ?? [];
    const own = [...section.matchAll(/^- `(\w+)` `[^`]+`/gm)].map(([, column = '']) => column);
    const listed = /^With the meaning in `\w+`[^:]*: (.*?)(?:\.|; and these:)$/m.exec(section)?.[1] ?? '';
    own.push(...[...listed.matchAll(/(?:^|, )`(\w+)`/g)].map(([, column = '']) => column));
    const shared = referred === '' ? [] : columnsOf(referred);
    return [...own, ...shared.filter((column) => !without.includes(`\`${column}\``))];
  };
  for (const { name, columns } of [...LAKE_TABLES, ...LAKE_VIEWS]) {
    if (name.startsWith('merchant_')) expect(text).toContain(`\`${name}\``);
    else
      expect(columnsOf(name), name).toEqual(
        expect.arrayContaining(columns.map((column) => column.name.toLowerCase())),
      );
  }
});
