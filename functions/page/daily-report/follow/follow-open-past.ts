import { addDays, type Day } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { PENDING } from '#records/figures/day-net.ts';
import { integerText } from '#records/json/exact-json.ts';
import { figuresOfDay, type FollowedDay } from '#records/figures/history.ts';
import { OutcomeTally, pagePayments } from '#records/figures/outcome-tally.ts';
import { statusName } from '#records/figures/invoice-state-totals.ts';
import { invoiceSchema, refundSchema } from '#records/rows/contract-records.ts';
import { MOST_REFUND_IDS } from '#records/revision/check-record.ts';
import { dataFile, type Manifest } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { sealedRows } from '#page/sealed-rows.ts';
import { wholeDay } from '#page/day-store.ts';
import type { PaymentsClient } from '#service/client.ts';
import { inOrder, type Turn } from '#service/in-order.ts';
import { readInvoiceCounts, type DayRange } from '#service/invoices/invoice-list.ts';
import { readRefund } from '#service/refunds/day-refunds.ts';
import { withMerchantClient } from '#service/with-merchant-client.ts';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { todayOf, type Run } from '../prepare-run.ts';
import { absentTypes, changedDays, rangesOf, spanOf } from './changed-days.ts';
import type { AskRange, RangeCounts } from './changed-days.ts';
import { daysAtDistance, daysOfRound, type KnownDay, type Morning } from './due-days.ts';

/** Days for which a service whose counts of a range are not those of its days is not asked again. */
const COUNTS_FAIL_FOR = 14;
/** Ranges without a gap that are asked for, the newest. */
const MOST_RANGES = 4;
const MOST_READS_AT_ONCE = 8;

const rowSchema = z.lazy(() =>
  invoiceSchema
    .unwrap()
    .pick({ id: true, amount: true, invoice_status: true })
    .extend({ _query_type: z.string() })
    .loose(),
);

const refundRowSchema = z.lazy(() => refundSchema.unwrap().pick({ id: true, status: true }).loose());

async function pendingIn({ snapshots }: Dependencies, { settings }: Run, manifest: Manifest) {
  const pending: string[] = [];
  for await (const row of sealedRows(snapshots, dataFile(manifest, 'refunds', 'json'), refundRowSchema)) {
    if (statusName(settings.refunds.statuses, row.status) === PENDING) pending.push(integerText(row.id));
  }
  return pending.slice(0, MOST_REFUND_IDS);
}

async function followedByRows(
  dependencies: Dependencies,
  run: Run,
  manifest: Manifest,
): Promise<FollowedDay> {
  const { snapshots } = dependencies;
  const settings = pageSettings(manifest, run.settings);
  const outcomes = new OutcomeTally(manifest.day, Date.parse(manifest.pulledAt), settings);
  const listed = new Map<string, number>();
  for await (const row of sealedRows(snapshots, dataFile(manifest, 'invoices', 'json'), rowSchema)) {
    const { _query_type: type } = row;
    listed.set(type, (listed.get(type) ?? 0) + 1);
    outcomes.add(type, row, row);
  }
  const unknown = { total: null, paid: null, notPaid: null, cancelled: null };
  const stated = Object.fromEntries(
    [...listed].map(([type, count]) => [type, { listed: count, ...unknown }]),
  );
  const followed = { stated, pendingRefunds: await pendingIn(dependencies, run, manifest) };
  return figuresOfDay({ ...manifest, outcomes: outcomes.outcomes(), followed });
}

/** What is known of a day that the history lacks; `undefined` when it is not sealed, or not over. */
async function lookedUp(dependencies: Dependencies, run: Run, day: Day): Promise<FollowedDay | undefined> {
  const manifest = await wholeDay(dependencies.snapshots, run.settings, day);
  if (manifest === undefined || manifest.followed !== null) return manifest && figuresOfDay(manifest);
  return unlessSpoilt(() => followedByRows(dependencies, run, manifest));
}

function isKnown(day: FollowedDay): day is KnownDay {
  return day.followed !== undefined;
}

interface OpenPast {
  /** In order. */
  days: KnownDay[];
  merchantId: string | null;
  countsFailedOn: Day | null;
}

/** The sealed days that are followed. The history has them, but for what an earlier version sealed. */
async function openPast(dependencies: Dependencies, run: Run): Promise<OpenPast> {
  const { settings, day } = run;
  const { merchantCode, followFor } = settings;
  const from = addDays(day, -followFor);
  const history = await dependencies.history.stored(merchantCode);
  const { followedFrom, countsFailedOn } = history;
  const past = new Map(
    history.days.filter((known) => known.day >= from && known.day < day).map((known) => [known.day, known]),
  );
  if (followedFrom === null || followedFrom > from) {
    const until = followedFrom ?? day;
    const lacking = Array.from({ length: followFor }, (_, index) => addDays(from, index)).filter(
      (one) => one < until && past.get(one)?.followed === undefined,
    );
    const found = await pLimit(MOST_READS_AT_ONCE).map(lacking, (one) => lookedUp(dependencies, run, one));
    const added = found.flatMap((one) => one ?? []);
    for (const one of added) past.set(one.day, one);
    await dependencies.history.recordFollowed(
      merchantCode,
      added,
      { followedFrom: from },
      todayOf(dependencies, run),
    );
  }
  const days = [...past.values()].filter(isKnown).sort((one, other) => (one.day < other.day ? -1 : 1));
  return { days, merchantId: settings.merchantId ?? history.merchantId, countsFailedOn };
}

/** Each question with what the service answers, in their order. */
async function* answered<Question, Answer>(
  client: PaymentsClient,
  questions: readonly Question[],
  ask: (question: Question, turn: Turn) => Promise<Answer>,
): AsyncGenerator<readonly [Question, Answer]> {
  const tasks = questions.map((one) => async (turn: Turn) => [one, await ask(one, turn)] as const);
  yield* inOrder(tasks, () => client.window);
}

async function askRange(
  client: PaymentsClient,
  range: DayRange,
  types: readonly string[],
): Promise<RangeCounts> {
  const ask = (type: string, turn: Turn) => readInvoiceCounts(client, range, type, turn);
  return new Map(await Array.fromAsync(answered(client, types, ask)));
}

/** The days with a refund that was pending and is decided, or is gone. One request a refund. */
async function decidedDays(
  client: PaymentsClient,
  { settings }: Run,
  days: readonly KnownDay[],
): Promise<Day[]> {
  const pending = days.flatMap(({ day, followed }) => followed.pendingRefunds.map((id) => ({ day, id })));
  const ask = ({ id }: { id: string }, turn: Turn) => readRefund(client, id, turn);
  const decided = new Set<Day>();
  for await (const [{ day }, read] of answered(client, pending, ask)) {
    const status = read && statusName(settings.refunds.statuses, read.refund.status);
    if (status !== PENDING) decided.add(day);
  }
  return [...decided];
}

/** The days whose pages say another sum of what came in than the outcomes of all days together. */
function outdatedDays(days: readonly KnownDay[]): Day[] {
  const others = days.map(({ followed, ...day }) => ({ ...day, outcomes: followed.outcomes }));
  return days.flatMap(({ day, currency, followed: { outcomes, received: sealed } }) => {
    if (outcomes === null || sealed === null) return [];
    const page = {
      day,
      outcomes: { ...outcomes, seen: [] },
      others,
      ...(currency !== undefined && { currency }),
    };
    const { received } = pagePayments(page);
    return received?.sum === sealed.sum && received.count === sealed.count ? [] : [day];
  });
}

async function daysByCounts(
  ask: AskRange,
  { settings }: Run,
  { days }: OpenPast,
  morning: Morning,
): Promise<{ changed: Day[]; withoutStats: KnownDay[] }> {
  const ranges = rangesOf(days);
  const changed: Day[] = [];
  const withoutStats = ranges.slice(0, -MOST_RANGES).flat();
  for (const range of ranges.slice(-MOST_RANGES)) {
    const found = await changedDays(range, settings.invoiceTypes, ask, morning);
    changed.push(...found.days);
    if (!found.byStats) withoutStats.push(...range);
  }
  return { changed, withoutStats };
}

/** Answers of the service, each asked for once: a day that was read meanwhile is compared with what was said before. */
function rememberedAnswers(client: PaymentsClient) {
  const answers = new Map<string, Promise<RangeCounts>>();
  return {
    ask: (range: DayRange, types: readonly string[]) => {
      const key = [range.from, range.to, ...types].join(' ');
      const answer = answers.get(key) ?? askRange(client, range, types);
      answers.set(key, answer);
      return answer;
    },
    forget: () => answers.clear(),
  };
}

/** Of each day the types that the service does not have there, by its counts of the whole ranges. They need no requests. */
async function absentTypesOf(ask: AskRange, { settings }: Run, days: readonly KnownDay[]) {
  const absent = new Map<Day, string[]>();
  for (const range of rangesOf(days).slice(-MOST_RANGES)) {
    const types = absentTypes(await ask(spanOf(range), settings.invoiceTypes));
    for (const { day } of range) absent.set(day, types);
  }
  return absent;
}

/** A day that is read again, until `end` (milliseconds UTC). */
interface OlderDay {
  day: Day;
  end: number;
  absentTypes: readonly string[];
}

/**
 * Looks at the merchant's open past before the morning's report. Days are read and sealed again in this order: whose
 * turn it is in the round, and with a refund that was decided; those that the service's counts of a range name, or
 * where these are of no use, those at some distances; those on which money came in that was found late. What fails or
 * takes too long is left to the next morning.
 * @returns the days whose newest pages are as the service has them, by its counts
 * @param read reads and seals one day as its report does
 */
export async function followOpenPast(
  dependencies: Dependencies,
  run: Run,
  read: (older: OlderDay) => Promise<unknown>,
): Promise<Day[]> {
  const { telemetry, clock, history } = dependencies;
  const { settings, day, registry } = run;
  const { merchantCode } = settings;
  const half = clock.now() + (run.end - clock.now()) / 2;
  const done = new Set<Day>();
  const failed = new Set<Day>();
  let absent = new Map<Day, string[]>();

  /** @returns whether there was time for all */
  async function readAll(days: Iterable<Day>): Promise<boolean> {
    for (const one of [...days].sort()) {
      if (done.has(one)) continue;
      if (clock.now() >= half) {
        telemetry.logger.warn('older days are left to the next morning', { merchantCode, day });
        return false;
      }
      done.add(one);
      try {
        await read({ day: one, end: half, absentTypes: absent.get(one) ?? [] });
      } catch (error) {
        // Its own record has the failure, and the next morning finds the day again.
        telemetry.logError(error);
        failed.add(one);
      }
    }
    return true;
  }

  let past = await openPast(dependencies, run);
  async function known(): Promise<OpenPast> {
    return done.size === 0 ? past : openPast(dependencies, run);
  }

  /** A day that was read this morning is read once more when one of the days before it has a payment for it since. */
  const readTwice = new Set<Day>();

  /** @returns whether there was any */
  async function readOutdated(): Promise<boolean> {
    past = await known();
    const outdated = outdatedDays(past.days).filter((one) => !readTwice.has(one));
    for (const one of outdated) if (done.delete(one)) readTwice.add(one);
    const isDone = outdated.length > 0 && (await readAll(outdated));
    past = await known();
    return isDone;
  }

  /** Reads what the counts name until they name nothing new: changes of one day can hide those of another. */
  async function readByCounts({ ask, forget }: ReturnType<typeof rememberedAnswers>): Promise<KnownDay[]> {
    if (countsFail) return past.days;
    for (let isSecondLook = false; ;) {
      const { changed, withoutStats } = await daysByCounts(ask, run, past, morning);
      if (changed.length === 0) return withoutStats;
      if (changed.every((one) => done.has(one))) {
        // A day that could not be read says nothing about the service's counts.
        if (changed.some((one) => failed.has(one))) return withoutStats;
        if (isSecondLook) {
          await history.recordFollowed(merchantCode, [], { countsFailedOn: day }, todayOf(dependencies, run));
          return past.days;
        }
        // They may have changed between the answer and their reading.
        forget();
        isSecondLook = true;
      } else if (!(await readAll(changed))) return withoutStats;
      past = await known();
    }
  }

  if (past.days.length === 0) return [];
  const { countsFailedOn } = past;
  const countsFail = countsFailedOn !== null && countsFailedOn > addDays(day, -COUNTS_FAIL_FOR);
  let asSealed: Day[] = [];
  const morning = { since: past.days.at(-1)?.day, day };
  const request = { service: registry.service, settings, deadline: half };
  try {
    await withMerchantClient(dependencies, request, async (client) => {
      client.identity.expect(past.merchantId);
      const answers = rememberedAnswers(client);
      // Answers are remembered, failures too: the look at the counts below ends with this one.
      if (!countsFail) absent = await absentTypesOf(answers.ask, run, past.days).catch(() => absent);
      await readAll([...daysOfRound(past.days, morning), ...(await decidedDays(client, run, past.days))]);
      past = await known();
      let withoutStats = await readByCounts(answers);
      // What a day says besides can have hidden another's change in the counts.
      while (await readOutdated()) withoutStats = await readByCounts(answers);
      const isComplete = await readAll(daysAtDistance(withoutStats, morning));
      if (isComplete) asSealed = past.days.filter((one) => !withoutStats.includes(one)).map((one) => one.day);
    });
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    // The report's own pull says what is wrong with the service. One record that cannot be read must not stop all.
    telemetry.logError(error);
    await readAll(daysAtDistance(past.days, morning));
  }
  await readOutdated();
  if (done.size > 0)
    telemetry.logger.info('older days were read again', { merchantCode, day, days: [...done] });
  return asSealed;
}
