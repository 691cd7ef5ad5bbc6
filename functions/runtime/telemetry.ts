import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { remainingTime } from './clock.ts';

type Primitive = string | number | boolean | null;

/** Never a `cause`, and no message that could quote data. */
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
  // The service's own message. That of a parser or a schema may quote what it read.
  if ('$fault' in error) description['message'] = error.message;
  if ('code' in error && typeof error.code === 'string') description['code'] = error.code;
  return description;
}

/** Name and stack of the original without the message, which may quote what was read: Lambda logs what is thrown. */
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

/** An error that may be shown: never with a message that quotes what was read. */
export function outward(error: unknown): Error {
  return error instanceof DaybookError || (error instanceof Error && '$fault' in error)
    ? error
    : new UnexpectedError(error);
}

/** The errors of a wrong key: we cannot decrypt the answer, or the service cannot read the request. */
const CIPHER_FAILURES = ['CipherError', 'InvalidRequestError'];

export class Telemetry {
  readonly #logger: Logger;
  readonly #ofRecord = new AsyncLocalStorage<Logger>();
  readonly #metrics: Metrics;
  readonly #beginnings: ((remaining: number) => void)[] = [];
  #depth = 0;

  /** @param service the function's name: the only dimension of every metric */
  constructor(service: string, logLevel: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR') {
    this.#logger = new Logger({ serviceName: service, logLevel });
    const namespace = process.env['POWERTOOLS_METRICS_NAMESPACE'] ?? 'Daybook';
    this.#metrics = new Metrics({ namespace, serviceName: service });
  }

  /** With the keys of the invocation, or of the record that is worked on. */
  get logger(): Logger {
    return this.#ofRecord.getStore() ?? this.#logger;
  }

  count(metric: string, value: number): void {
    this.#metrics.addMetric(metric, MetricUnit.Count, value);
  }

  /** For log lines and, as metadata, metrics: a dimension for each merchant would be a metric each. */
  about(
    details: Partial<Record<'merchantCode' | 'group' | 'day' | 'period' | 'kind', string | undefined>>,
  ): void {
    const known = Object.entries(details).filter((entry) => entry[1] !== undefined);
    this.logger.appendKeys(Object.fromEntries(known));
    if (this.#ofRecord.getStore() !== undefined) return;
    for (const [name, value = ''] of known) this.#metrics.addMetadata(name, value);
  }

  logError(error: unknown): void {
    this.logger.error('failed', { failure: describe(error) });
    if (error instanceof DaybookError && CIPHER_FAILURES.includes(error.name))
      this.count('CipherFailures', 1);
  }

  /** Works on one of several records side by side: what {@link about} says is of this one alone. */
  ofRecord<T>(run: () => Promise<T>): Promise<T> {
    return this.#ofRecord.run(this.#logger.createChild(), run);
  }

  /** @param begin gets the milliseconds that the invocation may take */
  atBegin(begin: (remaining: number) => void): void {
    this.#beginnings.push(begin);
  }

  /** What a failure may quote is neither logged nor thrown on; metrics are written in any case. It may be nested. */
  async during<T>(context: Context | undefined, run: () => Promise<T>): Promise<T> {
    if (context !== undefined) this.#logger.addContext(context);
    if (this.#depth === 0) for (const begin of this.#beginnings) begin(remainingTime(context));
    this.#depth += 1;
    try {
      return await run();
    } catch (error) {
      this.logError(error);
      throw outward(error);
    } finally {
      this.#depth -= 1;
      if (this.#metrics.hasStoredMetrics()) this.#metrics.publishStoredMetrics();
      this.#metrics.clearMetadata();
      this.#logger.resetKeys();
    }
  }
}
