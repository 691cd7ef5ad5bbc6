import { setTimeout as wait } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import PostalMime from 'postal-mime';
import { readEnvironment, type Environment } from '#registry/environment.ts';
import type { Clock } from '#runtime/clock.ts';
import { createAlertCheck, type AlertCheckAnswer } from '#alerts/alert-check/create-alert-check.ts';
import { buildDependencies as alertCheckOf } from '#alerts/alert-check/dependencies.ts';
import { createDailyReport, type DailyReportAnswer } from '#page/daily-report/create-daily-report.ts';
import { buildDependencies as dailyReportOf, type Dependencies } from '#page/daily-report/dependencies.ts';
import { createPlan } from '#functions/plan/create-plan.ts';
import { buildDependencies as planOf } from '#functions/plan/dependencies.ts';
import type { PlanResult } from '#functions/plan/plan-result.ts';
import type { StatementAnswer } from '#page/statement/event-and-answer.ts';
import { createStatement } from '#page/statement/create-statement.ts';
import { buildDependencies as statementOf } from '#page/statement/dependencies.ts';
import { historyKey, ledgerKey, manifestKey } from '#records/storage/keys.ts';
import { type Ledger, ledgerSchema } from '#records/ledger/ledger.ts';
import { type Manifest, manifestSchema } from '#records/revision/manifest.ts';
import {
  knownErrors,
  startAwsSandbox,
  type AwsSandbox,
  type Fault,
  type FaultAction,
} from '#sandbox/aws/index.ts';
import {
  credentialsOf,
  sandboxMerchant,
  startPaymentsSandbox,
  type Behaviour,
  type PaymentsFault,
  type PaymentsFaultAction,
  type PaymentsSandbox,
} from '#sandbox/payments/index.ts';
import { makeQueues, type StageQueues } from '#support/queues/queues.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';
import { createPageWorker } from '#page/daily-report/page-worker.ts';
import { createDeliveryWatch } from '#watch/delivery-watch/create-delivery-watch.ts';
import { buildDependencies as deliveryWatchOf } from '#watch/delivery-watch/dependencies.ts';
import { buildDependencies as mailEventsOf, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import {
  buildDependencies as unsubscribeOf,
  createUnsubscribe,
} from '#mail/unsubscribe/create-unsubscribe.ts';
import { buildDependencies as proveOf, createProve } from '#page/prove/create-prove.ts';
import { buildDependencies as announceOf, createAnnounce } from '#watch/announce/create-announce.ts';
import { createSweep } from '#watch/sweep/create-sweep.ts';
import { buildDependencies as sweepOf } from '#watch/sweep/dependencies.ts';
import type { FunctionName, OptionalFunctionName } from '#lib/functions.ts';
import { isQueueEvent } from '#runtime/queue-worker.ts';

/** The functions go by it, the sandboxes stamp by it. It begins at a time of its own and passes as the machine's. */
export class WorldClock implements Clock {
  /** Milliseconds by which it is ahead of the machine's; negative when it is behind. */
  ahead = 0;

  /** @param start ISO 8601, UTC */
  constructor(start: string) {
    this.setTo(start);
  }

  /** Milliseconds since 1970 UTC. */
  now = (): number => Date.now() + this.ahead;

  /** Lets that time pass, and takes no longer than a few milliseconds. */
  sleep = async (milliseconds: number): Promise<void> => {
    this.ahead += milliseconds;
    await wait(2);
  };

  /** Goes on from that moment. @param moment ISO 8601, or milliseconds since 1970; UTC */
  setTo(moment: string | number): void {
    this.ahead = new Date(moment).getTime() - Date.now();
  }
}

/** What a cold start of a function has in this process, on a world's clock. */
export function partsOf<Parts extends object>(build: (environment: Environment) => Parts, clock: WorldClock) {
  return { ...build(readEnvironment(process.env)), clock };
}

export const DAY = '2026-11-20';
/** When a world begins: an hour after its day's reports are due in Kuwait. */
export const MORNING_AFTER = '2026-11-21T04:00:00.000Z';
export const CODE = '700001';
export const BUCKET = 'daybook-data';
export const SECRET = 'daybook/merchants';
/** The variable of a stage whose ops are told over a topic, too. */
export const OPS_TOPIC = { OPS_TOPIC_ARN: 'arn:aws:sns:us-east-1:111122223333:daybook-ops' };

/** The registry's words for the sandbox's statuses. */
const STATUS_WORDS = {
  invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
  refunds: { source: 'list', statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } },
};

export interface WorldOptions {
  merchants?: number;
  perPage?: number;
  /** SQLite file of the payment service; in memory unless given. */
  database?: string;
  behaviour?: Partial<Behaviour>;
  /** Members for the registry's `defaults`. */
  defaults?: Record<string, unknown>;
  environment?: Record<string, string>;
  /** Starts the services that only an operator's command calls, too. */
  operator?: boolean;
}

/**
 * Daybook on one machine: both sandboxes over real HTTP, and functions wired to them as they are wired to AWS. It has
 * one clock, which does not depend on the machine's date and can be put forward; waiting takes no longer than a few
 * milliseconds.
 */
export class DaybookWorld {
  aws!: AwsSandbox;
  payments!: PaymentsSandbox;
  environment!: Record<string, string>;
  /** The functions' clock and the sandboxes'. */
  clock!: WorldClock;
  queues!: StageQueues;
  readonly #options: WorldOptions;
  readonly #merchants: ReturnType<typeof sandboxMerchant>[];
  #directory!: string;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.#merchants = Array.from({ length: options.merchants ?? 1 }, (_, index) => sandboxMerchant(index));
  }

  static async start(options: WorldOptions = {}): Promise<DaybookWorld> {
    const world = new DaybookWorld(options);
    await world.begin();
    return world;
  }

  /** A world of the test that runs, or that is about to run: it is closed when the test is over. */
  static async ofTest(options: WorldOptions = {}): Promise<DaybookWorld> {
    const world = await DaybookWorld.start(options);
    onTestFinished(() => world.close());
    return world;
  }

  /** Begins with nothing in it, also after it was closed. */
  async begin(): Promise<void> {
    const { operator = false, perPage, database, behaviour } = this.#options;
    this.#directory = newDirectory();
    this.clock = new WorldClock(MORNING_AFTER);
    // Read each time: a test may replace the clock's function.
    const now = () => this.clock.now();
    this.aws = await startAwsSandbox({ directory: this.#directory, now, operator });
    this.payments = await startPaymentsSandbox({
      merchants: this.#merchants,
      now,
      ...(perPage !== undefined && { perPage }),
      ...(database !== undefined && { database }),
      ...(behaviour !== undefined && { behaviour }),
    });
    this.queues = makeQueues(this.aws, 'daybook-test');
    this.environment = {
      ...this.aws.environment,
      ...this.queues.variables,
      DATA_BUCKET: BUCKET,
      CREDENTIALS_SECRET: SECRET,
      SERVICE_ORIGINS: this.payments.origin,
      MAIL_FROM: 'Daybook <daybook@example.com>',
      OPS_RECIPIENTS: 'ops@example.com',
      // An earlier world of the process may have had links in its mails.
      LINKS_SECRET: '',
      LINKS_STOPS: '',
      ...this.#options.environment,
    };
    Object.assign(process.env, this.environment);
    this.putSecret();
    await this.putRegistry();
    // Without a history, a first report looks twice for each of the last 35 days: most of a short test's time.
    for (const { merchantCode } of this.#merchants) {
      await this.aws.s3.write(BUCKET, historyKey(merchantCode), JSON.stringify({ merchantCode, days: [] }));
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.aws.close(), this.payments.close()]);
    await rm(this.#directory, { recursive: true });
  }

  /** The folder with the objects of the bucket, each a file under its key. */
  get folder(): string {
    return join(this.#directory, 's3', BUCKET);
  }

  /** Milliseconds by which the world's clock is ahead of the machine's. */
  get clockAhead(): number {
    return this.clock.ahead;
  }

  set clockAhead(milliseconds: number) {
    this.clock.ahead = milliseconds;
  }

  /** Stores every merchant's credentials, with changes to single entries. */
  putSecret(changes: Record<string, Record<string, unknown>> = {}): void {
    const merchants = Object.fromEntries(
      this.#merchants.map((merchant) => [
        merchant.merchantCode,
        { ...credentialsOf(merchant), ...changes[merchant.merchantCode] },
      ]),
    );
    this.aws.secrets.put(SECRET, JSON.stringify({ merchants }));
  }

  /** Stores the registry, with changes to single merchants and to the service, and with other members such as `groups`. */
  async putRegistry(
    changes: Record<string, Record<string, unknown>> = {},
    service: Record<string, unknown> = {},
    others: Record<string, unknown> = {},
  ): Promise<void> {
    const registry = {
      ...others,
      service: { baseUrl: this.payments.origin, ...service },
      defaults: { ...STATUS_WORDS, ...this.#options.defaults },
      merchants: this.#merchants.map(({ merchantCode, name }) => ({
        merchantCode,
        name,
        recipients: [`owner-${merchantCode}@merchants.example`],
        ...changes[merchantCode],
      })),
    };
    await this.aws.s3.write(BUCKET, 'config/merchants.json', JSON.stringify(registry));
  }

  /** The function as a cold start builds it, on the test's clock. */
  coldStart(changes: Partial<Dependencies> = {}) {
    return createDailyReport({ ...partsOf(dailyReportOf, this.clock), ...changes });
  }

  report(event: Record<string, unknown> = {}): Promise<DailyReportAnswer> {
    return this.coldStart()({ merchantCode: CODE, day: DAY, ...event });
  }

  alertCheck(event: Record<string, unknown> = {}, context?: Context): Promise<AlertCheckAnswer> {
    const check = createAlertCheck(partsOf(alertCheckOf, this.clock));
    return check({ merchantCode: CODE, ...event }, context);
  }

  plan(event: Record<string, unknown>): Promise<PlanResult> {
    return createPlan(partsOf(planOf, this.clock))(event);
  }

  statement(event: Record<string, unknown>, context?: Context): Promise<StatementAnswer> {
    return createStatement(partsOf(statementOf, this.clock))(event, context);
  }

  keys(prefix = ''): string[] {
    return this.aws.s3.list(BUCKET, prefix);
  }

  async text(key: string): Promise<string> {
    const body = await this.aws.s3.read(BUCKET, key);
    if (body === undefined) throw new Error(`no object ${key}`);
    return (key.endsWith('.gz') ? gunzipSync(body) : body).toString('utf8');
  }

  async manifest(revision: number, merchantCode = CODE, day = DAY): Promise<Manifest> {
    return manifestSchema.parse(JSON.parse(await this.text(manifestKey(day, merchantCode, revision))));
  }

  async ledger(revision: number, merchantCode = CODE): Promise<Ledger> {
    return ledgerSchema.parse(JSON.parse(await this.text(ledgerKey(DAY, merchantCode, revision))));
  }

  /** Mails of a kind that SES has taken (`report`, `correction`, `preview`, `alert`, `ops`). */
  mails(kind?: string) {
    return this.aws.mail.messages.filter((message) => kind === undefined || message.tags['kind'] === kind);
  }

  /** The mails of a kind as their readers see them: with usual blanks, and without marks of direction. */
  readMails(kind?: string) {
    const plain = (text = '') => text.replaceAll('\u00A0', ' ').replaceAll(/[\u2066-\u2069]/g, '');
    return Promise.all(
      this.mails(kind).map(async ({ raw, tags }) => {
        const { subject, text, html = '', ...mail } = await PostalMime.parse(raw);
        return { ...mail, kind: tags['kind'], subject: plain(subject), text: plain(text), html };
      }),
    );
  }

  async lastMail(kind?: string) {
    return defined((await this.readMails(kind)).at(-1));
  }

  /** The payment service does something else with such requests: once, unless `times` says how often. */
  serviceDoes(action: PaymentsFaultAction, where: Omit<PaymentsFault, 'action'> = {}): void {
    this.payments.behaviour.faults.add({ ...where, action });
  }

  /** AWS does something else with such requests: once, unless `times` says how often. */
  awsDoes(action: FaultAction, where: Omit<Fault, 'action'> = {}): void {
    this.aws.faults.add({ ...where, action });
  }

  /** From now on S3 refuses to store such objects. */
  refusePuts(key: RegExp): void {
    this.awsDoes(knownErrors.s3.accessDenied, { operation: 'PutObject', key, times: Infinity });
  }

  /** Does something before each of the next puts of such an object. */
  beforePut(key: RegExp, before: () => Promise<void> | void, times = 1): void {
    this.awsDoes({ kind: 'call', before }, { operation: 'PutObject', key, times });
  }

  /** SES refuses the next mails to such an address. */
  refuseMails(to: RegExp, times = 1): void {
    this.awsDoes(knownErrors.ses.notVerified, { service: 'ses', key: to, times });
  }

  /** How often SES was asked to send something, with success or without. */
  sendRequests(): number {
    return this.aws.requests.filter(
      ({ service, operation }) => service === 'ses' && operation.startsWith('Send'),
    ).length;
  }
}

/** A world that is new for each test of the file or of the `describe`. */
export function useWorld(options: WorldOptions = {}): DaybookWorld {
  const world = new DaybookWorld(options);
  beforeEach(() => world.begin());
  afterEach(() => world.close());
  return world;
}

/** One world for all tests of the file or of the `describe`. */
export function shareWorld(options: WorldOptions = {}): DaybookWorld {
  const world = new DaybookWorld(options);
  beforeAll(() => world.begin());
  afterAll(() => world.close());
  return world;
}

/** Runs a function of a cold start in this process, with its variables and on the clock of a world. */
export async function runFunction(
  name: FunctionName | Exclude<OptionalFunctionName, 'link'>,
  event: unknown,
  clock: WorldClock,
): Promise<unknown> {
  switch (name) {
    case 'plan': {
      const parts = partsOf(planOf, clock);
      return parts.telemetry.during(undefined, () => createPlan(parts)(event));
    }
    case 'daily-report': {
      const parts = partsOf(dailyReportOf, clock);
      const report = createDailyReport(parts);
      if (!isQueueEvent(event)) return report(event);
      const statement = createStatement(partsOf(statementOf, clock));
      return createPageWorker({ telemetry: parts.telemetry, report, statement })(event);
    }
    case 'statement':
      return createStatement(partsOf(statementOf, clock))(event);
    case 'alert-check':
      return createAlertCheck(partsOf(alertCheckOf, clock))(event);
    case 'delivery-watch':
      return createDeliveryWatch(partsOf(deliveryWatchOf, clock))(event);
    case 'mail-events':
      return createMailEvents(partsOf(mailEventsOf, clock))(event);
    case 'sweep':
      return createSweep(partsOf(sweepOf, clock))(event);
    case 'announce':
      return createAnnounce(partsOf(announceOf, clock))(event);
    case 'prove':
      return createProve(partsOf(proveOf, clock))(event);
    case 'unsubscribe':
      return createUnsubscribe(partsOf(unsubscribeOf, clock))(event);
    case 'lake':
      throw new Error('a world has no Athena: see test/lake/function');
  }
}

/** From now on neither SES nor SNS accepts anything. */
export function refuseNotices({ aws }: DaybookWorld): void {
  const action = { kind: 'error', status: 503, code: 'ServiceUnavailable' } as const;
  for (const service of ['ses', 'sns']) aws.faults.add({ service, times: Infinity, action });
}
