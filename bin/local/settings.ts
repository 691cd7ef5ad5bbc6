import { parseArgs } from 'node:util';
import { isDay } from '#domain/day/business-day.ts';
import { FAULTS, readFaults } from './faults.ts';
import type { NamedFault } from './faults.ts';
import { UsageError } from './terminal/usage-error.ts';

/** How many merchants there are, and of what their days are made, unless the command line says otherwise. */
export const DEFAULTS = { merchants: 3, invoices: 400, refunds: 12, directory: '.local' } as const;

/** Ids of the sandbox's records count from here. */
const FIRST_DAY = '2000-01-01';

/** What `--help` prints. */
export const USAGE = `Daybook on this machine alone: a made-up payment service, loopback stand-ins for
S3, SES, SNS and Secrets Manager, and between them the built functions.

  npm start -- [options]                                              default

  --merchants <n>    merchants 700001, 700002, …                      ${DEFAULTS.merchants}
  --invoices <n>     invoices of the day, per merchant                ${DEFAULTS.invoices}
  --refunds <n>      refunds of the day, per merchant                 ${DEFAULTS.refunds}
  --day <date>       YYYY-MM-DD; yesterday is each merchant's own     yesterday
  --later            invoices are paid and refunds approved after     off
                     the report: a further revision, a correction
  --faults <list>    what the service does to us, commas between      none
${FAULTS.map(({ name, does }) => `    ${name.padEnd(17)}${does}`).join('\n')}
  --latency <ms>     the service's wait before every answer           0
  --serve            an inbox page to read the mails, until Ctrl-C    off
  --port <n>         the inbox's port on 127.0.0.1, 0 for any free    0
  --directory <dir>  where everything is kept from run to run         ${DEFAULTS.directory}
  --fresh            first removes what earlier runs left there       off
  --no-alerts        leaves out what follows the reports: an alert    off
                     rule checked three times, a report missed
  -h, --help         this text

A second run finds the days as they were, seals nothing new and mails nothing.
Exit status: 0; 1 when a report failed; 2 for a wrong option; 130 after Ctrl-C.
`;

/** The command line, read and checked. */
export interface Settings {
  merchants: number;
  /** Undefined where the command line does not say: then a day that is there already stays as it is. */
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
  /** Whether alerts and the watch are shown after the reports. */
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

/** @throws {UsageError} for an option, or a value of one, that is none */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const { day, port, directory = DEFAULTS.directory, later, serve, fresh } = values;
  if (day !== undefined && (!isDay(day) || day < FIRST_DAY)) {
    throw new UsageError(`--day is a date YYYY-MM-DD from ${FIRST_DAY}, not ${JSON.stringify(day)}`);
  }
  if (port !== undefined && !serve) throw new UsageError('--port is the inbox’s and goes with --serve');
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
  throw new UsageError(`--${name} is a whole number from ${from} to ${to}, not ${JSON.stringify(given)}`);
}

/** Node's own message about a bad option, as ours and in one line. */
function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: withNegativeValues(args), options: OPTIONS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/[.\n]/)[0] ?? message}; see npm start -- --help`);
  }
}

/** `--invoices -5` as `--invoices=-5`, which gets a better answer than that it is ambiguous. */
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
