import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseOptions, seedOption, wholeOption as whole } from '../options.ts';

/** The command line, read and checked. */
export interface Settings {
  merchants: number;
  seed: string;
  /** Latency of the payment service, milliseconds, for the model and for the reports to compare it with. */
  latency: number;
  /** Merchants at the same time. */
  concurrency: number;
  /** A merchant with more stored invoices a day runs in the larger function. Bytes. */
  largeBytes: number;
  /** The function's memory, MB. */
  memory: number;
  workers: number;
  /** Invoices of the large day; 0 for none. */
  large: number;
  /** Merchants whose statements of a month are made; 0 for none. */
  month: number;
  json: string | undefined;
  markdown: boolean;
  /** A file from `--json`: its figures are shown again, and nothing is measured. */
  from: string | undefined;
}

/** The memory of `daily-report` (lib/functions.ts). MB. */
export const FUNCTION_MEMORY = 512;

const STAGE = new URL('../../lib/stages/prod.json', import.meta.url);

/** The deployed stage. */
function stageConcurrency(): { reports: number; largeDayKilobytes: number } {
  const stage = JSON.parse(readFileSync(STAGE, 'utf8')) as {
    concurrency: { reports: number; largeDayKilobytes: number };
  };
  return stage.concurrency;
}

export const USAGE = `Runs the reports of a fleet of merchants against the sandboxes, and computes what Lambda
would need for them: time, requests, memory, dollars, and the largest day that one
function can read.

  npm run bench:fleet -- [options]                                         default

  --merchants <n>    1 to 10000; smaller fleets are the first merchants      10000
  --seed <word>      the same seed, the same sizes                         daybook
  --latency <ms>     of the payment service, 0 to 1000                          40
  --concurrency <n>  merchants at the same time              that of stage "prod"
  --memory <MB>      of the function, 256 to 1769                              512
  --workers <n>      processes that run reports                          the cores
  --large <n>        invoices of the large day, 0 for none                  200000
  --month <n>        merchants whose statements of a month are made         300
  --json <file>      write the raw figures to this file
  --from <file>      show the figures of such a file, measure nothing
  --markdown         tables as Markdown
  -h, --help         show this text

Exit status: 0 when all is well; 1 when a report was wrong; 2 for a wrong option.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  merchants: text,
  seed: text,
  latency: text,
  concurrency: text,
  memory: text,
  workers: text,
  large: text,
  month: text,
  json: text,
  from: text,
  markdown: flag,
  help: { ...flag, short: 'h' },
} as const;

/** @throws {UsageError} for an unknown option, or a wrong value */
export function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parseOptions('npm run bench:fleet', args, OPTIONS);
  if (values.help === true) return 'help';
  const { json, from, markdown = false } = values;
  return {
    merchants: whole('merchants', values.merchants, 1, 10_000) ?? 10_000,
    seed: seedOption(values.seed),
    latency: whole('latency', values.latency, 0, 1_000) ?? 40,
    concurrency: whole('concurrency', values.concurrency, 1, 10_000) ?? stageConcurrency().reports,
    largeBytes: stageConcurrency().largeDayKilobytes * 1_000,
    memory: whole('memory', values.memory, 256, 1_769) ?? FUNCTION_MEMORY,
    workers: whole('workers', values.workers, 1, 64) ?? availableParallelism(),
    large: whole('large', values.large, 0, 900_000) ?? 200_000,
    month: whole('month', values.month, 0, 10_000) ?? 300,
    json,
    from,
    markdown,
  };
}
