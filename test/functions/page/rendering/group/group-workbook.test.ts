import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '#page/workbook/write-workbook.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { aGroupInput, aGroupPage, aMember } from '#support/rendering/groups.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';

async function sheetsOf(input: GroupInput) {
  return readWorkbook(await writeWorkbook(groupWorkbook(input))).sheets;
}

const members = [
  aMember('700001', { usual: { received: '190.000', total: 20 } }),
  aMember('700002', { balanced: false, final: false, received: null }),
];
const input = aGroupInput(
  aGroupPage(members, {
    missing: [{ merchantCode: '700008', name: 'Marina Books', reason: 'not-readable' }],
  }),
);

describe('the workbook of a group', async () => {
  const [summary, merchants, missing] = await sheetsOf(input);
  const [heads, first, second, total] = merchants?.rows ?? [];
  const of = (row: string[] | undefined, ...columns: string[]) =>
    columns.map((head) => row?.[heads?.indexOf(head) ?? -1]);

  it('has a summary by currency', () => {
    const rowOf = (label: string) => summary?.rows.find(([one]) => one === label);
    expect(rowOf('Group')?.[1]).toBe('north');
    expect(rowOf('Status')?.[1]).toMatch(/^Provisional/);
    expect(rowOf('Missing')?.[1]).toBe('1');
    expect(rowOf('KWD')).toEqual(['KWD', 'Count', 'Amount']);
    expect(rowOf('Paid')).toEqual(['Paid', '40', '400']);
  });

  it('has every merchant in the order of the registry, with sums of what is known of all', () => {
    expect(of(first, 'Code', 'Name', 'Paid invoices', 'Came in', 'Difference', 'Final')).toEqual([
      ...['700001', 'Merchant 700001', '20', '200', '10', 'yes'],
    ]);
    expect(of(second, 'Code', 'Came in', 'Difference', 'Confirmed')).toEqual([
      ...['700002', 'unknown', 'unknown', 'no'],
    ]);
    expect(of(total, 'Refunds, amount', 'Came in')).toEqual(['5', '']);
  });

  it('has what came in and the net differ by', () => {
    const made = of(first, 'Came in', 'Approved refunds', 'Charges', 'Net');
    expect(made).toEqual(['200', '2.5', '0', '197.5']);
    expect(of(second, 'Charges')).toEqual(['unknown']);
  });

  it('has who is missing, and why', () => {
    expect(missing?.rows.slice(1, 2)).toEqual([['700008', 'Marina Books', 'its figures cannot be read']]);
  });
});

it('adds nothing of different currencies', async () => {
  const mixed = [aMember('1'), aMember('2', { currency: 'SAR' })];
  const [, merchants] = await sheetsOf(aGroupInput(aGroupPage(mixed)));
  expect(merchants?.rows.at(-1)?.filter((cell) => cell !== '')).toEqual(['Total']);
});

it.each(['en', 'ar'] as const)('no sheet in %s has two columns of the same name', async (language) => {
  for (const { rows } of (await sheetsOf({ ...input, group: { ...input.group, language } })).slice(1)) {
    const heads = (rows[0] ?? []).map((head) => head.toLowerCase());
    expect(new Set(heads).size).toBe(heads.length);
  }
});

it('keeps hostile names as texts', async () => {
  const hostile = HOSTILE_NAMES.map((name, index) => aMember(String(index + 1), { name }));
  const [, merchants] = await sheetsOf(aGroupInput(aGroupPage(hostile)));
  const names = merchants?.rows.slice(1, -1).map(([, name = '']) => name) ?? [];
  expect(names).toHaveLength(HOSTILE_NAMES.length);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(100);
  for (const [address, cell] of merchants?.cells ?? []) {
    if (address.startsWith('B')) expect(cell).toMatchObject({ type: 's', format: '@' });
  }
});
