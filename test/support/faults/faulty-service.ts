import { readKnownDay } from '#page/daily-report/prepare-run.ts';
import { NO_HISTORY } from '#page/history-store.ts';
import { NOTHING_TOLD } from '#page/told-days.ts';
import { isDeepStrictEqual } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { buildDependencies } from '#page/daily-report/dependencies.ts';
import { sealDay } from '#page/daily-report/seal/seal-day.ts';
import { readEnvironment } from '#registry/environment.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { manifestKey, merchantDay } from '#records/storage/keys.ts';
import { dataFile, type Manifest, type Table } from '#records/revision/manifest.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { PaymentsClient } from '#service/client.ts';
import type { Behaviour, DaySize, PaymentsFault } from '#sandbox/payments/index.ts';
import { CODE, DaybookWorld } from '../world/daybook-world.ts';
import { spoolsLeft } from '../daily-report/failed-run.ts';
import * as z from 'zod';
import { newDirectory } from '#support/machine.ts';
import { sumOfTexts } from '#support/records/records.ts';

/** Records on a page. It is small, so that a small day has many pages. */
export const PER_PAGE = 5;
const INVOICE_TYPES = ['1', '0', '6', '7'];
/** The time limit of a request in these tests, milliseconds; in production it is 30 s. */
const REQUEST_TIMEOUT = 200;
/** The time of a pull by the functions' clock, milliseconds: a function's 15 minutes without the last 30 s. */
const LONGEST_PULL = 870_000;
const MOST_PULLS = 3;

const rowSchema = z.looseObject({ id: z.number() });
type Row = z.infer<typeof rowSchema>;

/** What the service holds of a day at one moment: its invoices by type, and its refunds, each by id. */
interface Truth {
  invoices: Map<string, Map<number, Row>>;
  refunds: Map<number, Row>;
}

export interface PullOptions {
  maxConcurrency?: number;
  /** From 0 to 1, for the jitter of waits. */
  random?: () => number;
  /** Milliseconds that the pull has; by default as long as in production. */
  time?: number;
  requestTimeout?: number;
}

export interface Outcome {
  manifest: Manifest | undefined;
  error: Error | undefined;
  requests: number;
  /** By the functions' clock, milliseconds. */
  took: number;
}

/** A service made to fail, which knows what it held at every moment. Days are sealed by `sealDay`, over HTTP and S3. */
export class FaultyService {
  readonly world: DaybookWorld;
  readonly #database: DatabaseSync;
  readonly #published: Behaviour;
  #days = 0;
  day = '';
  #truths: Truth[] = [];

  private constructor(world: DaybookWorld, database: DatabaseSync) {
    this.world = world;
    this.#database = database;
    this.#published = { ...world.payments.behaviour };
  }

  static async start(): Promise<FaultyService> {
    const file = join(newDirectory(), 'service.sqlite');
    const world = await DaybookWorld.start({ perPage: PER_PAGE, database: file });
    return new FaultyService(world, new DatabaseSync(file, { readOnly: true }));
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.world.close();
  }

  /** Begins another day, with the published behaviour and no fault. */
  nextDay(size: DaySize): void {
    this.#days += 1;
    this.day = new Date(Date.UTC(2026, 0, this.#days)).toISOString().slice(0, 10);
    this.behaviour.faults.clear();
    Object.assign(this.behaviour, this.#published);
    this.world.payments.data.seedDay(CODE, this.day, size);
    this.world.payments.requests.splice(0);
    this.#truths = [this.#read()];
  }

  get behaviour(): Behaviour {
    return this.world.payments.behaviour;
  }

  add(...faults: PaymentsFault[]): void {
    for (const fault of faults) this.behaviour.faults.add(fault);
  }

  /** Changes the service's data and remembers what it holds then. */
  change(change: (data: DaybookWorld['payments']['data'], day: string) => void): void {
    change(this.world.payments.data, this.day);
    this.#truths.push(this.#read());
  }

  get truth(): Truth {
    const truth = this.#truths.at(-1);
    if (truth === undefined) throw new Error('no day has begun');
    return truth;
  }

  /** Requests that one undisturbed pull makes of the day at its largest, the login among them. */
  get reads(): number {
    return Math.max(...this.#truths.map((truth) => readsOf(truth)));
  }

  #read(): Truth {
    const rows = (kind: string) =>
      this.#database
        .prepare('SELECT type, record FROM records WHERE kind = ? AND merchant = ? AND day = ?')
        .all(kind, CODE, this.day)
        .map(({ type, record }) => [String(type), rowSchema.parse(JSON.parse(String(record)))] as const);
    return truthOf(rows('invoice'), rows('refund'));
  }

  async pull(options: PullOptions = {}): Promise<Outcome> {
    const { clock, payments } = this.world;
    const dependencies = buildDependencies(readEnvironment(process.env));
    const { registry } = await dependencies.registry.load();
    const settings = { ...merchantSettings(registry, CODE), ...options };
    const began = clock.now();
    const client = new PaymentsClient({
      merchantCode: CODE,
      service: registry.service,
      allowedOrigins: [payments.origin],
      secret: dependencies.secretOf(dependencies.environment.credentials.secret, CODE),
      maxConcurrency: settings.maxConcurrency,
      deadline: began + (options.time ?? LONGEST_PULL),
      now: () => clock.now(),
      sleep: (milliseconds, signal) => {
        signal.throwIfAborted();
        return clock.sleep(milliseconds);
      },
      requestTimeout: options.requestTimeout ?? REQUEST_TIMEOUT,
      ...(options.random !== undefined && { random: options.random }),
    });
    let error: Error | undefined;
    try {
      const request = {
        settings,
        day: this.day,
        scheduledTime: null,
        known: await readKnownDay(dependencies.snapshots, CODE, this.day),
        history: () => Promise.resolve(NO_HISTORY),
        telling: () => Promise.resolve(NOTHING_TOLD),
        refundIds: [],
        onPull: () => undefined,
      };
      await sealDay(client, dependencies.snapshots, clock, request);
    } catch (failure) {
      error = failure instanceof Error ? failure : new Error(String(failure));
    } finally {
      client.close();
    }
    const manifest = await dependencies.snapshots.newest(merchantDay(CODE, this.day));
    return { manifest, error, requests: payments.requests.length, took: clock.now() - began };
  }

  /** The records that a revision's file holds, without Daybook's own members, by the type that was asked for. */
  async #sealed(manifest: Manifest): Promise<Truth> {
    const read = async (table: Table) => {
      const file = dataFile(manifest, table, 'json');
      const lines = (await this.world.text(file.key)).split('\n').slice(0, -1);
      expect(lines).toHaveLength(file.rows);
      return lines.map((line) => {
        const { _merchant_code, _day, _query_type, ...row } = rowSchema.parse(JSON.parse(line));
        expect([_merchant_code, _day]).toEqual([CODE, this.day]);
        return [String(_query_type), row] as const;
      });
    };
    return truthOf(await read('invoices'), await read('refunds'));
  }

  /**
   * What holds of every pull, whatever the service did: a clear error and nothing sealed; or a revision that is marked
   * as unbalanced and says why; or one that is balanced and holds, of every invoice type, what the service had of it at
   * some moment of the pull, each refund as it was at some moment, and figures that are those rows'.
   */
  async expectHonest({ manifest, error }: Outcome): Promise<'failed' | 'unbalanced' | 'balanced'> {
    expect(await spoolsLeft()).toEqual([]);
    if (manifest === undefined) {
      if (!(error instanceof DaybookError)) throw new Error('no clear error', { cause: error });
      const keys = this.world.keys().filter((key) => key.includes(`day=${this.day}/`));
      expect(keys).toEqual([]);
      return 'failed';
    }
    expect(error).toBeUndefined();
    expect(this.world.keys(`days/day=${this.day}/`)).toEqual([manifestKey(this.day, CODE, 1)]);
    if (!manifest.balanced) {
      expect(manifest.differences).not.toEqual([]);
      return 'unbalanced';
    }
    expect(manifest.differences).toEqual([]);
    const sealed = await this.#sealed(manifest);
    for (const [type, rows] of sealed.invoices) {
      const moments = this.#truths.map(({ invoices }) => invoices.get(type));
      expect(moments.some((moment) => isDeepStrictEqual(moment, rows))).toBe(true);
    }
    const idSets = this.#truths.map(({ refunds }) => [...refunds.keys()].sort());
    expect(idSets).toContainEqual([...sealed.refunds.keys()].sort());
    for (const [id, row] of sealed.refunds) {
      expect(this.#truths.some(({ refunds }) => isDeepStrictEqual(refunds.get(id), row))).toBe(true);
    }
    expectFiguresOf(manifest, sealed);
    return 'balanced';
  }

  /**
   * Never more requests than three pulls of the day at its largest, and two more for each that a fault or a dead token
   * struck: itself again, and perhaps a login. Never longer than a pull may take.
   */
  expectBounded({ requests, took }: Outcome, struck: number): void {
    expect(requests).toBeLessThanOrEqual(MOST_PULLS * this.reads + 2 * struck);
    expect(took).toBeLessThanOrEqual(LONGEST_PULL);
  }
}

/** A record with the type that it was asked for by. */
type Stored = readonly [type: string, row: Row];

function truthOf(invoices: readonly Stored[], refunds: readonly Stored[]): Truth {
  const byId = (list: readonly Stored[]) => new Map(list.map(([, row]) => [row.id, row]));
  const ofType = (wanted: string) => byId(invoices.filter(([type]) => type === wanted));
  return { invoices: new Map(INVOICE_TYPES.map((type) => [type, ofType(type)])), refunds: byId(refunds) };
}

function readsOf({ invoices, refunds }: Truth): number {
  const pages = [...invoices.values()].map((rows) => Math.max(1, Math.ceil(rows.size / PER_PAGE)));
  const invoicePages = pages.reduce((sum, count) => sum + count + (count > 1 ? 1 : 0), 0);
  // A list without a stated end is read one page further.
  return 1 + invoicePages + Math.ceil(refunds.size / PER_PAGE) + 1 + refunds.size;
}

const STATES: Record<string, 'paid' | 'notPaid' | 'cancelled'> = { 0: 'notPaid', 1: 'paid', 3: 'cancelled' };

/** Checks that the figures of the manifest are those of its rows, computed independently. */
function expectFiguresOf({ counts, amounts, refunds, day }: Manifest, sealed: Truth): void {
  const invoices = [...sealed.invoices.values()].flatMap((rows) => [...rows.values()]);
  const inState = (state: string) =>
    invoices.filter((row) => (STATES[String(row['invoice_status'])] ?? 'other') === state);
  const sumOf = (rows: readonly Row[]) => sumOfTexts(rows.map((row) => String(row['amount'])));
  expect(counts.total).toBe(invoices.length);
  for (const state of ['paid', 'notPaid', 'cancelled', 'other'] as const) {
    const rows = inState(state);
    expect([counts[state], amounts?.[state]]).toEqual([rows.length, sumOf(rows)]);
  }
  const ofDay = [...sealed.refunds.values()].filter((row) => row['refund_at'] === day);
  expect(refunds).toMatchObject({ count: ofDay.length, total: sumOf(ofDay) });
}
