import { parseOptions, seedOption, wholeOption as whole } from '../options.ts';

/** The command line, read and checked. */
export interface Settings {
  merchants: number;
  days: number;
  /** Merchants of the year. 0: no year. */
  year: number;
  /** The last days of the month, whose merges come one by one. */
  daily: number;
  /** OPTIMIZE after every so many daily merges. */
  optimize: number;
  seed: string;
  json: string | undefined;
  /** A file from `--json`: its figures are shown again, and nothing is measured. */
  from: string | undefined;
  markdown: boolean;
}

export const USAGE = `Compares questions to the history with the same questions to the JSON objects, on a
real Trino: CPU, objects opened and bytes. It writes a month of merchants into the S3
sandbox, loads it by the history's own statements, one daily merge after the other, and
computes what ten thousand merchants need. It fails if a bound does not hold.

  npm run bench:lake -- [options]                                          default

  --merchants <n>    1 to 1000                                                 300
  --days <n>         of the month, 1 to 30                                      30
  --year <n>         merchants of the year, 0 for none                          40
  --daily <n>        merge the last n days one by one, load those before at once    7
  --optimize <n>     OPTIMIZE after every n daily merges                         1
  --seed <word>      the same seed, the same data                          daybook
  --json <file>      write the raw figures to this file
  --from <file>      show the figures of such a file, measure nothing
  --markdown         tables as Markdown
  -h, --help         show this text

Quick: npm run bench:lake -- --merchants 60 --days 10 --year 0

Exit status: 0 when all is well; 1 when a bound does not hold, or answers differ; 2 for a
wrong option.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  merchants: text,
  days: text,
  year: text,
  daily: text,
  optimize: text,
  seed: text,
  json: text,
  from: text,
  markdown: flag,
  help: { ...flag, short: 'h' },
} as const;

/** @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parseOptions('npm run bench:lake', args, OPTIONS);
  if (values.help === true) return 'help';
  const { json, from, markdown = false } = values;
  return {
    merchants: whole('merchants', values.merchants, 1, 1_000) ?? 300,
    days: whole('days', values.days, 1, 30) ?? 30,
    year: whole('year', values.year, 0, 200) ?? 40,
    daily: whole('daily', values.daily, 1, 30) ?? 7,
    optimize: whole('optimize', values.optimize, 1, 30) ?? 1,
    seed: seedOption(values.seed),
    json,
    from,
    markdown,
  };
}
