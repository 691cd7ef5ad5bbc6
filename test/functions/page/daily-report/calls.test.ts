import { addDays } from '#records/day/business-day.ts';
import { checkedKey } from '#records/storage/keys.ts';
import { requestsOf } from '#support/daily-report/failed-run.ts';
import { rowsOf } from '#support/documentation/markdown.ts';
import { textOf } from '#support/documentation/documents.ts';
import { CODE, DAY, type DaybookWorld, MORNING_AFTER, useWorld } from '#support/world/daybook-world.ts';

/*
 * Most merchants have few invoices, so calls of AWS are most of what their reports cost, in time and in dollars. Change
 * markers do not count: a process writes each once in ten minutes.
 */

const TICK = MORNING_AFTER;
const NEXT_TICK = '2026-11-22T04:00:00.000Z';

const world = useWorld();
let report: ReturnType<DaybookWorld['coldStart']>;

beforeEach(async () => {
  // A merchant of some days: none is lacking that a morning looks back at.
  await world.putRegistry({ [CODE]: { lookbackDays: [1] } });
  for (const day of [addDays(DAY, -1), DAY]) {
    world.payments.data.seedDay(CODE, day, { invoices: 23, refunds: 2 });
  }
  report = world.coldStart();
  // The function is warm, and the merchant is known.
  await report({ merchantCode: CODE, day: addDays(DAY, -1), scheduledTime: '2026-11-20T04:00:00.000Z' });
});

/** The first parts of the keys of each operation. */
function byOperation(calls: readonly string[]): Record<string, string> {
  const groups = Map.groupBy(calls.toSorted(), (call) => call.split(' ')[0] ?? '');
  return Object.fromEntries(
    [...groups].map(([operation, of]) => [operation, of.map((call) => call.split(' ')[1] ?? '').join(' ')]),
  );
}

/** The calls of a run, as operation and the first part of the key. */
async function callsOf(event: Record<string, unknown>): Promise<string[]> {
  const before = world.aws.requests.length;
  await report({ merchantCode: CODE, day: DAY, ...event });
  return world.aws.requests
    .slice(before)
    .map(({ operation, key = '' }) => `${operation} ${key.split('/')[0] ?? ''}`.trim())
    .map((call) => call.replace(/^(SendRawEmail) .*/, '$1'))
    .filter((call) => !call.endsWith(' changes'));
}

/** The calls of a run in docs/scale.md, "What a stage costs". */
function told(run: string): { writes: number; reads: number } {
  const [, writes, reads] = rowsOf(textOf('docs/scale.md'), 'a run').find(([name]) => name === run) ?? [];
  return { writes: Number(writes), reads: Number(reads) };
}

/** How many of the calls are writes and reads of S3. */
function priced(calls: readonly string[]): { writes: number; reads: number } {
  const count = (words: RegExp) => calls.filter((call) => words.test(call)).length;
  return { writes: count(/^(?:PutObject|ListObjectsV2) /), reads: count(/^GetObject /) };
}

it('a report of a small day makes seventeen calls of AWS: one of them reads whether the last report was mailed', async () => {
  const calls = await callsOf({ scheduledTime: TICK });
  expect(priced(calls)).toEqual(told('a report'));
  expect(byOperation(calls)).toEqual({
    GetObject: 'config history history mail mail-stops mail-stops',
    ListObjectsV2: 'days',
    PutObject: 'checked days history invoices invoices mail mail refunds refunds',
    SendRawEmail: '',
  });
});

describe('a lookback day that has not changed', () => {
  beforeEach(() => callsOf({ scheduledTime: TICK }));

  const record = async (): Promise<unknown> => JSON.parse(await world.text(checkedKey(DAY, CODE)));

  it('makes six calls, and its record says when it was read', async () => {
    const calls = await callsOf({ scheduledTime: NEXT_TICK });
    expect(priced(calls)).toEqual(told('a lookback day that has not changed'));
    expect(byOperation(calls)).toEqual({
      GetObject: 'checked config days history',
      ListObjectsV2: 'days',
      PutObject: 'checked',
    });
    const read = { outcome: 'unchanged', revision: 1, mail: 'sent', scheduledTime: NEXT_TICK };
    expect(await record()).toMatchObject(read);
  });

  it('looks at the mail again after a mail that was refused', async () => {
    world.payments.data.evolve(CODE, DAY);
    world.refuseMails(/@merchants/, Infinity);
    await expect(callsOf({ scheduledTime: NEXT_TICK })).rejects.toMatchObject({ name: 'MailRefusedError' });
    expect(await record()).toMatchObject({ revision: 2, mail: null });
    world.aws.faults.clear();
    const sent = world.mails().length;
    await callsOf({ scheduledTime: '2026-11-23T04:00:00.000Z' });
    expect(world.mails()).toHaveLength(sent + 1);
    expect(await record()).toMatchObject({ revision: 2, mail: 'sent' });
  });

  it('is looked at whole when a person asks', async () => {
    expect(await callsOf({})).toEqual(expect.arrayContaining(['GetObject mail', 'GetObject history']));
  });

  it('asks for the refunds that were sealed, although nothing else names them', async () => {
    // Without the list, only the record of the last pull has their ids.
    const refunds = { source: 'watchlist', statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } };
    await world.putRegistry({ [CODE]: { refunds } });
    const before = requestsOf(world, 'refund');
    const calls = await callsOf({ scheduledTime: NEXT_TICK });
    expect(requestsOf(world, 'refund') - before).toBe(2);
    expect(calls).not.toContain('GetObject refunds');
    expect(await record()).toMatchObject({ outcome: 'unchanged' });
  });
});
