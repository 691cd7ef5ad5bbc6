import { TABLES } from '#records/revision/manifest.ts';
import { SHAPES } from '#records/rows/contract-columns.ts';
import { CONTRACT_COLUMNS } from '#lake/sql/record-columns.ts';

describe.each(TABLES)('the columns of %s', (table) => {
  const columns = CONTRACT_COLUMNS[table].flatMap((column, index) => {
    const member = SHAPES[table][index];
    const inner = column.members.map((each, at) => ({ column: each, member: member?.members?.[at] }));
    return [{ column, member }, ...inner];
  });

  it('that are no texts are those of which the files hold only values that fit', () => {
    expect(columns.length).toBeGreaterThan(30);
    for (const { column, member } of columns) {
      expect([column.name, member?.isText]).toEqual([column.name, column.type === 'string']);
    }
  });

  it('are null where the service sends something else, except those that a day needs', () => {
    const always = columns.filter(({ column }) => !column.nullable).map(({ column }) => column.name);
    expect(always).toEqual(['id', 'amount', table === 'invoices' ? 'invoice_status' : 'status']);
  });
});
