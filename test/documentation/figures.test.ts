import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ROOT } from '#support/documentation/claims.ts';
import { namesIn } from '#support/documentation/markdown.ts';
import { textOf, DOCUMENTS } from '#support/documentation/documents.ts';
import * as z from 'zod';
import { DEEP, patternsOf } from '#test/projects.ts';

/** The names of metrics that a README of a function gives: in the paragraph with its dimension, and in its tables of events. */
function metricsIn(text: string): string[] {
  const paragraph = text.split('\n\n').find((part) => /\bdimension `service=/.test(part)) ?? '';
  const events = [...text.matchAll(/: `(Events[A-Z]\w+)`$/gm)].map(([, name = '']) => name);
  const named = namesIn(paragraph).filter((name) => /^([A-Z][a-z]+){2,}$/.test(name));
  return [...new Set([...named, ...events])];
}

/** Every metric of every function, such as `plan DueMerchants`, by the functions' READMEs. */
function metricsOfReadmes(): string[] {
  return globSync('functions/**/README.md', { cwd: ROOT }).flatMap((path) =>
    metricsIn(textOf(path)).map((metric) => `${basename(dirname(path))} ${metric}`),
  );
}

/** The names of all metrics that the code counts, by its text: `count(…)`, and tables named `…METRICS`. */
function metricsOfTheCode(): string[] {
  const found = globSync('functions/**/*.ts', { cwd: ROOT }).flatMap((path) => {
    const source = textOf(path);
    const counts = [...source.matchAll(/\bcount\(([^)]*)\)/g)].map(([, parameters = '']) => parameters);
    const tables = [...source.matchAll(/METRICS[^=]*= \{([^}]*)\}/g)].map(([, table = '']) => table);
    return [...counts, ...tables].flatMap((text) => [...text.matchAll(/'([A-Z]\w+)'/g)]);
  });
  return [...new Set(found.map(([, name = '']) => name))];
}

const templateSchema = z.object({ Resources: z.record(z.string(), z.unknown()) });

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
  'a million': 1_000_000,
};

/** The number that a text stands for, `NaN` for any other text. */
function numberOf(text: string): number {
  return WORDS[text.toLowerCase()] ?? Number(text.replaceAll(',', ''));
}

/** Gives the value of a constant. @param file its name alone; the folder may change */
function constant(file: string, name: string, unit = 1): () => number {
  return () => valueOf(file, name) / unit;
}

/**
 * The value of a constant, which need not be exported: a number, or a product of numbers and of constants beside it.
 *
 * @throws {Error} when there is no such constant
 */
function valueOf(file: string, name: string): number {
  const source = globSync(`{functions,lib,soak,bench}/**/${file}`, { cwd: ROOT }).map(textOf).join('\n');
  const value = new RegExp(`const ${name}(?:: \\w+)? = ([\\w *]+);`).exec(source)?.[1];
  if (value === undefined) throw new Error(`there is no constant ${name} in ${file}`);
  return value
    .split(' * ')
    .map((part) => (/^\d/.test(part) ? Number(part.replaceAll('_', '')) : valueOf(file, part)))
    .reduce((product, factor) => product * factor, 1);
}

const SNAPSHOTS = globSync('test/stacks/snapshots/prod/*.json', { cwd: ROOT });

/** How many resources of a type the stacks of `prod` have, by the snapshots of their templates. */
function resources(type: string): () => number {
  return () => SNAPSHOTS.map(textOf).join('').split(`"Type": "${type}"`).length - 1;
}

const alarmSchema = z.object({
  Type: z.literal('AWS::CloudWatch::Alarm'),
  Properties: z.object({
    Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional(),
  }),
});

/** How many metrics the alarms of `prod` are charged for: those that they read, not the expressions over them. */
function alarmMetrics(): number {
  return SNAPSHOTS.map((file) => templateSchema.parse(JSON.parse(textOf(file))))
    .flatMap(({ Resources }) => Object.values(Resources))
    .flatMap((resource) => alarmSchema.safeParse(resource).data ?? [])
    .map(
      ({ Properties: { Metrics } }) =>
        Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
    )
    .reduce((sum, count) => sum + count, 0);
}

/** Every metric of a stage whose settings ask for no further function. */
const metrics = () =>
  metricsOfReadmes().filter((metric) => !/^(announce|prove|unsubscribe) /.test(metric)).length;

/** Milliseconds. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KIB = 1_024;

const longestBackfill = constant('plan-event.ts', 'LONGEST_BACKFILL');
const historyDays = constant('history.ts', 'MOST_DAYS');
const longestWindow = constant('tick-store.ts', 'LONGEST_WINDOW', HOUR);
const inlineItems = constant('plan-result.ts', 'MOST_INLINE');
const inlineSize = constant('plan-result.ts', 'LARGEST_INLINE', KIB);
const differences = constant('create-daily-report.ts', 'MOST_DIFFERENCES');
const messageIds = constant('send-page.ts', 'MOST_MESSAGE_IDS');
const ledgerDays = constant('settle-ledgers.ts', 'RECENT');
const largestAnswer = constant('transport.ts', 'LARGEST_ANSWER', KIB * KIB);
const levels = constant('own-json.ts', 'MOST_LEVELS');
const pulls = constant('page-store.ts', 'MOST_ATTEMPTS');

/** The figures of each document: the words around it, and what it must be. The pattern's first group is the figure, in digits or as a word. */
const SAID: Record<string, [says: RegExp, is: () => number][]> = {
  'docs/scale.md': [
    [/× 0\.30 \+ (\d+) metrics of alarms/, alarmMetrics],
    [/\| CloudWatch: metrics of alarms +\| +(\d+) /, alarmMetrics],
    [/\((\d+) metrics × 0\.30/, metrics],
    [/\| CloudWatch: metrics +\| +(\d+) /, metrics],
    [/\| CloudWatch: dashboards +\| +(\d+) /, resources('AWS::CloudWatch::Dashboard')],
    [/\| KMS: keys +\| +(\d+) /, resources('AWS::KMS::Key')],
  ],
  'docs/interfaces.md': [
    [/^(\w+) schedules call/m, resources('AWS::Scheduler::Schedule')],
    [/figures of the newest (\d+) sealed days/, historyDays],
    [/`differences`: .*?, (a hundred) at most/, differences],
    [/`messageIds` \((\d+) at most\)/, messageIds],
    [/its last day, (\d+) days at most/, longestBackfill],
    [/up to (\d+) of them and 128 KiB/, inlineItems],
    [/of them and (\d+) KiB/, inlineSize],
    [/cannot be used, (\d+) and 64 KiB at most/, constant('plan-result.ts', 'MOST_REJECTED')],
  ],
  'docs/operations.md': [
    [/lists more than ([\d,]+) ids/, constant('watch-list.ts', 'MOST_IDS')],
    [/an answer is larger than (\d+) MiB/, largestAnswer],
    [/them, (\d+) days at the most/, longestBackfill],
  ],
  'docs/adr/0003-mail-ledger-with-a-lease.md': [[/the newest (\d+) days/, historyDays]],
  'docs/adr/0004-ticks-and-the-fleet.md': [[/window is used, (\d+) hours/, longestWindow]],
  'docs/registry.md': [
    [/nest deeper than (\d+) levels/, levels],
    [/hold more than ([\d,]+) values/, constant('registry.ts', 'MOST_VALUES')],
    [/\(a secret: ([\d,]+)\)/, constant('credentials.ts', 'MOST_VALUES')],
    [/each in a separate message; (\d+) at the most/, constant('registry-schema.ts', 'MOST_RECIPIENTS')],
  ],
  'docs/queues.md': [
    [/stays in the dead-letter queue for (\d+) days/, constant('work-queue.ts', 'KEPT_DAYS')],
    [/after about (\d+) minutes, then/, constant('coming-back.ts', 'FIRST_WAIT', 60)],
    [/then after about (\d+)/, constant('coming-back.ts', 'LATER_WAIT', 60)],
    [/checks (\w+) of its ten merchants/, constant('create-alert-check.ts', 'CHECKS_AT_ONCE')],
  ],
  'docs/mails.md': [
    [/and up to (\w+) changed rows/, constant('changed-rows.ts', 'MOST_LISTED')],
    [/or are more than (a million), it has/, constant('changed-rows.ts', 'MOST_COMPARED_ROWS')],
    [/At most ([\d,]+) paid invoices/, constant('paid-twice.ts', 'MOST_KEPT')],
    [/\*\*the last (\d+) days\*\*/, constant('trend.ts', 'TREND_DAYS')],
  ],
  'docs/reliability.md': [
    [/One invocation pulls (\w+) times at most/, pulls],
    [/nests at most (\d+) levels/, levels],
  ],
  'SECURITY.md': [[/Backfills are of (\d+) days at most/, longestBackfill]],
  'functions/plan/README.md': [
    [/every day of the range, (\d+) at most/, longestBackfill],
    [/is made up for, (\d+) hours back/, longestWindow],
    [/looks after its own (\w+) minutes/, constant('tick-store.ts', 'TICK_INTERVAL', MINUTE)],
  ],
  'functions/page/daily-report/README.md': [[/holds still, (\w+) times at most/, pulls]],
  'functions/watch/delivery-watch/README.md': [
    [/in the last (\w+), the watched/, constant('expected-pages.ts', 'DAYS_REMEMBERED')],
  ],
  'functions/watch/sweep/README.md': [
    [/the ledgers of the last (\d+) days/, ledgerDays],
    [/of the last (\d+) days one each hour/, constant('remove-orphans.ts', 'RECENT')],
  ],
};

const FIGURES = Object.entries(SAID).flatMap(([document, figures]) =>
  figures.map(([says, is]) => ({ document, says, is })),
);

/** Things of the repository that can be counted: a figure before one of these words must be in {@link FIGURES}. */
const COUNTED = [
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

/** The figure that a document gives, `undefined` where the sentence is not there. */
function figureIn(document: string, says: RegExp): number | undefined {
  const text = textOf(document).replaceAll(/(?<!\|)\n(?!\n|\|)/g, ' ');
  const found = says.exec(text)?.[1] ?? says.exec(textOf(document))?.[1];
  return found === undefined ? undefined : numberOf(found);
}

describe('a figure in a document is what the repository has:', () => {
  it.each(FIGURES)('$document, $says', ({ document, says, is }) => {
    expect(figureIn(document, says)).toBe(is());
  });

  it('about, in README.md, of the files of tests', () => {
    const files = globSync('test/**/*.test.ts', { cwd: ROOT, exclude: patternsOf(DEEP) }).length;
    const figure = figureIn('README.md', /files and tests, about ([\d,]+) and [\d,]+,/) ?? 0;
    expect(figure).toBeGreaterThan(files * 0.9);
    expect(figure).toBeLessThan(files * 1.1);
  });

  it.each(DOCUMENTS)('%s has no figure about the repository that no test counts', (document) => {
    const counted = new RegExp(`\\b\\d+ (?:${COUNTED.join('|')})\\b`, 'g');
    const own = FIGURES.filter((figure) => figure.document === document);
    const strange = textOf(document)
      .split('\n')
      .filter((line) => counted.test(line) && !own.some(({ says }) => says.test(line)));
    expect(strange).toEqual([]);
  });
});

it('the metrics of the functions are the same in the READMEs and in the code', () => {
  const named = new Set(metricsOfReadmes().map((metric) => metric.replace(/^.* /, '')));
  expect([...named].sort()).toEqual(metricsOfTheCode().sort());
});
