import * as z from 'zod';
import { figuresOfDay, followedDaySchema } from '#records/figures/history.ts';
import { historyKey } from '#records/storage/keys.ts';
import { presentEntries } from '#records/ledger/ledger-rounds.ts';
import { dataFile, manifestSchema, type Manifest } from '#records/revision/manifest.ts';
import { evidenceOf } from '#soak/truths/evidence.ts';
import { sealedFiles, strangers } from '#soak/truths/ledger-of-truths.ts';
import { mailsAgree } from '#soak/truths/mails-agree.ts';
import { BUCKET, CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { expectNoted, leavesDoubt, type Point } from './point.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

const checkedSchema = z.object({ outcome: z.string(), revision: z.number(), asOf: z.string() });
const historySchema = z.object({ days: z.array(followedDaySchema) });

/** The manifests of a day, oldest first. */
export async function manifests(world: DaybookWorld, day = DAY): Promise<Manifest[]> {
  const keys = world.keys(`days/day=${day}/merchant=${CODE}/`);
  return Promise.all(keys.map(async (key) => manifestSchema.parse(JSON.parse(await world.text(key)))));
}

/** Checks that every object is known, and every change is noted. A data file that no manifest names belongs to nobody. */
export async function expectKnownObjects(world: DaybookWorld): Promise<void> {
  expect(strangers(await objectsOf(world))).toEqual([]);
  await expectNoted(world);
}

async function objectsOf(world: DaybookWorld): Promise<Map<string, Buffer>> {
  const read = async (key: string) => [key, defined(await world.aws.s3.read(BUCKET, key))] as const;
  return new Map(await Promise.all(world.keys().map(read)));
}

/** Checks that every manifest's files exist as it says, and that the revision numbers have no gap. */
export async function expectSealed(world: DaybookWorld, day = DAY): Promise<Manifest[]> {
  expect(sealedFiles(evidenceOf(await objectsOf(world), [], []))).toEqual([]);
  // Manifests and data files are written once and never overwritten.
  const written = world.aws.requests.filter(
    ({ operation, key = '', status }) =>
      operation === 'PutObject' && status === 200 && /^(?:days|invoices|refunds)\//.test(key),
  );
  const keys = written.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)]);
  return manifests(world, day);
}

async function rowsOf(
  world: DaybookWorld,
  manifest: Manifest,
  table: 'invoices' | 'refunds',
): Promise<Record<string, unknown>[]> {
  const text = await world.text(dataFile(manifest, table, 'json').key);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => membersOf(JSON.parse(line)));
}

function countsBy(rows: readonly Record<string, unknown>[], member: string): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(rows, (row) => String(row[member]))].map(([k, v]) => [k, v.length]),
  );
}

function countsOf(byStatus: Record<string, { count: number }>): Record<string, number> {
  return Object.fromEntries(Object.entries(byStatus).map(([status, { count }]) => [status, count]));
}

/** Checks that the newest revision has the rows and figures of the service. */
export async function expectNewestIsTruth(world: DaybookWorld, day = DAY): Promise<void> {
  const newest = defined((await manifests(world, day)).at(-1));
  const truth = world.payments.data.truth(CODE, day);
  const invoices = await rowsOf(world, newest, 'invoices');
  const ids = invoices.map((row) => Number(row['id'])).sort((a, b) => a - b);
  expect(ids).toEqual(truth.invoices.ids);
  expect(countsBy(invoices, 'invoice_status')).toEqual(countsOf(truth.invoices.byStatus));
  expect(newest.counts).toMatchObject({
    total: truth.invoices.count,
    paid: truth.invoices.byStatus['1']?.count ?? 0,
    notPaid: truth.invoices.byStatus['0']?.count ?? 0,
    cancelled: truth.invoices.byStatus['3']?.count ?? 0,
  });
  const refunds = (await rowsOf(world, newest, 'refunds')).filter((row) =>
    truth.refunds.ids.includes(Number(row['id'])),
  );
  expect(countsBy(refunds, 'status')).toEqual(countsOf(truth.refunds.byStatus));
  expect(newest.refunds).toMatchObject({ count: truth.refunds.count, total: truth.refunds.total });
  expect(newest.balanced).toBe(true);
}

/** Checks that `checked/` names the newest revision, with the time of its seal or later. */
export async function expectChecked(world: DaybookWorld, day = DAY): Promise<void> {
  const newest = defined((await manifests(world, day)).at(-1));
  const checked = checkedSchema.parse(
    JSON.parse(await world.text(`checked/day=${day}/merchant=${CODE}.json`)),
  );
  expect(checked).toMatchObject({ revision: newest.revision });
  expect(['sealed', 'unchanged']).toContain(checked.outcome);
  expect(checked.asOf >= newest.pulledAt, `as of ${checked.asOf}, sealed ${newest.pulledAt}`).toBe(true);
}

/** Checks that the history has the figures of the newest revision. */
export async function expectRemembered(world: DaybookWorld, day = DAY): Promise<void> {
  const { days } = historySchema.parse(JSON.parse(await world.text(historyKey(CODE))));
  const newest = defined((await manifests(world, day)).at(-1));
  expect(days.filter((known) => known.day === day)).toEqual([figuresOfDay(newest)]);
}

/**
 * Every mail that SES has taken stands in its ledger, once a round, and every entry that says so has its mail. What is
 * held was told to ops by mail. Nothing is left open.
 *
 * @returns how many recipients are held
 */
export async function expectMailsAgree(world: DaybookWorld): Promise<number> {
  const evidence = evidenceOf(await objectsOf(world), world.mails(), []);
  expect(mailsAgree(evidence)).toEqual([]);
  const held = [...evidence.ledgers].map(([key, ledger]) => {
    const entries = presentEntries(ledger).filter(({ status }) => status === 'held');
    if (entries.length > 0) expect(evidence.opsTold).toContain(key);
    return entries.length;
  });
  return held.reduce((sum, count) => sum + count, 0);
}

/**
 * Each of these mails went out once, or is held. Only the mail that was under way when a run died is held, beside those
 * that were so before.
 *
 * @param got a name for each mail of those in question that SES has taken
 */
export async function expectOnceEach(
  world: DaybookWorld,
  died: Point | undefined,
  mails: { got: readonly string[]; wanted: readonly string[]; heldBefore?: number },
): Promise<void> {
  const { got, wanted, heldBefore = 0 } = mails;
  const held = (await expectMailsAgree(world)) - heldBefore;
  const inDoubt = died !== undefined && leavesDoubt(died) ? 1 : 0;
  expect(held).toBeGreaterThanOrEqual(0);
  expect(held).toBeLessThanOrEqual(inDoubt);
  expect(got).toEqual([...new Set(got)]);
  expect(wanted).toEqual(expect.arrayContaining([...got]));
  expect(wanted.length - got.length).toBeLessThanOrEqual(held + heldBefore);
}

/** The recipients of the mails of a revision, one entry for each mail. */
export function readersOf(world: DaybookWorld, revision: number): string[] {
  return world
    .mails()
    .filter(({ tags }) => tags['revision'] === String(revision))
    .flatMap(({ destinations }) => destinations)
    .sort();
}

/** Checks that nobody gets an older revision after a newer one. */
export function expectMailsInOrder(world: DaybookWorld): void {
  const byReader = Map.groupBy(
    world.mails().filter(({ tags }) => tags['revision'] !== undefined),
    ({ destinations }) => destinations[0],
  );
  for (const [reader, mails] of byReader) {
    const revisions = mails.map(({ tags }) => Number(tags['revision']));
    expect([reader, revisions]).toEqual([reader, revisions.toSorted((a, b) => a - b)]);
  }
}
