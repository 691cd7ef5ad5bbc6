import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { UsageError } from '#bin/local/terminal/terminal.ts';

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
  const { seed = DEFAULTS.seed } = values;
  if (!/^[\w-]{1,40}$/.test(seed))
    throw new UsageError('--seed must be a word of letters, digits, "_" and "-"');
  return {
    days: count('days', values.days, 365) ?? DEFAULTS.days,
    merchants: count('merchants', values.merchants, 200) ?? DEFAULTS.merchants,
    seed,
    workers: count('workers', values.workers, 64) ?? 2 * availableParallelism(),
  };
}

function count(name: string, given: string | undefined, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= 1 && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}`);
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
