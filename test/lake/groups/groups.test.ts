import * as z from 'zod';
import { createGroupTables, groupDatabase, groupTables, lookAtGroup, mergeGroup } from '#lake/sql/groups.ts';
import type { GroupTable, LakeGroup, Window } from '#lake/sql/groups.ts';
import { GROUP_QUERIES, NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/index.ts';
import { inTrinosWords, makeHistoryTables, mergeHistory } from '#support/lake/history-lake.ts';
import { differing, sortedRows, openLakeOf } from '#support/lake/running-lake.ts';
import { BUCKET, shareWorld } from '#support/world/daybook-world.ts';

const MERCHANTS = ['700001', '700002', '700003'] as const;
const [FIRST, SECOND, THIRD] = MERCHANTS;
/** Days in two half-years. */
const DAYS = ['2026-06-30', '2026-07-01', '2026-11-20'] as const;
const [JUNE, , LAST] = DAYS;

const NORTH: LakeGroup = { name: 'north', merchants: [FIRST, SECOND], personal: false };
const SOUTH: LakeGroup = { name: 'south', merchants: [THIRD], personal: true };
const EVERYONE: LakeGroup = { name: 'everyone', merchants: 'all', personal: false };
const GROUPS = [NORTH, SOUTH, EVERYONE];

/** Values that only people with a right to customers' data may see. */
const SECRET = {
  token: 'canary-token',
  access_key: 'canary-key',
  split_access_key: 'canary-split',
  url: 'https://pay.example.com/canary-url',
  spliturl: 'https://pay.example.com/canary-spliturl',
  description: 'canary-description',
  sms_response: 'canary-sms',
  customer: { name: 'canary-name', email: 'canary@example.org', phone_number: 'canary-phone' },
  created_by_merchant: { id: 7, name: 'canary-clerk' },
  products: [{ name: 'canary-product' }],
  reference_number: 'canary-reference',
  rentperiod: 'canary-rent',
};
const SECRET_OF_REFUND = {
  remarks: 'canary-remarks',
  approved_by: 'canary-approver',
  document_number: 'canary-document',
  order_reference_number: 'canary-order',
};

const world = shareWorld({ merchants: MERCHANTS.length });
let lake: TrinoLake;

beforeAll(async () => {
  const { data } = world.payments;
  for (const merchantCode of MERCHANTS) {
    for (const day of DAYS) {
      data.seedDay(merchantCode, day, { invoices: 6, refunds: 2 });
      data.insertInvoice(merchantCode, day, SECRET);
      data.insertRefund(merchantCode, day, SECRET_OF_REFUND);
      await world.report({ merchantCode, day, send: false });
    }
  }
  lake = await openLakeOf(world, { firstDay: '2026-06-01' });
  await makeHistoryTables(lake, BUCKET);
  await mergeHistory(lake, DAYS);
  for (const group of GROUPS) {
    await lake.run(`CREATE SCHEMA ${groupDatabase(lake.database, group)}`);
    for (const sql of createGroupTables(lake.database, group, `s3://${BUCKET}/`))
      await lake.run(inTrinosWords(sql));
  }
});
afterAll(() => lake.close());

const windowsSchema = z.array(z.strictObject({ from: z.string(), to: z.string() }));

async function windowsOf(group: LakeGroup): Promise<Window[]> {
  const [row] = await lake.query(lookAtGroup(lake.database, group));
  return windowsSchema.parse(JSON.parse(z.string().parse(row?.['windows'])));
}

/** What the function `lake` does for a group. */
async function bringUpToDate(group: LakeGroup): Promise<void> {
  for (const window of await windowsOf(group)) {
    for (const sql of mergeGroup(lake.database, group, window)) await lake.run(sql);
  }
}

async function count(sql: string): Promise<number> {
  const [row] = await lake.query(`SELECT count(*) AS n FROM (${sql})`);
  return Number(row?.['n']);
}

function tablesOf(group: LakeGroup): GroupTable[] {
  return Object.values(groupTables(lake.database, group));
}

async function expectCopied(group: LakeGroup): Promise<void> {
  const codes = (group.merchants === 'all' ? MERCHANTS : group.merchants)
    .map((code) => `'${code}'`)
    .join(', ');
  for (const { name, columns, history } of tablesOf(group)) {
    const names = columns.map((column) => column.name);
    const own = `(SELECT * FROM ${history.name} WHERE merchant_code IN (${codes}))`;
    expect(await differing(lake, names, [name, own]), name).toEqual([]);
  }
  expect(await windowsOf(group)).toEqual([]);
}

describe("a group's copy of the history", () => {
  it('is made in windows of at most six months', async () => {
    expect(await windowsOf(NORTH)).toEqual([
      { from: '2026-06-01', to: '2026-06-30' },
      { from: '2026-07-01', to: '2026-11-30' },
    ]);
  });

  it.each(GROUPS)("holds exactly its merchants' rows: $name", async (group) => {
    await bringUpToDate(group);
    await expectCopied(group);
  });

  it('has no column with customers’ data, unless the group may see them', async () => {
    for (const group of GROUPS) {
      for (const table of tablesOf(group)) {
        const { columns, rows } = await lake.run(`SELECT * FROM ${table.name}`);
        expect(rows.length, table.name).toBeGreaterThan(0);
        const found = columns
          .map(({ name }) => name)
          .filter((name) => /customer|phone|email|url$/.test(name));
        if (!group.personal) expect(found, table.name).toEqual([]);
        const canaries = new Set(JSON.stringify(rows).match(/canary[\w@.-]*/g));
        const expected = table.name.endsWith('.invoices') ? 14 : table.name.endsWith('.refunds') ? 4 : 0;
        expect(canaries.size, table.name).toBe(group.personal ? expected : 0);
      }
    }
  });

  it('follows corrections of old days, and changes nothing else', async () => {
    world.payments.data.evolve(FIRST, JUNE);
    world.payments.data.insertInvoice(SECOND, LAST, { amount: '77.125' });
    await world.report({ merchantCode: FIRST, day: JUNE, send: false });
    await world.report({ merchantCode: SECOND, day: LAST, send: false });
    await mergeHistory(lake, [JUNE, LAST]);
    expect(await windowsOf(NORTH)).toEqual([
      { from: '2026-06-01', to: '2026-06-30' },
      { from: '2026-11-01', to: '2026-11-30' },
    ]);
    expect(await windowsOf(SOUTH)).toEqual([]);
    await bringUpToDate(NORTH);
    await expectCopied(NORTH);
  });

  it('is correct after a run that died between two statements, and after one that was repeated', async () => {
    world.payments.data.evolve(FIRST, LAST, 2);
    await world.report({ merchantCode: FIRST, day: LAST, send: false });
    await mergeHistory(lake, [LAST]);
    const [window] = await windowsOf(NORTH);
    const statements = mergeGroup(lake.database, NORTH, defined(window));
    for (const last of [1, 2]) {
      for (const sql of statements.slice(0, last)) await lake.run(sql);
      expect(await windowsOf(NORTH)).toEqual([window]);
    }
    await bringUpToDate(NORTH);
    await expectCopied(NORTH);
    for (const sql of statements) expect((await lake.run(sql)).updateCount ?? 0).toBe(0);
    await expectCopied(NORTH);
  });

  it('shows a page as it was until its rows and figures are in the history', async () => {
    world.payments.data.insertInvoice(FIRST, LAST, { amount: '5.000' });
    await world.report({ merchantCode: FIRST, day: LAST, send: false });
    const page = `WHERE merchant_code = '${FIRST}' AND day = '${LAST}'`;
    const { invoices, days } = groupTables(lake.database, NORTH);
    const shown = () => lake.query(`SELECT revision, count(*) AS n FROM ${invoices.name} ${page} GROUP BY 1`);
    const before = await shown();
    // As after a merge that died halfway.
    await mergeHistory(lake, [LAST], 2);
    const window = { from: '2026-11-01', to: '2026-11-30' };
    for (const sql of mergeGroup(lake.database, NORTH, window)) await lake.run(sql);
    expect(await shown()).toEqual(before);
    // A group that has nothing yet does not get figures without rows.
    for (const { name } of tablesOf(EVERYONE)) await lake.run(`DELETE FROM ${name} ${page}`);
    for (const sql of mergeGroup(lake.database, EVERYONE, window)) await lake.run(sql);
    expect(await count(`SELECT * FROM ${groupTables(lake.database, EVERYONE).days.name} ${page}`)).toBe(0);
    expect(await count(`SELECT * FROM ${days.name} ${page}`)).toBe(1);
    await mergeHistory(lake, [LAST]);
    for (const group of [NORTH, EVERYONE]) {
      await bringUpToDate(group);
      await expectCopied(group);
    }
  });

  it('loses the rows of a merchant that leaves the group, and gets those of one that joins', async () => {
    const changed: LakeGroup = { ...NORTH, merchants: [SECOND, THIRD] };
    expect(await windowsOf(changed)).toHaveLength(2);
    await bringUpToDate(changed);
    await expectCopied(changed);
    await bringUpToDate(NORTH);
    await expectCopied(NORTH);
  });

  // They read each of the tables, and the view of payments.
  it.each(['came-in', 'refund-rate', 'history-of-a-merchant'])(
    'answers the saved query %s as the whole lake does',
    async (name) => {
      const [own, ofAll] = [GROUP_QUERIES, NAMED_QUERIES].map((queries) =>
        defined(queries.find((query) => query.name === name)),
      );
      const database = groupDatabase(lake.database, EVERYONE);
      const answer = await lake.query(
        defined(own).sql.replaceAll(/(FROM|JOIN) (invoices|refunds|days)\b/g, `$1 ${database}.$2`),
      );
      const columns = Object.keys(defined(answer[0]));
      expect(sortedRows(answer, ...columns)).toEqual(
        sortedRows(await lake.query(defined(ofAll).sql), ...columns),
      );
    },
  );

  it('is kept apart from those of other groups, under a folder of its own', () => {
    for (const group of GROUPS) {
      const kept = world.keys(`lake/group=${group.name}/`);
      expect(kept.some((key) => key.endsWith('.parquet'))).toBe(true);
      for (const table of tablesOf(group))
        expect(kept.some((key) => key.startsWith(table.prefix))).toBe(true);
    }
  });
});
