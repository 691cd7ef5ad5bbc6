import * as z from 'zod';
import { DEEP, patternsOf } from '#test/projects.ts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvColumns } from '#records/rows/row-shape.ts';
import { ROOT } from './claims.ts';
import { metricsOfReadmes } from './metrics.ts';

const templateSchema = z.object({ Resources: z.record(z.string(), z.unknown()) });

/** A figure in a document, and what it must be. The pattern's first group is the figure, in digits or as a word. */
export interface Figure {
  document: string;
  says: RegExp;
  is: () => number;
}

const WORDS: Record<string, number> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  ten: 10,
  fourteen: 14,
  fifteen: 15,
  'a hundred': 100,
  'five hundred': 500,
  'a million': 1_000_000,
};

/** The number that a text stands for, `NaN` for any other text. */
export function numberOf(text: string): number {
  return WORDS[text.toLowerCase()] ?? Number(text.replaceAll(',', ''));
}

/**
 * The value of a constant, which need not be exported: a number, or a product of numbers and of constants beside it.
 *
 * @param file its name alone; the folder may change
 * @throws {Error} when there is no such constant
 */
function constant(file: string, name: string): number {
  const source = globSync(`{functions,lib,soak,bench}/**/${file}`, { cwd: ROOT })
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
  const value = new RegExp(`const ${name}(?:: \\w+)? = ([\\w *]+);`).exec(source)?.[1];
  if (value === undefined) throw new Error(`there is no constant ${name} in ${file}`);
  return value
    .split(' * ')
    .map((part) => (/^\d/.test(part) ? Number(part.replaceAll('_', '')) : constant(file, part)))
    .reduce((product, factor) => product * factor, 1);
}

/** How many resources of a type the stacks of `prod` have, by the snapshots of their templates. */
function resources(type: string): number {
  return globSync('test/stacks/snapshots/prod/*.json', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8').split(`"Type": "${type}"`).length - 1)
    .reduce((sum, count) => sum + count, 0);
}

const alarmSchema = z.object({
  Type: z.literal('AWS::CloudWatch::Alarm'),
  Properties: z.object({
    Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional(),
  }),
});

/** How many metrics the alarms of `prod` are charged for: those that they read, not the expressions over them. */
function alarmMetrics(): number {
  const templates = globSync('test/stacks/snapshots/prod/*.json', { cwd: ROOT }).map((file) =>
    templateSchema.parse(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))),
  );
  return templates
    .flatMap(({ Resources }) => Object.values(Resources))
    .flatMap((resource) => alarmSchema.safeParse(resource).data ?? [])
    .map(
      ({ Properties: { Metrics } }) =>
        Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
    )
    .reduce((sum, count) => sum + count, 0);
}

/** Every metric of Daybook. The state machine of the history counts its daily runs; no function does it, so no README names it. */
const metrics = () => metricsOfReadmes().length + 1;

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KIB = 1_024;

const columns = () => csvColumns('invoices').length;
const testFiles = () => globSync('test/**/*.test.ts', { cwd: ROOT, exclude: patternsOf(DEEP) }).length;
const longestBackfill = () => constant('plan-event.ts', 'LONGEST_BACKFILL');
const historyDays = () => constant('history.ts', 'MOST_DAYS');
const takenForDead = () => constant('open-rounds.ts', 'TAKEN_FOR_DEAD') / HOUR;
const longestOpen = () => constant('open-rounds.ts', 'LONGEST_OPEN') / HOUR;
const longestWindow = () => constant('tick-window.ts', 'LONGEST_WINDOW') / HOUR;
const inlineItems = () => constant('plan-result.ts', 'MOST_INLINE');
const inlineSize = () => constant('plan-result.ts', 'LARGEST_INLINE') / KIB;
const rejectedSize = () => constant('plan-result.ts', 'LARGEST_REJECTED') / KIB;
const differences = () => constant('answer.ts', 'MOST_DIFFERENCES');
const messageIds = () => constant('mail-page.ts', 'MOST_MESSAGE_IDS');
const ledgerDays = () => constant('settle-ledgers.ts', 'RECENT');
const largestAnswer = () => constant('transport.ts', 'LARGEST_ANSWER') / KIB / KIB;
const levels = () => constant('bounded-json.ts', 'MOST_LEVELS');
const pulls = () => constant('page-store.ts', 'MOST_ATTEMPTS');

/** The exact figures in documents. */
export const FIGURES: Figure[] = [
  { document: 'docs/performance.md', says: /60,000 rows of (\d+) columns/, is: columns },
  { document: 'docs/scale.md', says: /× 0\.30 \+ (\d+) metrics of alarms/, is: alarmMetrics },
  { document: 'docs/scale.md', says: /\| CloudWatch: metrics of alarms +\| +(\d+) /, is: alarmMetrics },
  { document: 'docs/scale.md', says: /\((\d+) metrics × 0\.30/, is: metrics },
  { document: 'docs/scale.md', says: /\| CloudWatch: metrics +\| +(\d+) /, is: metrics },
  {
    document: 'docs/scale.md',
    says: /\| CloudWatch: dashboards +\| +(\d+) /,
    is: () => resources('AWS::CloudWatch::Dashboard'),
  },
  { document: 'docs/scale.md', says: /\| KMS: keys +\| +(\d+) /, is: () => resources('AWS::KMS::Key') },
  {
    document: 'docs/interfaces.md',
    says: /^(\w+) schedules start/m,
    is: () => resources('AWS::Scheduler::Schedule'),
  },
  { document: 'docs/interfaces.md', says: /figures of the newest (\d+) sealed days/, is: historyDays },
  { document: 'docs/interfaces.md', says: /`differences`\s+\|.*, (a hundred) at most/, is: differences },
  { document: 'docs/interfaces.md', says: /`messageIds` \((\d+) at most\)/, is: messageIds },
  { document: 'docs/interfaces.md', says: /its last day, (\d+) days at most/, is: longestBackfill },
  { document: 'docs/interfaces.md', says: /up to (\d+) of them and 128 KiB/, is: inlineItems },
  { document: 'docs/interfaces.md', says: /of them and (\d+) KiB/, is: inlineSize },
  { document: 'docs/operations.md', says: /figures of the last (\d+) sealed days/, is: historyDays },
  {
    document: 'docs/operations.md',
    says: /lists more than ([\d,]+) ids/,
    is: () => constant('watch-list.ts', 'MOST_IDS'),
  },
  { document: 'docs/operations.md', says: /an answer is larger than (\d+) MiB/, is: largestAnswer },
  { document: 'docs/operations.md', says: /them, (\d+) days at the most/, is: longestBackfill },
  { document: 'docs/adr/0003-mail-ledger-with-a-lease.md', says: /the newest (\d+) days/, is: historyDays },
  {
    document: 'docs/adr/0004-ticks-and-the-fleet.md',
    says: /After (\w+) hours without that/,
    is: takenForDead,
  },
  {
    document: 'docs/adr/0004-ticks-and-the-fleet.md',
    says: /as they were, for (\d+) hours/,
    is: longestOpen,
  },
  {
    document: 'docs/adr/0004-ticks-and-the-fleet.md',
    says: /window is used, (\d+) hours/,
    is: longestWindow,
  },
  { document: 'docs/registry.md', says: /nest deeper than (\d+) levels/, is: levels },
  {
    document: 'docs/registry.md',
    says: /hold more than ([\d,]+) values/,
    is: () => constant('registry.ts', 'MOST_VALUES'),
  },
  {
    document: 'docs/registry.md',
    says: /\(a secret: ([\d,]+)\)/,
    is: () => constant('credentials.ts', 'MOST_VALUES'),
  },
  {
    document: 'docs/registry.md',
    says: /each in a separate message; (\d+) at the most/,
    is: () => constant('registry-schema.ts', 'MOST_RECIPIENTS'),
  },
  {
    document: 'docs/fan-out.md',
    says: /alert checks: one child for (\w+) merchants/,
    is: () => constant('merchant-fan-out-calls.ts', 'BATCH_SIZE'),
  },
  {
    document: 'docs/fan-out.md',
    says: /of its batch, all (\d+) side by side/,
    is: () => constant('statement-batch.ts', 'STATEMENT_BATCH'),
  },
  { document: 'docs/fan-out.md', says: /items up to (\d+) and 128 KiB/, is: inlineItems },
  { document: 'docs/fan-out.md', says: /rejected up to (\d+) KiB/, is: rejectedSize },
  { document: 'docs/fan-out.md', says: /\| (\d+) differences and/, is: differences },
  { document: 'docs/fan-out.md', says: /differences and (\d+) message ids/, is: messageIds },
  {
    document: 'docs/mails.md',
    says: /and up to (\w+) changed rows/,
    is: () => constant('changed-rows.ts', 'MOST_LISTED'),
  },
  {
    document: 'docs/mails.md',
    says: /or are more than (a million), it has/,
    is: () => constant('changed-rows.ts', 'MOST_COMPARED_ROWS'),
  },
  {
    document: 'docs/mails.md',
    says: /At most ([\d,]+) paid invoices/,
    is: () => constant('paid-twice.ts', 'MOST_KEPT'),
  },
  {
    document: 'docs/mails.md',
    says: /\| the last (\d+) days +\|/,
    is: () => constant('trend.ts', 'TREND_DAYS'),
  },
  { document: 'docs/reliability.md', says: /the ledgers of the last (\d+) days/, is: ledgerDays },
  { document: 'docs/reliability.md', says: /One invocation pulls (\w+) times at most/, is: pulls },
  { document: 'docs/reliability.md', says: /nests at most (\d+) levels/, is: levels },
  { document: 'SECURITY.md', says: /Backfills are of (\d+) days at most/, is: longestBackfill },
  { document: 'functions/plan/README.md', says: /only up to (\d+) of them and 128 KiB/, is: inlineItems },
  { document: 'functions/plan/README.md', says: /of them and (\d+) KiB/, is: inlineSize },
  {
    document: 'functions/plan/README.md',
    says: /and at most (\d+) rejected/,
    is: () => constant('plan-result.ts', 'MOST_REJECTED'),
  },
  {
    document: 'functions/plan/README.md',
    says: /every day of the range, (\d+) at most/,
    is: longestBackfill,
  },
  { document: 'functions/plan/README.md', says: /says nothing for (\w+) hours/, is: takenForDead },
  { document: 'functions/plan/README.md', says: /That goes on for (\d+) hours/, is: longestOpen },
  { document: 'functions/plan/README.md', says: /is made up for, (\d+) hours back/, is: longestWindow },
  {
    document: 'functions/plan/README.md',
    says: /looks after its own (\w+) minutes/,
    is: () => constant('tick-window.ts', 'TICK_INTERVAL') / MINUTE,
  },
  {
    document: 'functions/page/daily-report/README.md',
    says: /at most (a hundred) differences/,
    is: differences,
  },
  {
    document: 'functions/page/daily-report/README.md',
    says: /and (five hundred) message ids/,
    is: messageIds,
  },
  { document: 'functions/page/daily-report/README.md', says: /holds still, (\w+) times at most/, is: pulls },
  {
    document: 'functions/watch/delivery-watch/README.md',
    says: /in the last (\w+), the watched/,
    is: () => constant('expected-reports.ts', 'DAYS_REMEMBERED'),
  },
  { document: 'functions/watch/sweep/README.md', says: /the ledgers of the last (\d+) days/, is: ledgerDays },
  {
    document: 'functions/watch/sweep/README.md',
    says: /of the last (\d+) days one each hour/,
    is: () => constant('remove-orphans.ts', 'RECENT'),
  },
];

/** The approximate figures in documents. */
export const ROUND_FIGURES: Figure[] = [
  { document: 'README.md', says: /files and tests, about ([\d,]+) and [\d,]+,/, is: testFiles },
];

/** Things of the repository that can be counted: a figure before one of these words must be in {@link FIGURES}. */
export const COUNTED = [
  'alarms',
  'measures',
  'shapes',
  'comparisons',
  'metrics',
  'columns',
  'schedules',
  'stacks',
  'named queries',
];
