import { setTimeout as wait } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import { duePeriods, dueGroupDays } from '#records/period/due.ts';
import { lackingMail } from '#records/ledger/ledger-outcome.ts';
import { daysOf } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { Registry } from '#registry/registry.ts';
import { addressHash, isMerchantDay, ownerPart } from '#records/storage/keys.ts';
import type { ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import { duePages } from '#watch/delivery-watch/expected-pages.ts';
import type { WatchTime } from '#watch/delivery-watch/expected-pages.ts';
import { GroupHeads } from '#watch/delivery-watch/look-at-pages.ts';
import { lookAtPages } from '#watch/delivery-watch/look-at-pages.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import { sealedRevision } from '../stage/sealed-revision.ts';
import type { Lacking, PageStatus } from './page-status.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { isDay } from '#records/day/business-day.ts';
import { dueDays, expectedReports } from '#watch/delivery-watch/expected-pages.ts';
import { registryInUse } from '../registry/stored-registry.ts';
import type { CommandContext, ExitStatus } from '../context.ts';
import { deliveryMinutesOfStage } from '../stage/stage-names.ts';
import { askedDay } from '../stage/known-names.ts';
import { nextTryOf } from '../stage/failed-pull.ts';
import type { Stage } from '../stage/stage.ts';
import { StageQueues } from '../stage/stage-queues.ts';
import type { Work } from '../terminal/output.ts';
import {
  countReasons,
  countStatuses,
  followedInWords,
  hasArrived,
  isOpen,
  needsLook,
  NO_QUEUES,
  reportMembers,
  statementMembers,
  showStatus,
} from './page-status.ts';
import type { CountsOfQueues } from './page-status.ts';

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

interface Reading {
  s3: S3Client;
  bucket: string;
  /** Milliseconds UTC. */
  now: number;
  /** How many requests are under way at a time. */
  atOnce: number;
  onRead: () => void;
  onUnreadable: (error: Error) => void;
}

/** @param deadlines until when a statement or a group's page waits (milliseconds UTC) */
async function readPages(
  pages: readonly ExpectedPage[],
  deadlines: ReadonlyMap<ExpectedPage, number>,
  reading: Reading,
): Promise<PageStatus[]> {
  const { s3, bucket, atOnce, onRead } = reading;
  const sealedPages = new SealedPages(s3, bucket);
  const stores = {
    sealedPages,
    snapshots: new SnapshotStore(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
  };
  const looked = await lookAtPages(stores, pages, reading, ({ page, records, delivery }) => {
    onRead();
    const { check, ledger } = records ?? {};
    return {
      ...{ page, delivery, isReadable: records !== undefined },
      ...{ pulledAt: check?.checkedAt ?? null, failure: check?.failure },
      nextTry: nextTryOf(check, reading.now),
      having: ledger === undefined ? 0 : lackingMail(ledger, page.recipients.map(addressHash)).having,
    };
  });
  const reader = new LackingReader(reading, sealedPages);
  return pLimit(atOnce).map(looked, async (one): Promise<PageStatus> => ({
    ...one,
    lacking: isMerchantDay(one.page) ? NOTHING : await reader.of(one),
    deadline: deadlines.get(one.page) ?? null,
  }));
}

const NOTHING: Lacking = { missing: [], unbalanced: [] };

/** Says what a page lacks that adds up others. Every listing is made once, however many pages need it. */
class LackingReader {
  readonly #reading: Reading;
  readonly #sealedPages: SealedPages;
  readonly #known = new Map<Period, Promise<ReadonlySet<string>>>();

  constructor(reading: Reading, sealedPages: SealedPages) {
    this.#reading = reading;
    this.#sealedPages = sealedPages;
  }

  async of({ page, delivery }: Pick<PageStatus, 'delivery' | 'page'>): Promise<Lacking> {
    const { revision, isGood } = delivery;
    if (revision === undefined) return { missing: await this.#notSealed(page), unbalanced: [] };
    return isGood ? NOTHING : this.#saidBy(page, revision);
  }

  /** Days of a merchant, or merchants of a group, that a page would wait for. */
  async #notSealed({ owner, members, period, from, to }: ExpectedPage): Promise<string[]> {
    if (members !== null) {
      const sealed = await this.#merchantsOf(period);
      return members.filter((code) => !sealed.has(code));
    }
    const days = daysOf({ from, to });
    const sealed = await Promise.all(days.map((day) => this.#merchantsOf(day)));
    return days.filter((_, index) => sealed[index]?.has(owner.merchantCode ?? '') !== true);
  }

  #merchantsOf(period: Period): Promise<ReadonlySet<string>> {
    const found = this.#known.get(period) ?? this.#sealedPages.merchantsOf(period);
    this.#known.set(period, found);
    return found;
  }

  async #saidBy({ owner, period, timeZone }: ExpectedPage, revision: number): Promise<Lacking> {
    const { s3, bucket, onUnreadable } = this.#reading;
    try {
      const sealed = await sealedRevision(s3, bucket, { owner, period, revision }, timeZone);
      return { missing: sealed?.missing ?? [], unbalanced: sealed?.unbalanced ?? [] };
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      onUnreadable(error);
      return NOTHING;
    }
  }
}

/** How many requests are under way at a time. One core signs and parses some 1,500 a second. */
const REQUESTS_AT_ONCE = 64;
const MINUTE = 60_000;

interface StatusOptions {
  day: string;
  all?: true | undefined;
  watch?: true | undefined;
}

/** What one look finds. */
interface Found {
  pages: readonly PageStatus[];
  queues: CountsOfQueues;
}

type Looker = (known: readonly PageStatus[], onRead: (read: number, of: number) => void) => Promise<Found>;

/** Reads what there is of the pages, except of those that are known to have arrived. */
async function lookerOf(
  { output, now }: CommandContext,
  stage: Stage,
  options: StatusOptions,
): Promise<Looker> {
  const { bucket } = stage;
  const s3 = createS3Client(REQUESTS_AT_ONCE);
  const registry = await registryInUse(output, stage);
  const margin = deliveryMinutesOfStage(stage.name) * MINUTE;
  const day = askedDay(options.day, now());
  const stageQueues = new StageQueues(stage);
  return async (known, onRead) => {
    const time = { now: now(), margin };
    const due = dueDays(day, time.now - margin);
    const expected = await expectedReports(new SealedPages(s3, bucket), registry, due);
    // A date asks for the reports of that day only. The newest statements are those of now.
    const newest = isDay(options.day) ? new Map<ExpectedPage, number>() : newestStatements(registry, time);
    const arrived = new Map(known.map((one) => [nameOfPage(one.page), one]));
    const pages = [...expected, ...newest.keys()].filter((page) => !arrived.has(nameOfPage(page)));
    let read = 0;
    const reading = {
      ...{ s3, bucket, now: time.now, atOnce: REQUESTS_AT_ONCE },
      onRead: () => onRead((read += 1), pages.length),
      onUnreadable: ({ message }: Error) => output.warn(message),
    };
    const [found, reports, backfills, alerts] = await Promise.all([
      readPages(pages, newest, reading),
      stageQueues.counts('reports'),
      stageQueues.counts('backfills'),
      stageQueues.counts('alerts'),
    ]);
    return { pages: [...known, ...found], queues: { reports, backfills, alerts } };
  };
}

function nameOfPage({ owner, period }: ExpectedPage): string {
  return `${ownerPart(owner)} ${period}`;
}

/** Between two looks at a morning. Milliseconds. It grows, because most mornings take minutes. */
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/** Looks again and again, until no report of the day is waited for or tried again by itself. */
async function followMorning(look: Looker, { output }: CommandContext): Promise<Found> {
  const work = output.begin('Following the reports');
  try {
    let found: Found = { pages: [], queues: NO_QUEUES };
    for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      found = await look(found.pages.filter(hasArrived), () => undefined);
      const { queues } = found;
      const reports = found.pages.filter(({ page }) => isMerchantDay(page));
      const open = reports.filter((report) => isOpen(report, queues.reports.waiting));
      if (open.length === 0) return found;
      work.message(followedInWords(reports, queues));
      await wait(pause);
    }
  } finally {
    work.stop();
  }
}

/** Does `daybook status`. */
export async function status(context: CommandContext, options: StatusOptions): Promise<ExitStatus> {
  const { output } = context;
  const stage = await context.stage();
  const look = await lookerOf(context, stage, options);
  const found = await (options.watch === true ? followMorning(look, context) : lookOnce(look, context));
  const reports = found.pages.filter(({ page }) => isMerchantDay(page));
  const statements = found.pages.filter(({ page }) => !isMerchantDay(page));
  const result = {
    stage: stage.name,
    days: [...new Set(reports.map(({ page }) => page.period))].sort(),
    counts: countStatuses(reports),
    reasons: countReasons(reports),
    merchants: reports.map(reportMembers),
    statements: statements.map(statementMembers),
    queues: found.queues,
  };
  output.result(result, () => showStatus(context, result, { reports, statements }, options.all === true));
  return found.pages.some(needsLook) ? 1 : 0;
}

async function lookOnce(look: Looker, { output }: CommandContext): Promise<Found> {
  let work: Work | undefined;
  const onRead = (read: number, of: number) => (work ??= output.begin('Reading the records', of)).done(read);
  return look([], onRead).finally(() => work?.stop());
}
