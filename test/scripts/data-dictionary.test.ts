import { readFile } from 'node:fs/promises';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { DICTIONARY, dataDictionary } from '#scripts/data-dictionary.ts';

it('the data dictionary agrees with the definitions (npm run dictionary writes it)', async () => {
  expect(await readFile(DICTIONARY, 'utf8')).toBe(await dataDictionary());
});

/** The columns that a list names, also those from `first` to `last` of others. */
function named(list: string, others: readonly string[]): string[] {
  return [...list.matchAll(/`([\w.]+)`(?: to `(\w+)`)?/g)].flatMap(([, first = '', last]) =>
    last === undefined ? [first] : others.slice(others.indexOf(first), others.indexOf(last) + 1),
  );
}

it('the data dictionary has every column of every table and view, in its section or in the one that it refers to', async () => {
  const text = await readFile(DICTIONARY, 'utf8');
  const sections = new Map(text.split('\n### ').map((section) => [/`(\w+)`/.exec(section)?.[1], section]));
  const columnsOf = (name: string): string[] => {
    const section = sections.get(name) ?? '';
    const own = [...section.matchAll(/^- ([^:]+)/gm)].flatMap(([, columns = '']) => named(columns, []));
    const said = /^Columns as in `(\w+)`(: |, without |)([^.]*)\./m.exec(section);
    if (said === null) return own;
    const [, referred = '', how, list = ''] = said;
    const theirs = columnsOf(referred);
    const listed = named(list, theirs);
    return [...own, ...(how === ': ' ? listed : theirs.filter((column) => !listed.includes(column)))];
  };
  for (const { name, columns } of [...LAKE_TABLES, ...LAKE_VIEWS]) {
    if (name.startsWith('merchant_')) expect(text).toContain(`\`${name}\``);
    else
      expect(columnsOf(name), name).toEqual(
        expect.arrayContaining(columns.map((column) => column.name.toLowerCase())),
      );
  }
});
