import { AWS_LATENCY, cpuShare } from '#bin/daybook/cost/model/duration.ts';
import { periodBefore, periodKind } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import { manifestKey, pageKey, pagePrefix, periodLedgerPrefix } from '#domain/storage/keys.ts';
import type { DaySize } from '../sizes.ts';
import type { LoadedFunction, Stage } from '../stage.ts';
import type { Taken } from '../workers/aws.worker.ts';
import type { Invocation } from '../workers/function.worker.ts';
import { halfAsleep } from '../workers/half-asleep.ts';
import { merchantCodeOf } from '../world.ts';
import { faultsOfGroup, faultsOfGroupPage, faultsOfTaken, sumOf } from './check-statement.ts';
import { madeManifest, truthOf } from './made-manifest.ts';
import type { DayTruth } from './made-manifest.ts';
import { StatementTexts } from './made-statement.ts';
import { daysOfPeriod, GROUP, GROUP_DAY, MONTH, MONTH_TICK } from './period.ts';

/** A page of a group of all merchants, made by a process of its own. Times in milliseconds, sizes in bytes. */
export interface MeasuredGroup extends Omit<Invocation, 'answer'> {
  period: Period;
  merchants: number;
  /** Merchants whose figures in the page before have changed since. */
  corrected: number;
  /** MB. The process got that share of a core. */
  memory: number;
  /** Of each request to AWS. */
  awsLatency: number;
  /** Of the sealed page. */
  bytes: number;
}

/** Who gets the group's page. */
const RECIPIENT = 'operators@example.com';
/** One of this many merchants has a later revision of the period before. */
const CORRECTED_ONE_IN = 100;
/** Invoices that such a revision has found. */
const FOUND = 3;
/** Objects that are put into the bucket with one request. */
const AT_ONCE = 100;

interface PutObject {
  key: string;
  text: string;
}

/** The pages of the merchants, and what they come to. */
class MerchantPages {
  readonly #sizes: readonly DaySize[];
  readonly #texts = new StatementTexts();

  constructor(sizes: readonly DaySize[]) {
    this.#sizes = sizes;
  }

  /** The first revision of every merchant's page. */
  *first(period: Period): Generator<PutObject> {
    for (const [index, size] of this.#sizes.entries()) yield this.#page(index, size, period);
  }

  /** The second revision, of some merchants. */
  *second(period: Period): Generator<PutObject> {
    for (const [index, size] of this.#sizes.entries()) {
      if (index % CORRECTED_ONE_IN === 0) yield this.#page(index, size, period, { revision: 2, more: FOUND });
    }
  }

  /** The sum of the first revisions. */
  truth(period: Period): DayTruth {
    return sumOf(this.#sizes.flatMap((size) => daysOfPeriod(period).map((day) => truthOf(day, size))));
  }

  get corrected(): number {
    return Math.ceil(this.#sizes.length / CORRECTED_ONE_IN);
  }

  #page(
    index: number,
    size: DaySize,
    period: Period,
    changes: { revision?: number; more?: number } = {},
  ): PutObject {
    const merchantCode = merchantCodeOf(index);
    const { revision = 1 } = changes;
    if (periodKind(period) === 'day') {
      const text = JSON.stringify(madeManifest(merchantCode, period, size, changes));
      return { key: manifestKey(period, merchantCode, revision), text };
    }
    const key = pageKey({ owner: { merchantCode }, period, revision });
    return { key, text: this.#texts.textOf(merchantCode, period, size, changes) };
  }
}

/** Made in parts, because all pages together are hundreds of megabytes. */
async function putAll(stage: Stage, objects: Iterable<PutObject>): Promise<void> {
  let part: PutObject[] = [];
  for (const object of objects) {
    if (part.push(object) < AT_ONCE) continue;
    await stage.aws.ask('putAll', part);
    part = [];
  }
  await stage.aws.ask('putAll', part);
}

function complain(period: Period, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the group's page of ${period}: ${faults.join(', ')}`);
}

async function makePage(environment: LoadedFunction, period: Period, truth: DayTruth, memory: number) {
  const event = { group: GROUP, period, send: true, scheduledTime: MONTH_TICK };
  const { answer, ...taken } = await environment.ask<Invocation>('invoke', { event, memory });
  complain(period, faultsOfGroup(answer, truth));
  return taken;
}

/**
 * The page of one day or month of all merchants, with the page before and its corrections: in a fresh process, with
 * latency, at the speed of a function of this memory.
 */
async function runGroup(
  stage: Stage,
  sizes: readonly DaySize[],
  period: Period,
  memory: number,
): Promise<MeasuredGroup> {
  const pages = new MerchantPages(sizes);
  const before = periodBefore(period);
  await putAll(stage, pages.first(before));
  await putAll(stage, pages.first(period));
  const earlier = await stage.environment('statement', memory);
  await makePage(earlier, before, pages.truth(before), memory);
  await earlier.close();
  await putAll(stage, pages.second(before));
  const owner = { group: GROUP };
  const ownPrefixes = (of: Period) => [
    pagePrefix({ owner, period: of }),
    `${periodLedgerPrefix(of)}group=${GROUP}/`,
  ];
  await stage.aws.ask('take', { prefixes: [], recipient: RECIPIENT });

  const environment = await stage.environment('statement', memory);
  await stage.aws.ask('latency', AWS_LATENCY);
  const wake = halfAsleep(environment.pid, cpuShare(memory));
  const measured = await makePage(environment, period, pages.truth(period), memory).finally(wake);
  await stage.aws.ask('latency', 0);
  await environment.close();
  const { corrected } = pages;
  const text = await stage.aws.ask<string | null>('read', pageKey({ owner, period, revision: 1 }));
  complain(period, faultsOfGroupPage(text, sizes.length, corrected));
  const own = ownPrefixes(period);
  complain(
    period,
    faultsOfTaken(await stage.aws.ask<Taken>('take', { prefixes: own, recipient: RECIPIENT }), own),
  );
  const bytes = Buffer.byteLength(text ?? '');
  return { period, merchants: sizes.length, corrected, memory, awsLatency: AWS_LATENCY, ...measured, bytes };
}

/** A day and a month of a group that has all merchants of the fleet. */
export async function runGroups(
  stage: Stage,
  { sizes, memory }: { sizes: readonly DaySize[]; memory: number },
): Promise<MeasuredGroup[]> {
  const group = {
    name: GROUP,
    merchants: 'all',
    recipients: [RECIPIENT],
    daily: true,
    monthly: { onDay: 1, at: '09:00' },
  };
  await stage.enroll(sizes.length, [group]);
  return [await runGroup(stage, sizes, GROUP_DAY, memory), await runGroup(stage, sizes, MONTH, memory)];
}
