import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { UsageError, seedOption, wholeOption } from '#bin/local/terminal/terminal.ts';

export interface Settings {
  days: number;
  merchants: number;
  seed: string;
  workers: number;
}

export const DEFAULTS = { days: 30, merchants: 20, seed: 'daybook' } as const;

export const USAGE = `Runs Daybook over simulated days with a clock of its own. The built functions (plan,
reports, alert checks, mail events, watch, sweep) run behind queues and schedules.
Meanwhile the service and AWS fail, functions are killed, and messages come twice. At the end every merchant
and day must have one newest sealed revision that equals the service's data, and its
mails exactly once.

  npm run soak -- [options]                                           default

  --days <n>         simulated days with faults, 1 to 365             ${DEFAULTS.days}
  --merchants <n>    1 to 200                                         ${DEFAULTS.merchants}
  --seed <word>      the same seed gives the same faults and kills    ${DEFAULTS.seed}
  --workers <n>      functions at the same time, 1 to 64              twice the cores
  -h, --help         show this text

A week without faults follows, so that every day gets its last lookback.
Exit status: 0 when all is well; 1 when a promise was broken; 2 for a wrong option; 130 after Ctrl-C.
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  days: text,
  merchants: text,
  seed: text,
  workers: text,
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parse(args);
  if (values.help === true) return 'help';
  return {
    days: wholeOption('days', values.days, 1, 365) ?? DEFAULTS.days,
    merchants: wholeOption('merchants', values.merchants, 1, 200) ?? DEFAULTS.merchants,
    seed: seedOption(values.seed),
    workers: wholeOption('workers', values.workers, 1, 64) ?? 2 * availableParallelism(),
  };
}

/** Node's own message about a bad option, in our words and in one line. */
function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/[.\n]/)[0] ?? message}; see npm run soak -- --help`);
  }
}

/** The command that repeats the run. */
export function commandOf({ days, merchants, seed, workers }: Settings): string {
  return `npm run soak -- --days ${days} --merchants ${merchants} --seed ${seed} --workers ${workers}`;
}
