import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { DaysMessage, StatementMessage } from '#runtime/queue-message.ts';
import { addDays } from '#records/day/business-day.ts';
import { periodDays, type PeriodDays } from '#records/period/period.ts';
import type { NamedDays } from '#plan/statements/period-decision.ts';
import {
  type Listing,
  type StatementListings,
  type StoredRevision,
  dueStatements,
} from '#plan/statements/due-statements.ts';
import type { PageOwner, PagePlace } from '#records/storage/keys.ts';
import { allMerchants } from '#registry/merchants.ts';
import { parseRegistry, type Registry } from '#registry/registry.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies } from '#functions/plan/dependencies.ts';
import { readEnvironment } from '#registry/environment.ts';
import { startAwsSandbox, type AwsSandbox } from '#sandbox/aws/index.ts';
import { makeQueues } from '#support/queues/queues.ts';
import { newDirectory } from '#support/machine.ts';

export function dayItemsOf(items: readonly (DaysMessage | StatementMessage)[] | undefined): DaysMessage[] {
  return (items ?? []).flatMap((item) => ('days' in item ? [item] : []));
}

interface StoredStatement extends StoredRevision {
  period: string;
  named: NamedDays;
}

function nameOf({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group ${group}` : `merchant ${merchantCode}`;
}

/** The listings of a bucket, in memory. */
export class ListedBucket implements Pick<StatementListings, keyof StatementListings> {
  readonly sealedDays: (StoredRevision & { day: string })[] = [];
  readonly sealed: StoredStatement[] = [];
  readonly mailed: (StoredRevision & { period: string })[] = [];
  /** What was asked for, such as `days 2026-11-20`. */
  asked: string[] = [];

  sealDay(merchantCode: string, day: string, storedAt: number, revision = 1): void {
    this.sealedDays.push({ owner: { merchantCode }, day, revision, storedAt });
  }

  /** Seals days at six in Kuwait on the day after. */
  sealDays(merchantCode: string, days: readonly string[]): void {
    for (const day of days) this.sealDay(merchantCode, day, Date.parse(`${addDays(day, 1)}T03:00:00Z`));
  }

  /** Seals a statement or page of the first revisions of these days, and mails it. */
  issue(owner: PageOwner, period: string, at: string, days: readonly string[] = []): void {
    const named = days.map((day) => ({ day, revision: 1 }));
    this.seal(owner, period, Date.parse(at), named);
    this.mail(owner, period, Date.parse(at));
  }

  /** Seals the next revision of a statement or page. @param of its first and last day */
  seal(
    owner: PageOwner,
    period: string,
    storedAt: number,
    days: NamedDays['days'] = [],
    of: PeriodDays = periodDays(period, 'sunday'),
  ): number {
    const revision = (this.newest(owner, period)?.revision ?? 0) + 1;
    this.sealed.push({ owner, period, revision, storedAt, named: { ...of, days } });
    return revision;
  }

  /** Writes the ledger of the newest revision. */
  mail(owner: PageOwner, period: string, storedAt: number): void {
    const revision = this.newest(owner, period)?.revision ?? 0;
    this.mailed.push({ owner, period, revision, storedAt });
  }

  newest(owner: PageOwner, period: string): StoredStatement | undefined {
    const name = nameOf(owner);
    return this.sealed.findLast((one) => one.period === period && nameOf(one.owner) === name);
  }

  statements(period: string): Listing {
    return this.#list(`statements ${period}`, this.sealed, (one) => one.period === period);
  }

  ledgers(period: string): Listing {
    return this.#list(`ledgers ${period}`, this.mailed, (one) => one.period === period);
  }

  days(day: string): Listing {
    return this.#list(`days ${day}`, this.sealedDays, (one) => one.day === day);
  }

  async *changedDays(sealedOn: string): AsyncIterable<readonly string[]> {
    this.asked.push(`changes ${sealedOn}`);
    await Promise.resolve();
    const found = this.sealedDays.filter(
      ({ storedAt }) => new Date(storedAt).toISOString().slice(0, 10) === sealedOn,
    );
    yield found.map(({ day }) => day);
  }

  daysOfStatement({ owner, period, revision }: PagePlace): Promise<NamedDays | undefined> {
    this.asked.push(`read ${nameOf(owner)} ${period} ${revision}`);
    const found = this.sealed.find(
      (one) => nameOf(one.owner) === nameOf(owner) && one.period === period && one.revision === revision,
    );
    return Promise.resolve(found?.named);
  }

  /** Two objects are a page. */
  async *#list<One extends StoredRevision>(
    what: string,
    all: readonly One[],
    isOf: (one: One) => boolean,
  ): Listing {
    this.asked.push(what);
    const found = all.filter(isOf);
    for (let index = 0; index < found.length; index += 2) {
      await Promise.resolve();
      yield found.slice(index, index + 2);
    }
  }
}

export function registryText(merchants: readonly unknown[], more: Record<string, unknown> = {}): string {
  return JSON.stringify({ service: { baseUrl: 'https://pay.example.com' }, merchants, ...more });
}

export function registryOf(merchants: readonly unknown[], more: Record<string, unknown> = {}): Registry {
  return parseRegistry(registryText(merchants, more));
}

/** A merchant as the registry has it, with the product's defaults. */
export function merchant(members: Record<string, unknown> = {}): MerchantSettings {
  const [first] = allMerchants(registryOf([{ merchantCode: '700001', ...members }])).merchants;
  if (first === undefined) throw new Error('the entry of this test is not usable');
  return first;
}

export const REGISTRY = 'config/merchants.json';
export const LAST_GOOD = 'config/last-good/merchants.json';

/** The variables of a function beside those of the sandbox. */
export function functionVariables(bucket: string): Record<string, string> {
  return {
    DATA_BUCKET: bucket,
    CREDENTIALS_SECRET: 'daybook/credentials',
    SERVICE_ORIGINS: 'https://pay.example.com',
    MAIL_FROM: 'Daybook <reports@example.com>',
    OPS_RECIPIENTS: 'ops@example.com',
    LOG_LEVEL: 'INFO',
  };
}

/** One sandbox for the tests of a file; each test has a bucket of its own. */
export async function sandboxOfFile(): Promise<AwsSandbox> {
  const sandbox = await startAwsSandbox({ directory: newDirectory() });
  Object.assign(process.env, sandbox.environment);
  afterAll(() => sandbox.close());
  return sandbox;
}

/** `plan` with its real adapters on a new bucket, at a time that the test sets. */
export function plannerOn(
  sandbox: AwsSandbox,
  at = '2026-11-21T03:00:05Z',
  variables: Record<string, string> = {},
) {
  const bucket = `plan-${randomUUID()}`;
  let now = Date.parse(at);
  const queues = makeQueues(sandbox, bucket);
  const start = () => {
    const dependencies = buildDependencies(
      readEnvironment({ ...functionVariables(bucket), ...queues.variables, ...variables }),
    );
    const clock = { ...dependencies.clock, now: () => now };
    const plan = createPlan({ ...dependencies, clock });
    return (event: unknown, context?: Context) => dependencies.telemetry.during(context, () => plan(event));
  };
  let plan = start();
  return {
    bucket,
    plan: (event: unknown, context?: Context) => plan(event, context),
    /** Another execution environment: nothing is cached. */
    coldStart: () => {
      plan = start();
    },
    setTime: (time: string) => {
      now = Date.parse(time);
    },
    write: (key: string, text: string) => sandbox.s3.write(bucket, key, text),
    read: async (key: string) => (await sandbox.s3.read(bucket, key))?.toString('utf8'),
    remove: (key: string) => sandbox.s3.remove(bucket, key),
    keys: (prefix?: string) => sandbox.s3.list(bucket, prefix),
    /** The messages that were sent, in order. */
    sent: queues.sent,
    /** The mails of this bucket's functions: the sandbox is shared. */
    mails: () => sandbox.mail.messages,
  };
}

/** A registry of these merchants and groups, with looks at a bucket. */
export function looksAt(
  bucket: ListedBucket,
  { merchants, ...more }: { merchants: Record<string, unknown>[]; groups?: Record<string, unknown>[] },
) {
  const registry = registryOf(merchants, more);
  const { merchants: usable } = allMerchants(registry);
  const look = (at: string | number, { send = true, withPages = true, withUnchanged = false } = {}) => {
    const now = typeof at === 'number' ? at : Date.parse(at);
    const scheduledTime = new Date(now).toISOString();
    bucket.asked = [];
    const telemetry = {
      logError: (error: unknown) => {
        throw error;
      },
    };
    const ports = { statements: bucket, clock: { now: () => now }, telemetry };
    const event = { scheduledTime, send, byHand: withUnchanged, merchants: withPages ? undefined : [] };
    return dueStatements(ports, registry, usable, event);
  };
  /** What is due, such as `700001 2026-W47` or `shops 2026-11 (no mail)`. */
  const names = async (...asked: Parameters<typeof look>) => (await look(...asked)).items.map(nameOfItem);
  return { look, names };
}

function nameOfItem({ merchantCode, group, period, send }: StatementMessage): string {
  return `${merchantCode ?? group} ${period}${send ? '' : ' (no mail)'}`;
}
