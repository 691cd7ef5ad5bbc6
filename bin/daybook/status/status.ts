import { StatementListings, newestOf } from '#plan/statements/due-statements.ts';
import { isClosed } from '#plan/statements/period-decision.ts';
import { memoized } from '#registry/once.ts';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { whenSpoilt } from '#runtime/s3-objects.ts';
import { duePeriods, dueGroupDays } from '#records/period/due.ts';
import { lackingMail } from '#records/ledger/ledger-rounds.ts';
import { daysOf } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { Registry } from '#registry/registry.ts';
import { addressHash, isMerchantDay, ownerPart } from '#records/storage/keys.ts';
import type { ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { dueDays, duePages, expectedReports } from '#watch/delivery-watch/expected-pages.ts';
import type { WatchTime } from '#watch/delivery-watch/expected-pages.ts';
import { lookAtPages } from '#watch/delivery-watch/look-at-pages.ts';
import { recordStores, sealedRevision } from '../stage/sealed-revision.ts';
import type { Lacking, PageStatus } from './page-status.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { QUEUE_NAMES } from '#lib/functions.ts';
import { isDay } from '#records/day/business-day.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { deliveryMarginOfStage } from '../stage/stage-names.ts';
import { askedDay } from '../stage/known-names.ts';
import { nextTryOf } from '../stage/failed-pull.ts';
import type { Stage } from '../stage/stage.ts';
import { credentialsComplaint } from '../stage/aws-complaint.ts';
import { StageQueues } from '../stage/stage-queues.ts';
import {
  countReasons,
  countStatuses,
  followedInWords,
  hasArrived,
  needsLook,
  reportMembers,
  statementMembers,
  showStatus,
} from './page-status.ts';

/** Milliseconds. The newest statement is shown until the next one is due, also where nothing is corrected so long. */
const SHOWN = 62 * 24 * 60 * 60 * 1_000;

/**
 * The newest statement of each kind that is due, of each merchant and group, with the deadline of each (milliseconds UTC).
 * What a merchant gets only because a group adds it up is left out: nobody is mailed.
 */
function newestStatements(registry: Registry, time: WatchTime): Map<ExpectedPage, number> {
  const { pages } = duePages(registry, time, {
    ofTimes: (times) =>
      duePeriods({ ...times, correctFor: SHOWN }, time.now).filter(({ isNewest }) => isNewest),
    ofGroupDays: (waits, clocks) =>
      dueGroupDays({ ...waits, correctFor: SHOWN }, clocks, time.now).slice(0, 1),
  });
  return new Map(
    pages.map(({ page, deadline, reportFrom }) => [
      { ...page, from: page.from < reportFrom ? reportFrom : page.from },
      deadline,
    ]),
  );
}

type MerchantsByPeriod = (period: Period) => Promise<ReadonlySet<string>>;

const NOTHING: Lacking = { missing: [], unbalanced: [] };

/** Days of a merchant, or merchants of a group, that a page would wait for. */
async function notSealed(page: ExpectedPage, merchantsOf: MerchantsByPeriod): Promise<string[]> {
  const { owner, members, period, from, to } = page;
  if (members !== null) {
    const sealed = await merchantsOf(period);
    return members.filter((code) => !sealed.has(code));
  }
  const days = daysOf({ from, to });
  const sealed = await Promise.all(days.map(merchantsOf));
  return days.filter((_, index) => sealed[index]?.has(owner.merchantCode ?? '') !== true);
}

/** How many requests are under way at a time. One core signs and parses some 1,500 a second. */
const REQUESTS_AT_ONCE = 64;

/** Gives looks at the pages and queues of a stage. @param asked `--day` */
async function lookerAt(stage: Stage, { output, now }: CommandContext, asked: string) {
  const { bucket } = stage;
  const day = askedDay(asked, now());
  const s3 = createS3Client(REQUESTS_AT_ONCE);
  const stores = recordStores(s3, bucket);
  const listings = new StatementListings(s3, bucket);
  const registry = await registryInUse(output, stage);
  const margin = deliveryMarginOfStage(stage.name);
  const warned = new Set<string>();
  const onUnreadable = (error: Error) => {
    if (credentialsComplaint(error) !== undefined) throw error;
    if (!warned.has(error.message)) output.warn(error.message);
    warned.add(error.message);
  };
  /** What a sealed page says that it lacks. */
  const lackedBy = async ({ owner, period, timeZone }: ExpectedPage, revision: number): Promise<Lacking> => {
    const read = sealedRevision(s3, bucket, { owner, period, revision }, timeZone);
    const { missing, unbalanced } = (await read.catch(whenSpoilt(onUnreadable))) ?? NOTHING;
    return { missing, unbalanced };
  };
  /** @param arrived pages of an earlier look, which need no other */
  return async (arrived: readonly PageStatus[]) => {
    const time = { now: now(), margin };
    const due = dueDays(day, time.now - margin);
    const expected = await expectedReports(stores.sealedPages, registry, due);
    // A date asks for the reports of that day only. The newest statements are those of now.
    const newest = isDay(asked) ? new Map<ExpectedPage, number>() : newestStatements(registry, time);
    const known = new Set(arrived.map(({ page }) => nameOfPage(page)));
    const pages = [...expected, ...newest.keys()].filter((page) => !known.has(nameOfPage(page)));
    const look = { now: time.now, atOnce: REQUESTS_AT_ONCE, onUnreadable };
    // Every listing is made once, however many pages need it.
    const sealed = new Map<Period, ReturnType<MerchantsByPeriod>>();
    const merchantsOf: MerchantsByPeriod = (period) =>
      memoized(sealed, period, () => stores.sealedPages.merchantsOf(period));
    const stated = new Map<Period, ReturnType<typeof newestOf>>();
    const closedIn = async ({ owner, period }: ExpectedPage) => {
      const found = await memoized(stated, period, () => newestOf(listings.statements(period)));
      return isClosed(found.get(ownerPart(owner)));
    };
    const statuses = await output.during('Reading the records', pages.length, async ({ done }) => {
      let read = 0;
      const looked = await lookAtPages(stores, pages, look, ({ page, records, delivery }) => {
        done((read += 1));
        const { check, ledger } = records ?? {};
        return {
          ...{ page, delivery, isReadable: records !== undefined },
          ...{ pulledAt: check?.checkedAt ?? null, failure: check?.failure },
          nextTry: nextTryOf(check, time.now),
          having: ledger === undefined ? 0 : lackingMail(ledger, page.recipients.map(addressHash)).having,
        };
      });
      return pLimit(REQUESTS_AT_ONCE).map(looked, async (one): Promise<PageStatus> => {
        const { page, delivery } = one;
        const deadline = newest.get(page) ?? null;
        if (isMerchantDay(page)) return { ...one, lacking: NOTHING, deadline };
        const isStatement = page.owner.group === undefined;
        const known = { ...one, isClosed: isStatement && (await closedIn(page)), deadline };
        const { revision, isGood } = delivery;
        if (revision === undefined) {
          const missing = await notSealed(page, merchantsOf);
          return { ...known, lacking: { missing, unbalanced: [] } };
        }
        return { ...known, lacking: isGood ? NOTHING : await lackedBy(page, revision) };
      });
    });
    const all = [...arrived, ...statuses];
    return {
      reports: all.filter(({ page }) => isMerchantDay(page)),
      statements: all.filter(({ page }) => !isMerchantDay(page)),
      queues: await new StageQueues(stage).counts(QUEUE_NAMES),
    };
  };
}

function nameOfPage({ owner, period }: ExpectedPage): string {
  return `${ownerPart(owner)} ${period}`;
}

/** Between two looks at a morning. Milliseconds. It grows, because most mornings take minutes. */
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

export async function status(
  context: CommandContext,
  options: { day: string; all?: true | undefined; watch?: true | undefined },
): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const look = await lookerAt(stage, context, options.day);
  let found = await look([]);
  let pause = SHORTEST_PAUSE;
  for (let said = ''; options.watch === true;) {
    const now = followedInWords(found.reports, found.queues);
    if (now === undefined) break;
    if (now !== said) output.note(now);
    said = now;
    await wait(pause);
    pause = Math.min(pause * 1.5, LONGEST_PAUSE);
    found = await look([...found.reports, ...found.statements].filter(hasArrived));
  }
  const { reports, statements, queues } = found;
  const result = {
    stage: stage.name,
    days: [...new Set(reports.map(({ page }) => page.period))].sort(),
    counts: countStatuses(reports),
    reasons: countReasons(reports),
    merchants: reports.map(reportMembers),
    statements: statements.map(statementMembers),
    queues,
  };
  output.result(result, () => showStatus(context, result, { reports, statements }, options.all === true));
  return [...reports, ...statements].some(needsLook) ? 1 : 0;
}
