import { addDays } from '#domain/day/business-day.ts';
import { AWS_LATENCY, FULL_CPU, WINDOW, cpuShare, duration } from '#bin/daybook/cost/model/duration.ts';
import { halfAsleep } from './workers/half-asleep.ts';
import { prepare, runReport, settle } from './run-fleet.ts';
import type { MeasuredReport } from './run-fleet.ts';
import type { LoadedFunction, Stage } from './stage.ts';
import { DAY, merchantCodeOf } from './world.ts';

/** A report with real waits, and the model's value for it. Milliseconds. */
export interface Comparison {
  invoices: number;
  latency: number;
  awsLatency: number;
  /** The function's memory, MB. The process got that share of a core. */
  memory: number;
  /** Includes the sandboxes' own time, measured with the same report without latency. */
  predicted: number;
  measured: number;
}

/** A whole day, read in a process of its own. Times in milliseconds, sizes in bytes. */
export interface LargeDay {
  invoices: number;
  perPage: number;
  latency: number;
  /** The function's memory, MB. The process got that share of a core. */
  memory: number;
  cpu: number;
  wall: number;
  requests: number;
  dataBytes: number;
  peak: number;
  /** The values of a small day that the same process read before. */
  small: { invoices: number; cpu: number; peak: number };
}

type ProbeReport = MeasuredReport & { dataBytes: number };

/** Reports of one merchant, each for another day. */
class Probe {
  readonly #stage: Stage;
  readonly #environment: LoadedFunction;
  #day = DAY;

  constructor(stage: Stage, environment: LoadedFunction) {
    this.#stage = stage;
    this.#environment = environment;
  }

  async report(
    invoices: number,
    memory: number,
    latency = 0,
    awsLatency = 0,
    share = 1,
  ): Promise<ProbeReport> {
    const merchantCode = merchantCodeOf(0);
    const day = this.#day;
    this.#day = addDays(day, -1);
    const size = { invoices, refunds: Math.round(invoices / 50) };
    await prepare(this.#stage, merchantCode, day, size);
    await this.#stage.payments.ask('latency', latency);
    await this.#stage.aws.ask('latency', awsLatency);
    const wake = share < 1 ? halfAsleep(this.#environment.pid, share) : () => undefined;
    try {
      const measured = await runReport(this.#environment, merchantCode, size, 'first', memory, day);
      const { dataBytes } = await settle(this.#stage, merchantCode, day, size);
      return { ...measured, dataBytes };
    } finally {
      wake();
      await this.#stage.payments.ask('latency', 0);
      await this.#stage.aws.ask('latency', 0);
    }
  }
}

const WARM_UPS = 3;
const TENS = 30;

/** Runs a few reports with the latencies of AWS, and compares the model with them. */
export async function compareWithModel(
  stage: Stage,
  options: { invoices: number; latency: number; memory: number },
): Promise<Comparison[]> {
  const { invoices: thousands, latency, memory } = options;
  await stage.enroll(1);
  const environment = await stage.environment('daily-report', memory);
  const probe = new Probe(stage, environment);
  for (let turn = 0; turn < WARM_UPS; turn += 1) await probe.report(TENS, memory);
  const { cpu: fixed } = await probe.report(0, memory);
  const comparisons: Comparison[] = [];
  for (const invoices of [TENS, thousands]) {
    const work = await probe.report(invoices, memory);
    for (const given of [FULL_CPU, memory]) {
      const { wall } = await probe.report(invoices, memory, latency, AWS_LATENCY, cpuShare(given));
      const place = { memory: given, latency, awsLatency: AWS_LATENCY, window: WINDOW };
      // Here the sandboxes' own work also takes time, more on a busy machine. They continue while the process sleeps.
      const own = Math.max(0, work.wall - work.cpu);
      const awake = duration(work, fixed, { ...place, memory: FULL_CPU }) + own;
      const predicted = Math.max(awake, duration(work, fixed, place));
      comparisons.push({
        invoices,
        latency,
        awsLatency: AWS_LATENCY,
        memory: given,
        predicted,
        measured: wall,
      });
    }
  }
  await environment.close();
  return comparisons;
}

/** A large day is compared with one of this share of its size. */
const SMALL_SHARE = 0.02;

/** Reads one large day in a fresh process, after a small one. */
export async function readLargeDay(
  stage: Stage,
  options: { invoices: number; perPage: number; latency: number; memory: number; throttled: boolean },
): Promise<LargeDay> {
  const { invoices, perPage, latency, memory, throttled } = options;
  const given = throttled ? memory : FULL_CPU;
  await stage.enroll(1);
  const environment = await stage.environment('daily-report', memory);
  const probe = new Probe(stage, environment);
  const small = await probe.report(Math.max(TENS, Math.round(invoices * SMALL_SHARE)), memory);
  const large = await probe.report(invoices, memory, latency, 0, cpuShare(given));
  await environment.close();
  return {
    invoices,
    perPage,
    latency,
    memory: given,
    cpu: large.cpu,
    wall: large.wall,
    requests: Object.values(large.requests).reduce((sum, count) => sum + count, 0),
    dataBytes: large.dataBytes,
    peak: large.peak,
    small: { invoices: small.invoices, cpu: small.cpu, peak: small.peak },
  };
}
