import { parseArgs } from 'node:util';
import { addDays, isDay } from './day/calendar.ts';

/** What `--help` prints. */
export const USAGE = `Runs a made-up payment service, to develop and test a client against.

  npm run sandbox -- [options]

  --port <n>       port on 127.0.0.1; 0: any free port    (4080)
  --merchants <n>  merchants 700001, 700002, …             (3)
  --invoices <n>   invoices per merchant                   (428)
  --refunds <n>    refunds per merchant                    (12)
  --day <date>     the day, YYYY-MM-DD                     (yesterday, UTC)
  --latency <ms>   delay of every answer                   (0)
  --per-page <n>   records a page                          (15)
  -h, --help       show this text
`;

/** A mistake on the command line: one line, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Settings {
  port: number;
  merchants: number;
  invoices: number;
  refunds: number;
  /** YYYY-MM-DD */
  day: string;
  /** Milliseconds. */
  latency: number;
  perPage: number;
}

/** Throws a UsageError for an unknown option or a wrong value. `now` gives the default day. */
export function readSettings(args: string[], now: Date): Settings | 'help' {
  const text = { type: 'string' } as const;
  const options = { port: text, merchants: text, invoices: text, refunds: text, day: text, latency: text };
  const { values } = parse(() =>
    parseArgs({ args, options: { ...options, 'per-page': text, help: { type: 'boolean', short: 'h' } } }),
  );
  if (values.help === true) return 'help';

  const count = (
    name: string,
    given: string | undefined,
    fallback: number,
    from: number,
    to: number,
  ): number => {
    if (given === undefined) return fallback;
    const value = /^\d+$/.test(given) ? Number(given) : NaN;
    if (value >= from && value <= to) return value;
    throw new UsageError(
      `--${name} must be a whole number from ${from} to ${to}, not ${JSON.stringify(given)}`,
    );
  };
  const day = values.day ?? addDays(now.toISOString().slice(0, 10), -1);
  if (!isDay(day)) throw new UsageError(`--day must be a date YYYY-MM-DD, not ${JSON.stringify(day)}`);
  return {
    port: count('port', values.port, 4080, 0, 65_535),
    merchants: count('merchants', values.merchants, 3, 1, 1_000),
    invoices: count('invoices', values.invoices, 428, 0, 500_000),
    refunds: count('refunds', values.refunds, 12, 0, 500_000),
    day,
    latency: count('latency', values.latency, 0, 0, 600_000),
    perPage: count('per-page', values['per-page'], 15, 1, 10_000),
  };
}

/** Node's own message about a bad option, in our words. */
function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.split('. ')[0] ?? message);
  }
}
