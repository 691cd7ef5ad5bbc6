import { readLakeEvent } from '#lake/create-lake.ts';
import { lastMaintenance, lastMerge } from '#lake/lake-settings.ts';
import { groupTables, type LakeGroup } from '#lake/sql/groups.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { LOOK_COLUMNS } from '#lake/sql/statements/views.ts';
import type { RunQuery } from '#sandbox/athena/index.ts';
import { HAS_COLUMNS } from '#lake/upgrade.ts';
import { RunningLake, writes, type Invocation } from '#support/lake/running-lake.ts';

const NOW = '2026-11-23T08:40:00.000Z';
const TODAY = Date.parse(NOW);
/** After the time of the merge. */
const EARLIER = '2026-11-23T08:10:00.000000Z';
const QUIET = {
  ...Object.fromEntries(LOOK_COLUMNS.map((name) => [name, 'none'])),
  slices: '[]',
  days_waiting: '0',
  mail_waiting: '0',
  behind: 'false',
  views_differ: 'false',
};
const slice = (what: string) => ({ what, days: '2026-11-22', from: '2026-11-22', to: '2026-11-22' });
const stats = { cpuMillis: 0, physicalInputBytes: 0 };

const NORTH = { name: 'north', merchants: ['700001'], personal: false };
/** The tables as the function makes them. */
const TABLES = [...HISTORY_TABLES, ...Object.values(groupTables('daybook_dev', NORTH))];

function columnsOf(name: string): Record<string, string> {
  const columns = TABLES.find((table) => table.name === name)?.columns ?? [];
  return Object.fromEntries(columns.map((column) => [column.name, '']));
}

/** An engine whose looks find this. It knows no table. */
function finding(look: Record<string, string>, notes: Record<string, string> = {}, rules = '{}'): RunQuery {
  const row = (values: Record<string, string>) =>
    Promise.resolve({
      columns: Object.keys(values).map((name) => ({ name, type: 'varchar' })),
      rows: [Object.values(values)],
      stats,
    });
  return ({ query }) => {
    if (query.startsWith('SELECT s.since')) return row({ since: '2026-11-20', notes: JSON.stringify(notes) });
    if (query.startsWith('WITH events')) return row(look);
    if (query.startsWith('SELECT coalesce(json_format(CAST(map_agg(c.name')) return row({ rules });
    if (query.startsWith('SELECT begun_by')) return row({ begun_by: look['pointed_by'] ?? '' });
    const [, table] = /^SELECT \* FROM (\S+) LIMIT 0$/.exec(query) ?? [];
    if (table !== undefined) return row(columnsOf(table));
    if (query.startsWith('SELECT coalesce'))
      return row({ windows: '[{"from":"2026-11-01","to":"2026-11-30"}]' });
    return Promise.resolve({ columns: [], rows: [], updateType: 'DONE', stats });
  };
}

let lake: RunningLake | undefined;
afterEach(() => lake?.athena.close());

async function run(engine: RunQuery, event: unknown = {}, groups: LakeGroup[] = []): Promise<Invocation> {
  lake = await RunningLake.start(engine, { groups });
  return lake.run(NOW, event);
}

/** The tables that are maintained, with their notes. */
const MAINTAINED = Object.fromEntries(
  ['invoices', 'refunds', 'days', 'mail'].map((name) => [`maintained ${name}_history`, EARLIER]),
);
const ALL_DONE = {
  [HAS_COLUMNS]: EARLIER,
  'merge done': EARLIER,
  ...MAINTAINED,
  'maintained history_merges': EARLIER,
};

describe('when work is due', () => {
  const times = { timeZone: 'Asia/Kuwait', mergeAt: '08:00', maintainOn: 'friday' } as const;
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

  it('is the last time of day of the merge, and of the weekday', () => {
    const at = (now: string) =>
      [lastMerge(Date.parse(now), times), lastMaintenance(Date.parse(now), times)].map(iso);
    // 2026-11-20 is a Friday. Kuwait is three hours ahead.
    expect(at('2026-11-20T05:00:00Z')).toEqual(['2026-11-20T05:00:00.000Z', '2026-11-20T05:00:00.000Z']);
    expect(at('2026-11-20T04:59:00Z')).toEqual(['2026-11-19T05:00:00.000Z', '2026-11-13T05:00:00.000Z']);
    expect(at('2026-11-26T23:00:00Z')).toEqual(['2026-11-26T05:00:00.000Z', '2026-11-20T05:00:00.000Z']);
  });

  it('is after the last note that it was done, or when somebody has asked since', async () => {
    const quiet = await run(finding(QUIET, ALL_DONE));
    expect(quiet.answer).toEqual({ finished: true, slices: 0, tables: 0, daysWaiting: 0, mailWaiting: 0 });
    expect(quiet.counted).toEqual({});
    const due = await run(finding(QUIET, { ...ALL_DONE, 'merge done': '2026-11-23T07:59:59.000000Z' }));
    expect(due.counted).toEqual({ HistoryMerged: 1, FilesNotJoined: 0, RulesBroken: 0 });
    for (const asked of ['merge asked', 'days asked', 'mail asked']) {
      const again = await run(finding(QUIET, { ...ALL_DONE, [asked]: '2026-11-23T08:40:01.000000Z' }));
      expect(again.counted['HistoryMerged'], asked).toBe(1);
    }
    const lastWeek = { 'maintained mail_history': '2026-11-21T09:00:00.000000Z' };
    const weekly = await run(finding(QUIET, { ...ALL_DONE, ...lastWeek }));
    expect(weekly.answer).toMatchObject({ tables: 1 });
    expect(weekly.statements).toContain('VACUUM mail_history');
  });

  it('removes the snapshots of a forgetting when no statement can be as old, and once', async () => {
    const vacuums = async (notes: Record<string, string>) => {
      const { statements } = await run(finding(QUIET, { ...ALL_DONE, ...notes }));
      return statements.filter((sql) => sql.startsWith('VACUUM')).length;
    };
    const [recent, old] = ['2026-11-23T08:05:01.000000Z', '2026-11-23T08:05:00.000000Z'];
    expect(await vacuums({ forgotten: recent })).toBe(0);
    expect(await vacuums({ forgotten: old })).toBe(4);
    expect(await vacuums({ forgotten: old, 'snapshots removed': '2026-11-23T08:05:00.100000Z' })).toBe(0);
  });

  it('is only what the registry says of merchants, when that alone is asked for', async () => {
    const { answer, statements, kept } = await run(finding(QUIET), { merchants: true });
    expect(answer).toEqual({ finished: true, slices: 0, tables: 0 });
    expect({ statements, kept }).toEqual({ statements: [], kept: 1 });
    expect((await run(finding(QUIET, ALL_DONE))).kept).toBe(1);
  });

  it('is now when it is asked for by hand', async () => {
    expect((await run(finding(QUIET, ALL_DONE), { merge: true })).counted['HistoryMerged']).toBe(1);
    expect((await run(finding(QUIET, ALL_DONE), { maintain: true })).answer).toMatchObject({ tables: 5 });
    const looked = await run(finding(QUIET, { [HAS_COLUMNS]: EARLIER }), { merge: false });
    expect(looked.counted).toEqual({});
    expect(writes(looked)).toEqual([]);
  });
});

/** As docs/scale.md counts them ("What a stage costs"). DDL is free, and a statement of literals reads nothing. */
const STATEMENTS = { look: 2, merge: 15, views: 1, group: 7 };

describe('an invocation', () => {
  const charged = ({ statements }: Invocation) =>
    statements.filter((sql) => !sql.startsWith('CREATE ')).length;
  const SLICES = JSON.stringify([slice('days'), slice('mail')]);
  const due = { ...MAINTAINED, [HAS_COLUMNS]: EARLIER, 'maintained history_merges': NOW };

  it('counts the statements that read', async () => {
    expect(charged(await run(finding(QUIET, ALL_DONE)))).toBe(STATEMENTS.look);
    const differing = { ...QUIET, views_differ: 'true', pointed_by: 'a', is_alone: 'true' };
    expect(charged(await run(finding(differing, ALL_DONE)))).toBe(STATEMENTS.look + STATEMENTS.views);
    expect(charged(await run(finding({ ...QUIET, slices: SLICES }, due)))).toBe(STATEMENTS.merge);
    const copies = ['invoices', 'refunds', 'days'].map((name) => `maintained daybook_dev_north.${name}`);
    const copied = { ...due, ...Object.fromEntries(copies.map((name) => [name, NOW])) };
    const ofGroup = await run(finding({ ...QUIET, slices: SLICES }, copied), {}, [NORTH]);
    expect(charged(ofGroup)).toBe(STATEMENTS.merge + STATEMENTS.group);
  });

  it('checks the rules after the merge, and when it is asked to', async () => {
    const rules = '{"keys-of-days":{"broken":"2","first":"2026-11-20 700001"}}';
    const brokenRules = [{ rule: 'keys-of-days', pages: 2, first: '2026-11-20 700001' }];
    const merged = await run(finding(QUIET, due, rules));
    expect(merged).toMatchObject({ error: undefined, answer: { brokenRules }, counted: { RulesBroken: 1 } });
    expect((await run(finding(QUIET, ALL_DONE, rules))).answer).not.toHaveProperty('brokenRules');
    const asked = await run(finding(QUIET, ALL_DONE, rules), { check: true });
    expect(asked).toMatchObject({ answer: { brokenRules, tables: 0 } });
    expect(asked.answer).not.toHaveProperty('daysWaiting');
  });

  it('merges no further slice after ten that failed', async () => {
    const slices = JSON.stringify(Array.from({ length: 12 }, () => slice('mail')));
    const engine = finding({ ...QUIET, slices }, due);
    const broken: RunQuery = (request, signal) =>
      request.query.startsWith('MERGE') ? Promise.reject(new Error('broken')) : engine(request, signal);
    const { error, counted, statements } = await run(broken);
    const failed = /^failed statements: 10; the first: Merge the mail of the slice: GENERIC_/;
    expect(error?.message).toMatch(failed);
    expect(counted['HistoryMerged']).toBeUndefined();
    // The daily merge is over: the next looks do not try again all day.
    expect(statements.some((sql) => sql.includes("'merge done'"))).toBe(true);
  });

  it('that finds the history behind fails once, after the daily merge', async () => {
    const behind = { ...QUIET, behind: 'true', days_waiting: '3', waiting_since: '2026-11-20T03:00:00.000Z' };
    expect((await run(finding(behind, due))).error).toMatchObject({
      name: 'HistoryIsBehindError',
      message: '3 days wait to be merged; the first has waited since 2026-11-20T03:00:00.000Z',
    });
    expect((await run(finding(behind, ALL_DONE))).error).toBeUndefined();
    expect((await run(finding(behind, ALL_DONE), { merge: true })).error).toBeUndefined();
  });
});

describe('an event', () => {
  const RANGE = { from: '2026-11-18', to: '2026-11-20' };

  it.each([
    [{}, {}],
    [undefined, {}],
    [{ merge: false }, { merge: false }],
    [RANGE, RANGE],
    [{ from: '2026-11-18' }, { from: '2026-11-18', to: '2026-11-22' }],
  ])('is read: %j', (event, asked) => {
    expect(readLakeEvent(event, TODAY)).toEqual(asked);
  });

  it.each<[string, unknown]>([
    ['maintian: is not known here', { maintian: true }],
    ['merge: must be boolean', { merge: 'now' }],
    ['maintain: must be one of true', { maintain: false }],
    ['off: must be alone', { maintain: true, off: true }],
    ['to: needs "from"', { to: '2026-11-20' }],
    ['send: is not known here', { ...RANGE, send: false }],
    ['from: must not be after "to"', { from: '2026-11-20', to: '2026-11-18' }],
    ['from: must be a date', { from: 'yesterday' }],
    ['from: must be a date', { from: "2026-11-18' OR true --", to: '2026-11-20' }],
    ['from', { from: 20_261_118 }],
    ['forget', { forget: { merchantCode: "7' OR true --" } }],
    ['forget', { forget: { merchantCode: '700001', emails: ['a@example.com'] } }],
    ['search.customer.phones[0]', { search: { customer: { phones: ['12'] }, ...RANGE } }],
    ['search.to', { search: { customer: {}, from: '2026-11-18' } }],
    ['must be alone', { forget: { merchantCode: '700001' }, merge: true }],
  ])('that is not usable fails before any statement: %s', async (reason, event) => {
    expect(() => readLakeEvent(event, TODAY)).toThrow(reason);
    const { error, statements } = await run(finding(QUIET), event);
    expect(error).toMatchObject({ name: 'InvalidEventError' });
    expect(statements).toEqual([]);
  });
});
