import { gunzipSync, gzipSync } from 'node:zlib';
import { createGroupTables, groupDatabase, groupTables, mergeGroup } from '#lake/sql/groups.ts';
import type { GroupTable } from '#lake/sql/groups.ts';
import type { HistoryTable } from '#lake/sql/history-tables.ts';
import { defined } from '#support/assertions/index.ts';
import {
  BUCKET,
  HistoryLake,
  daysStatements,
  inTrinosWords,
  mailStatements,
  sliceOf,
} from '#support/lake/history-lake.ts';
import { forgettingOf } from '#lake/sql/statements/forget.ts';
import { HOSTILE_TEXTS } from '#support/lake/lake-world.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import {
  differing,
  expectAllIsLatest,
  expectDaysAreNotAhead,
  expectHistoryIsLatest,
} from '#support/lake/running-lake.ts';

/** Two months, and two slices. */
const OLDER = ['2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'];
const NEWER = ['2026-11-03', '2026-11-04'];
const AT = '2026-11-05T03:00:00Z';
const MERGED_AT = '2026-11-05T10:00:00Z';
const NOTHING = { invoices: 0, refunds: 0 };

const lake = await HistoryLake.start({ today: '2026-11-05', firstDay: '2026-10-25' });
const pages = new LakePages(lake.put);
for (const day of [...OLDER, ...NEWER]) {
  for (const merchant of [0, 1, 2]) {
    // The second merchant begins late, and the third has days without anything.
    if (merchant === 1 && day < '2026-10-31') continue;
    const page = await pages.seal(merchant, day, { at: AT, ...(merchant === 2 && { size: NOTHING }) });
    await pages.send(page, AT, merchant === 0 ? ['delivered', 'bounced'] : []);
  }
}
await pages.seal(0, '2026-11-01', {
  at: AT,
  change: ({ invoices, refunds }) => {
    for (const [index, text] of Object.values(HOSTILE_TEXTS).entries()) {
      const [invoice, refund] = [invoices[index % 4], refunds[index % 2]];
      const customer = { name: text, email: text, phone_number: text };
      const rentperiod = { months: text };
      invoices.push({ ...invoice, id: 1_000 + index, description: text, rentperiod, customer });
      refunds.push({ ...refund, id: 1_000 + index, remarks: text });
    }
    invoices.push({ ...invoices[0], id: 2_000, description: 'm'.repeat(1_048_576) });
  },
});
await pages.seal(0, '2026-11-02', {
  at: AT,
  change: ({ invoices: [first, second] }) => {
    // The most digits that the contract's pattern admits.
    Object.assign(first ?? {}, { amount: `${'9'.repeat(30)}.999`, expires_at: '0000-00-00' });
    Object.assign(second ?? {}, { amount: `-${'9'.repeat(30)}.998`, updated_at: '2026-02-31 00:00:00' });
  },
});
await pages.crash(0, '2026-11-03', { at: AT });
await pages.crash(1, '2026-10-29', { at: AT });
afterAll(() => lake.close());

const merge = async (days: readonly string[]) => {
  await lake.runAll(daysStatements(sliceOf(days), MERGED_AT));
  await lake.runAll(mailStatements(sliceOf(days), MERGED_AT));
};

it('a merge of all days, the newer slice first, gives the rows of the latest views', async () => {
  await merge(NEWER);
  await merge(OLDER);
  await expectHistoryIsLatest(lake);
  // Amounts of thirty digits add up to the thousandth.
  const sums = await lake.query(`SELECT sum(amount) FILTER (WHERE abs(amount) > 1000000000) AS large
    FROM invoices_history`);
  expect(sums).toEqual([{ large: '0.001' }]);
});

describe('hostile rows', () => {
  // A group whose merchants are texts of SQL, too.
  const group = { name: 'north', merchants: ['700001', "700002') OR ('1'='1"], personal: true };
  const { invoices, refunds, days } = groupTables(lake.trino.database, group);
  const namesOf = ({ columns }: HistoryTable) => columns.map(({ name }) => name);
  const own = (columns: readonly string[], table: GroupTable) =>
    `(SELECT ${columns.join(', ')} FROM ${table.history.name} WHERE merchant_code = '700001')`;

  it('are in the views over all time and in a copy, cell for cell', async () => {
    await lake.show(await lake.look(MERGED_AT));
    await expectAllIsLatest(lake, ['all_invoices_with_customers', 'all_refunds']);
    await lake.run(`CREATE SCHEMA ${groupDatabase(lake.trino.database, group)}`);
    await lake.runAll(createGroupTables(lake.trino.database, group, `s3://${BUCKET}/`).map(inTrinosWords));
    await lake.runAll(mergeGroup(lake.trino.database, group, { from: '2026-10-01', to: '2026-11-30' }));
    for (const table of [invoices, refunds, days]) {
      const names = namesOf(table);
      expect(await differing(lake, names, [table.name, own(names, table)]), table.name).toEqual([]);
    }
    const [longest] = await lake.query(`SELECT max(length(description)) AS n FROM ${invoices.name}`);
    expect(longest).toEqual({ n: '1048576' });
  });

  it('are forgotten by one of their texts, and nobody else is', async () => {
    const texts = Object.values(HOSTILE_TEXTS);
    const text = defined(HOSTILE_TEXTS['the end of a text of SQL']);
    const id = 1_000 + texts.indexOf(text);
    const customer = { emails: [], phones: [], ids: [text] };
    // The history itself stays, to compare with.
    const ofCopy = forgettingOf(customer, lake.trino.database, [group]).find(
      ({ table }) => table.name === invoices.name,
    );
    await lake.run(defined(ofCopy).sql);
    const erased = invoices.columns.map(({ name, personal }) =>
      personal === true ? `IF(id = ${id}, NULL, "${name}") AS "${name}"` : `"${name}"`,
    );
    expect(await differing(lake, namesOf(invoices), [invoices.name, own(erased, invoices)])).toEqual([]);
  });
});

it('a merge that is repeated writes nothing but the note', async () => {
  const slice = sliceOf(OLDER);
  for (const sql of [...daysStatements(slice, MERGED_AT), ...mailStatements(slice, MERGED_AT)]) {
    if (sql.startsWith('INSERT')) expect(sql).toContain('history_merges');
    else expect((await lake.trino.run(sql)).updateCount ?? 0).toBe(0);
  }
  await expectHistoryIsLatest(lake);
});

it.each([1, 2, 3])(
  'a merge that dies after statement %i, or a newer revision is sealed there, is completed by the next',
  async (done) => {
    const slice = sliceOf(NEWER);
    const noted = `2026-11-0${5 + done}`;
    const statements = daysStatements(slice, `${noted}T10:00:00Z`);
    // A correction, a page that loses all its rows or gets its first, and a late merchant.
    await pages.seal(0, '2026-11-03', { at: AT, size: { invoices: 5, refunds: 1 } });
    await pages.seal(1, '2026-11-03', { at: AT, size: done === 2 ? { invoices: 3, refunds: 1 } : NOTHING });
    await pages.seal(2, '2026-11-04', { at: AT, size: done === 2 ? NOTHING : { invoices: 1, refunds: 1 } });
    await pages.seal(2 + done, '2026-11-04', { at: AT });
    await lake.runAll(statements.slice(0, done));
    await expectDaysAreNotAhead(lake);

    // During the next merge, a page loses all its rows, and another page gets refunds.
    await lake.runAll(statements.slice(0, done));
    await pages.seal(0, '2026-11-03', { at: AT, size: NOTHING });
    await pages.seal(1, '2026-11-04', { at: AT, size: { invoices: 0, refunds: 3 } });
    await lake.runAll(statements.slice(done));
    await expectDaysAreNotAhead(lake);
    // Both days have a page that is not there as it was sealed last.
    expect(
      await lake.query(`SELECT day FROM history_merges WHERE merged_at = TIMESTAMP '${noted} 10:00:00'`),
    ).toEqual([]);

    await lake.runAll(daysStatements(slice, MERGED_AT));
    await expectHistoryIsLatest(lake);
  },
);

it('mail that changes is changed in the history, and another revision is another row', async () => {
  const page = { merchantCode: '700001', day: '2026-11-03', revision: 1, pulledAt: AT };
  await pages.send(page, AT, ['bounced', 'complained', 'delivered']);
  await pages.send({ ...page, revision: 2 }, AT, ['accepted']);
  await lake.put('mail/day=2026-11-03/merchant=700001/r0001.json.copy', '{"status":"delivered"}');
  await lake.runAll(mailStatements(sliceOf(NEWER), MERGED_AT));
  await expectHistoryIsLatest(lake);
  expect(
    await lake.query(`SELECT revision, recipients, delivered, bounced, complained, accepted FROM mail_history
      WHERE day = '2026-11-03' AND merchant_code = '700001' ORDER BY revision`),
  ).toEqual([
    { revision: '1', recipients: '3', delivered: '1', bounced: '1', complained: '1', accepted: '0' },
    { revision: '2', recipients: '1', delivered: '0', bounced: '0', complained: '0', accepted: '1' },
  ]);
});

it('a line that is no record stops the merge, although there are as many lines as records', async () => {
  const files = () => lake.aws.s3.list(BUCKET, 'invoices/json/day=2026-11-04/');
  const before = files();
  await pages.seal(0, '2026-11-04', { at: AT });
  const key = defined(files().find((file) => !before.includes(file)));
  const kept = defined(await lake.aws.s3.read(BUCKET, key));
  const [, ...others] = gunzipSync(kept).toString().split('\n');
  await lake.put(key, gzipSync(['null', ...others].join('\n')));
  const statements = daysStatements(sliceOf(NEWER), MERGED_AT);
  await expect(lake.runAll(statements)).rejects.toThrow(
    `a line is no record of its page: s3://${BUCKET}/${key}`,
  );
  await lake.put(key, kept);
  await lake.runAll(statements);
  await expectHistoryIsLatest(lake);
});
