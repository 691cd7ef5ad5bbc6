import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import { wholeNumber } from '../daybook/command-line.ts';
import { isDay } from '#records/day/business-day.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';

/** The number of merchants, and the size of their days, unless the command line says otherwise. */
export const DEFAULTS = { merchants: 3, invoices: 400, refunds: 12, directory: '.local' } as const;

/** The ids of the sandbox's records start here. */
const FIRST_DAY = '2000-01-01';

/** Reads a date of an option. */
export function date(given: string): string {
  if (isDay(given) && given >= FIRST_DAY) return given;
  throw new InvalidArgumentError(`It must be a date YYYY-MM-DD from ${FIRST_DAY}.`);
}

/** The command line of `npm start`. A day that is there already stays as it is, unless a size is given. */
export function createProgram() {
  const { invoices, refunds } = DEFAULTS;
  return new Command('npm start --')
    .description(
      'Runs all of Daybook on this machine, without an account: the built functions, a made-up payment service, and servers for S3, SQS, SES, SNS and Secrets Manager.',
    )
    .option('--merchants <n>', 'merchants 700001, 700002, …', wholeNumber(1, 200), DEFAULTS.merchants)
    .option('--invoices <n>', `invoices per merchant and day (default: ${invoices})`, wholeNumber(0, 100_000))
    .option('--refunds <n>', `refunds per merchant and day (default: ${refunds})`, wholeNumber(0, 10_000))
    .option('--day <date>', "YYYY-MM-DD (default: yesterday in each merchant's zone)", date)
    .option('--later', 'the next morning, too: what was paid since is in the report of the next day', false)
    .option('--latency <ms>', 'delay of every answer of the service', wholeNumber(0, 60_000), 0)
    .option(
      '--serve',
      'keep all of it running, schedules and queues too, and show the mails on a page, until Ctrl-C; daybook --local works with it',
      false,
    )
    .option('--port <n>', 'with --serve: port of that page on 127.0.0.1; 0: any free', wholeNumber(0, 65_535))
    .option('--directory <dir>', 'where everything is kept between runs', DEFAULTS.directory)
    .option('--fresh', 'first remove what earlier runs left there', false)
    .option(
      '--no-alerts',
      'show the reports only: no alert rule, missing report, statement or page of a group',
    )
    .helpOption('-h, --help', 'show this text')
    .addHelpText(
      'after',
      `
A second run finds the same days: it seals nothing new and sends no mail.
Exit status: 0 when all is well; 1 when a report failed; 2 for a wrong option;
130 after Ctrl-C.`,
    )
    .configureOutput({ outputError: () => undefined })
    .allowExcessArguments(false)
    .exitOverride();
}

/** The command line, read and checked. Latency in milliseconds. */
export type Settings = Omit<ReturnType<ReturnType<typeof createProgram>['opts']>, 'port'> & { port: number };

/** @returns `help` when it was printed @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  try {
    const { port, ...settings } = createProgram().parse(args, { from: 'user' }).opts();
    if (port !== undefined && !settings.serve) throw new UsageError('--port needs --serve');
    return { ...settings, port: port ?? 0 };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'help';
    throw new UsageError(`${error.message.replace(/\n/g, ' ').replace(/\.$/, '')}; see npm start -- --help`);
  }
}
