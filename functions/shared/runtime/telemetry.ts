import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import { DaybookError } from '#domain/errors/daybook-error.ts';
import { remainingTime } from './remaining-time.ts';

type Primitive = string | number | boolean | null;

/** What may be said of an error: never a `cause`, and no message that could quote a payload. */
function describe(error: unknown): Record<string, Primitive> {
  if (!(error instanceof Error)) return { name: typeof error };
  if (error instanceof DaybookError) {
    const fields = Object.entries(error).filter(
      (field): field is [string, Primitive] =>
        field[1] === null || ['string', 'number', 'boolean'].includes(typeof field[1]),
    );
    return { ...Object.fromEntries(fields), name: error.name, message: error.message };
  }
  const description: Record<string, Primitive> = { name: error.name };
  // A refusal by AWS, in words of the service. A parser's or a schema's message may quote what it read.
  if ('$fault' in error) description['message'] = error.message;
  if ('code' in error && typeof error.code === 'string') description['code'] = error.code;
  return description;
}

/**
 * Something failed that nobody foresaw. Carries the name and the places in the code of what was thrown, and not its
 * message: a parser's quotes what it read, and Lambda writes whatever a function throws into the log.
 */
export class UnexpectedError extends DaybookError {
  override readonly name = 'UnexpectedError';
  constructor(thrown: unknown) {
    const { name, code } = describe(thrown);
    super(`${String(name)}${code === undefined ? '' : ` (${String(code)})`}, see the stack`);
    const frames =
      thrown instanceof Error ? (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
    if (frames.length > 0) this.stack = [`${this.name}: ${this.message}`, ...frames].join('\n');
  }
}

/** The error as it may leave a function: Daybook's own and those of AWS as they are. */
function outward(error: unknown): Error {
  return error instanceof DaybookError || (error instanceof Error && '$fault' in error)
    ? error
    : new UnexpectedError(error);
}

/** A wrong key: its answer does not decrypt for us, or our request not for the service. */
const CIPHER_FAILURES = ['CipherError', 'InvalidRequestError'];

/** What a function tells of itself: structured logs, and counts as metrics in the log (EMF). */
export class Telemetry {
  readonly logger: Logger;
  readonly #metrics: Metrics;
  readonly #beginnings: ((remaining: number) => void)[] = [];

  /** @param service the function's name, such as `plan`: the one dimension of every metric */
  constructor(service: string, logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR') {
    this.logger = new Logger({ serviceName: service, logLevel });
    const namespace = process.env['POWERTOOLS_METRICS_NAMESPACE'] ?? 'Daybook';
    this.#metrics = new Metrics({ namespace, serviceName: service });
  }

  /** Adds a count to the metrics of this invocation. */
  count(metric: string, value: number): void {
    this.#metrics.addMetric(metric, MetricUnit.Count, value);
  }

  /**
   * Names what this invocation is about, in its log lines from now on and in its metrics. Metadata there: a dimension
   * for each merchant would be a metric each.
   */
  about(details: { merchantCode?: string; day?: string; kind?: string }): void {
    this.logger.appendKeys(details);
    for (const [name, value] of Object.entries(details)) this.#metrics.addMetadata(name, value);
  }

  logError(error: unknown): void {
    this.logger.error('failed', { failure: describe(error) });
    if (error instanceof DaybookError && CIPHER_FAILURES.includes(error.name))
      this.count('CipherFailures', 1);
  }

  /** Has something told of each invocation as it begins. @param begin gets the milliseconds that it may take */
  atBegin(begin: (remaining: number) => void): void {
    this.#beginnings.push(begin);
  }

  /**
   * Runs one invocation: its logs carry the request's id, its failure is logged and thrown on without anything that it may quote, its metrics go out
   * whatever happens.
   *
   * @param context what Lambda passes; absent in a local run
   */
  async during<T>(context: Context | undefined, run: () => Promise<T>): Promise<T> {
    if (context !== undefined) this.logger.addContext(context);
    for (const begin of this.#beginnings) begin(remainingTime(context));
    try {
      return await run();
    } catch (error) {
      this.logError(error);
      throw outward(error);
    } finally {
      if (this.#metrics.hasStoredMetrics()) this.#metrics.publishStoredMetrics();
      this.#metrics.clearMetadata();
      this.logger.resetKeys();
    }
  }
}
