import { parseArgs } from 'node:util';
import { isDay } from '#records/day/business-day.ts';
import { FAULTS, readFaults } from './faults.ts';
import type { NamedFault } from './faults.ts';
import { UsageError } from './terminal/terminal.ts';

/** The number of merchants, and the size of their days, unless the command line says otherwise. */
export const DEFAULTS = { merchants: 3, invoices: 400, refunds: 12, directory: '.local' } as const;

/** The ids of the sandbox's records start here. */
const FIRST_DAY = '2000-01-01';

/** What `--help` prints. */
export const USAGE = `Runs all of Daybook on this machine, without an account: the built functions,
a made-up payment service, and servers for S3, SES, SNS and Secrets Manager.

  npm start -- [options]                                              default

  --merchants <n>    merchants 700001, 700002, …                      ${DEFAULTS.merchants}
  --invoices <n>     invoices per merchant and day                    ${DEFAULTS.invoices}
  --refunds <n>      refunds per merchant and day                     ${DEFAULTS.refunds}
  --day <date>       YYYY-MM-DD; yesterday in each merchant's zone    yesterday
  --later            change the day after its report: a revision      off
                     and a correction mail follow
  --faults <list>    faults of the service, separated by commas       none
${FAULTS.map(({ name, does }) => `    ${name.padEnd(17)}${does}`).join('\n')}
  --latency <ms>     delay of every answer of the service             0
  --serve            keep all of it running, schedules and queues     off
                     too, and show the mails on a page, until
                     Ctrl-C; daybook --local works with it
  --port <n>         port of that page on 127.0.0.1; 0: any free      0
  --directory <dir>  where everything is kept between runs            ${DEFAULTS.directory}
  --fresh            first remove what earlier runs left there        off
  --no-alerts        show the reports only: no alert rule that is     off
                     checked three times, no missing report, no
                     statement of a month, no page of a group
  -h, --help         show this text

A second run finds the same days: it seals nothing new and sends no mail.
Exit status: 0 when all is well; 1 when a report failed; 2 for a wrong option;
130 after Ctrl-C.
`;

/** The command line, read and checked. */
export interface Settings {
  merchants: number;
  /** Undefined when the command line does not say. Then an existing day stays as it is. */
  invoices: number | undefined;
  refunds: number | undefined;
  /** `YYYY-MM-DD`, or `undefined` for yesterday in each merchant's zone. */
  day: string | undefined;
  later: boolean;
  faults: NamedFault[];
  /** Milliseconds. */
  latency: number;
  serve: boolean;
  port: number;
  directory: string;
  fresh: boolean;
  /** Whether to show alerts and the watch after the reports. */
  alerts: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
  merchants: text,
  invoices: text,
  refunds: text,
  day: text,
  later: flag,
  faults: text,
  latency: text,
  serve: flag,
  port: text,
  directory: text,
  fresh: flag,
  'no-alerts': flag,
  help: { ...flag, short: 'h' },
};

/** @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const { day, port, directory = DEFAULTS.directory, later, serve, fresh } = values;
  if (day !== undefined && (!isDay(day) || day < FIRST_DAY)) {
    throw new UsageError(`--day must be a date YYYY-MM-DD from ${FIRST_DAY}, not ${JSON.stringify(day)}`);
  }
  if (port !== undefined && !serve) throw new UsageError('--port needs --serve');
  if (directory === '') throw new UsageError('--directory is empty');
  const merchants = count('merchants', values.merchants, 1, 200) ?? DEFAULTS.merchants;
  return {
    merchants,
    invoices: count('invoices', values.invoices, 0, 100_000),
    refunds: count('refunds', values.refunds, 0, 10_000),
    day,
    later,
    faults: readFaults(values.faults ?? '', merchants),
    latency: count('latency', values.latency, 0, 60_000) ?? 0,
    serve,
    port: count('port', port, 0, 65_535) ?? 0,
    directory,
    fresh,
    alerts: !values['no-alerts'],
  };
}

function count(name: string, given: string | undefined, from: number, to: number): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(
    `--${name} must be a whole number from ${from} to ${to}, not ${JSON.stringify(given)}`,
  );
}

/** Node's own message about a bad option, in our words and in one line. */
function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: withNegativeValues(args), options: OPTIONS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/[.\n]/)[0] ?? message}; see npm start -- --help`);
  }
}

/** Turns `--invoices -5` into `--invoices=-5`, so that the answer names the bad value. */
function withNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-\d/.test(arg) && before?.startsWith('--') === true && !before.includes('=')) {
      joined[joined.length - 1] = `${before}=${arg}`;
    } else joined.push(arg);
  }
  return joined;
}
