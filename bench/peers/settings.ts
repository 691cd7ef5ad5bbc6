import { UsageError } from '#bin/local/terminal/terminal.ts';
import { parseOptions, wholeOption as whole } from '../options.ts';
import { PEERS } from './peers.ts';

/** The command line, read and checked. */
export interface Settings {
  rounds: number;
  invoices: number;
  perPage: number[];
  /** Milliseconds per request. */
  latency: number[];
  /** Names of programs. Daybook always runs. */
  only: string[];
  json: string | undefined;
  markdown: boolean;
}

const NAMES = PEERS.map(({ name }) => name);

export const USAGE = `Runs tools of others and loops written by hand against the same payment service as Daybook, one after
the other in rounds, and prints their time, processor time and memory as multiples of Daybook's.
Each is a whole process, measured from its start to its end. Needs Python 3; the first run installs
the tools of bench/peers/requirements.txt into .local/peers.

  npm run bench:peers -- [options]                                         default

  --rounds <n>        1 to 20; the medians are those of the rounds               3
  --invoices <n>      1 to 200000                                            20400
  --per-page <n,…>    invoices on a page                                    15,100
  --latency <ms,…>    of the payment service                                  0,40
  --only <name>       Daybook and this program; can be given several times     all
  --json <file>       write the raw figures to this file
  --markdown          tables as Markdown
  -h, --help          show this text

Programs: ${NAMES.slice(1).join('; ')}

Exit status: 0 when all is well; 1 when a program failed or its output is not complete; 2 for a
wrong option.
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  rounds: text,
  invoices: text,
  'per-page': text,
  latency: text,
  only: { type: 'string', multiple: true },
  json: text,
  markdown: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function list(name: string, given: string | undefined, least: number, most: number): number[] | undefined {
  return given?.split(',').map((one) => whole(name, one, least, most) ?? least);
}

/** @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parseOptions('npm run bench:peers', args, OPTIONS);
  if (values.help === true) return 'help';
  const { only = NAMES, json, markdown = false } = values;
  const unknown = only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only must be one of ${NAMES.join('; ')}, not ${JSON.stringify(unknown)}`);
  }
  return {
    rounds: whole('rounds', values.rounds, 1, 20) ?? 3,
    invoices: whole('invoices', values.invoices, 1, 200_000) ?? 20_400,
    perPage: list('per-page', values['per-page'], 1, 10_000) ?? [15, 100],
    latency: list('latency', values.latency, 0, 1_000) ?? [0, 40],
    only,
    json,
    markdown,
  };
}
