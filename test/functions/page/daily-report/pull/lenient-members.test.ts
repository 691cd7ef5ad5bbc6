import { dataFile, TABLES, type Table } from '#records/revision/manifest.ts';
import { parseSum } from '#records/money/money.ts';
import { addDays } from '#records/day/business-day.ts';
import { membersOf } from '#support/assertions/index.ts';
import {
  MISFIT_VALUES,
  LENIENT_PATHS,
  spoilInvoices,
  spoilRefunds,
} from '#support/payments/spoilt-records.ts';
import { invoiceRecord, refundRecord } from '#support/records/records.ts';
import { CODE, DAY, DaybookWorld, shareWorld } from '#support/world/daybook-world.ts';

const world = shareWorld({ perPage: 100 });

/** The members that are as the contract shows them, whatever the others are. */
function fits(table: Table, path: readonly string[], kind: string, value: unknown): boolean {
  const field = path.join('.');
  const isNumber = typeof value === 'number';
  const isOpen =
    field === 'rentperiod' || (table === 'invoices' && path[0] === 'transaction' && path.length === 2);
  if (isOpen) return value !== undefined;
  if (field === 'spliturl') return value === null || typeof value === 'string';
  if (field === 'products') return kind === 'array';
  const sample = path.reduce<unknown>(
    (members, name) => membersOf(members)[name],
    table === 'invoices' ? invoiceRecord() : refundRecord(),
  );
  if (Array.isArray(sample)) return Array.isArray(value) && value.length === 0;
  if (typeof sample === 'number') return isNumber && (Number.isInteger(value) || !Number.isInteger(sample));
  const isPlainText = typeof sample === 'string' && !/^\d+\.\d{3}$|^\d{4}-\d{2}-\d{2}/.test(sample);
  return isPlainText && typeof value === 'string';
}

function expectedMisfits(table: Table, spoilt: Map<number, string[]>, kind: string, value: unknown) {
  const found = [...spoilt].flatMap(([id, path]) => {
    const ids = [String(id)];
    const members = LENIENT_PATHS[table].filter(
      (inner) => inner.length > path.length && inner[0] === path[0],
    );
    // Another object in place of an object lacks its members.
    if (kind === 'object' && members.length > 0) {
      return members.map((inner) => ({ field: inner.join('.'), kind: 'missing', count: 1, ids }));
    }
    return fits(table, path, kind, value) ? [] : [{ field: path.join('.'), kind, count: 1, ids }];
  });
  const order = (misfit: { field: string; kind: string }) => `${misfit.field} ${misfit.kind}`;
  return found.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

async function linesOf(table: Table, day: string): Promise<Map<number, Record<string, unknown>>> {
  const lines = (await world.text(dataFile(await world.manifest(1, CODE, day), table, 'json').key))
    .trim()
    .split('\n');
  const rows = lines.map((line) => membersOf(JSON.parse(line)));
  return new Map(rows.map((row) => [Number(row['id']), row]));
}

describe.each(MISFIT_VALUES.map((values, index) => [...values, addDays(DAY, -index - 1)] as const))(
  '%s in each member that is not needed, one in each record',
  (_name, value, kind, day) => {
    it('is sealed value for value, with the figures of the day, and is named as drift', async () => {
      world.payments.behaviour.faults.clear();
      world.payments.data.seedDay(CODE, day, { invoices: 60, refunds: 40 });
      const invoices = spoilInvoices(world.payments, value);
      const refunds = spoilRefunds(world.payments, value);
      const spoilt = { invoices, refunds };
      const answer = await world.report({ day });
      // Zero is a type, and another one than was asked for.
      const differences = value === 0 ? [{ name: 'invoiceType', service: 48, rows: 47 }] : [];
      expect(answer).toMatchObject({ revision: 1, balanced: value !== 0, differences });

      const manifest = await world.manifest(1, CODE, day);
      const truth = world.payments.data.truth(CODE, day);
      const { '0': notPaid, '1': paid, '3': cancelled } = truth.invoices.byStatus;
      for (const [name, stated] of Object.entries({ paid, notPaid, cancelled })) {
        expect(manifest.counts).toMatchObject({ total: 60, [name]: stated?.count ?? 0, other: 0 });
        expect(manifest.amounts).toMatchObject({ [name]: stated?.total ?? '0.000', other: '0.000' });
      }
      // The day of one refund cannot be read.
      expect(manifest.refunds.count).toBe(39);
      expect(manifest.drift.refundsWithoutDay).toMatchObject({ count: 1 });

      const { misfits, unknownFields } = manifest.drift;
      const unknown = [...unknownFields.invoices, ...unknownFields.refunds];
      expect(unknown.filter((name) => !name.endsWith('.key'))).toEqual([]);
      expect(JSON.stringify(manifest.drift)).not.toContain('canary');

      for (const table of TABLES) {
        expect(spoilt[table].size).toBe(LENIENT_PATHS[table].length);
        expect(misfits[table]).toEqual(expectedMisfits(table, spoilt[table], kind, value));
        const rows = await linesOf(table, day);
        for (const [id, path] of spoilt[table]) {
          const name = path.at(-1) ?? '';
          const holder = path
            .slice(0, -1)
            .reduce<Record<string, unknown>>((at, step) => membersOf(at[step]), rows.get(id) ?? {});
          // In its place, or beside it where the lake's column takes no such value.
          const beside = `${name}__2`;
          if (beside in holder) expect([holder[name], holder[beside]]).toEqual([null, value]);
          else expect(holder[name]).toEqual(value);
        }
      }
    });

    it('changes nothing at a second look', async () => {
      expect(await world.report({ day })).toMatchObject({ unchanged: true });
    });
  },
);

function paginationOf(response: Record<string, unknown>): Record<string, unknown> {
  return membersOf(membersOf(response['invoices'])['pagination']);
}

describe('a list of invoices', () => {
  /** A day that no other test has, for each of these. */
  let day = addDays(DAY, -30);
  const misfit = (field: string, kind: string) => ({ field, kind, count: 4, ids: [] });

  const emptied = (response: Record<string, unknown>) => {
    response['order_stats'] = [];
    Object.assign(paginationOf(response), { page_url: null, per_page: '100', count: null });
  };
  const inDigits = (response: Record<string, unknown>) => {
    const pagination = paginationOf(response);
    for (const name of ['total', 'total_pages', 'count']) pagination[name] = String(pagination[name]);
  };
  const without = (name: string) => (response: Record<string, unknown>) =>
    void (paginationOf(response)[name] = null);
  const ofPagination = (name: string, kind = 'null') => misfit(`invoices.pagination.${name}`, kind);
  const EMPTIED = [
    ...[ofPagination('count'), ofPagination('page_url'), ofPagination('per_page', 'string')],
    misfit('order_stats', 'array'),
  ];
  const TOTALS = ['1', '0', '6', '7'].map((type) => `pagination.total of invoiceType ${type}`);
  const STATS = ['total_invoice_count', 'invoice_paid', 'invoice_not_paid', 'invoice_cancelled'].map(
    (name) => `stats.${name}`,
  );

  it.each<[string, (response: Record<string, unknown>) => void, unknown[], string[]]>([
    ['empty lists for objects, and addresses that are null', emptied, EMPTIED, []],
    ['digits for counts', inDigits, [], []],
    ['no number of pages', without('total_pages'), [ofPagination('total_pages')], []],
    ['no total', without('total'), [ofPagination('total')], TOTALS],
    ['no stats', (response) => (response['stats'] = []), [misfit('stats', 'array')], STATS],
  ])('with %s is read, with all rows', async (_name, change, misfits, differences) => {
    day = addDays(day, -1);
    world.payments.data.seedDay(CODE, day, { invoices: 40, refunds: 0 });
    world.payments.behaviour.faults.clear();
    const body = (text: string) => {
      const envelope = membersOf(JSON.parse(text));
      change(membersOf(envelope['response']));
      return JSON.stringify(envelope);
    };
    world.serviceDoes({ kind: 'replace', body }, { operation: 'invoices', times: Infinity });
    const answer = await world.report({ day });
    expect(answer.differences.map(({ what }) => what)).toEqual(differences);
    const manifest = await world.manifest(1, CODE, day);
    expect(manifest.drift.misfits.invoiceList).toEqual(misfits);
    expect(manifest.files[0]).toMatchObject({ table: 'invoices', rows: 40 });
    const sum = Object.values(manifest.amounts ?? {}).reduce((all, amount) => all + parseSum(amount), 0n);
    expect(sum).toBe(parseSum(world.payments.data.truth(CODE, day).invoices.total));
  });

  it('with several pages and no number of pages is read to its end', async () => {
    const other = await DaybookWorld.ofTest({ perPage: 5 });
    other.payments.data.seedDay(CODE, DAY, { invoices: 43, refunds: 0 });
    const body = (text: string) => text.replaceAll(/"total_pages":\d+/g, '"total_pages":null');
    other.serviceDoes({ kind: 'replace', body }, { operation: 'invoices', times: Infinity });
    expect(await other.report()).toMatchObject({ balanced: true, counts: { total: 43 } });
  });
});
