import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const execute = promisify(execFile);
/** The Node of the tests, and others that the machine has. */
const NODES = [
  process.execPath,
  ...[process.env['OLD_NODE'] ?? '', '/usr/bin/node', '/usr/local/bin/node'].filter(existsSync),
];

it('every version of Node on this machine writes the same dates, periods, amounts and counts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'formatters-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const outfile = join(directory, 'index.mjs');
  await build({
    stdin: {
      resolveDir: join(import.meta.dirname, '../../../..'),
      loader: 'ts',
      contents: `
        import * as dates from '#mail/formatters/day-formatter.ts';
        import { daysOf, monthOf, periodDays, weekOf } from '#records/period/period.ts';
        import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
        import { textsIn } from '#mail/texts/texts.ts';
        for (const texts of [textsIn('en'), textsIn('ar')]) {
          for (let at = Date.UTC(2026, 0, 1, 22, 5); at < Date.UTC(2027, 0, 1); at += 86_400_000) {
            const [day, instant] = [new Date(at).toISOString().slice(0, 10), new Date(at).toISOString()];
            for (const write of ['longDay', 'dayLine', 'shortDay', 'dayOfTrend', 'weekday', 'dayAndMonth', 'monthAndYear'])
              console.log(dates[write](day, texts));
            for (const zone of ['Asia/Kuwait', 'Africa/Nairobi', 'UTC']) console.log(dates.moment(instant, zone, texts));
          }
          for (let at = Date.UTC(2025, 11, 1); at < Date.UTC(2027, 0, 31); at += 7 * 86_400_000) {
            const day = new Date(at).toISOString().slice(0, 10);
            for (const period of [weekOf(day, 'sunday'), weekOf(day, 'monday'), monthOf(day)]) {
              for (const weekStart of ['sunday', 'monday']) {
                const named = { period, ...periodDays(period, weekStart) };
                const days = daysOf(named);
                for (const form of ['long', 'short', 'bare']) console.log(dates.rangeOfDays(named.from, named.to, texts, form));
                console.log(dates.periodLine(named, texts), dates.periodName(named, texts));
                for (const mailed of [day, '2027-02-01']) console.log(dates.periodInSubject(named, mailed, texts));
                for (const length of [1, 2, days.length]) console.log(dates.listedDays(days.slice(0, length), texts));
              }
            }
          }
          for (const currency of ['KWD', 'USD', 'JPY', 'EUR', 'XYZ']) {
            const figures = new FigureFormatter(texts, currency, { list: 5, rows: 5, text: 50 });
            for (const amount of ['0.000', '-1234567.500', '12.505']) console.log(figures.amount(amount, true));
            console.log(figures.count(-1234567), figures.percent('70.3'), figures.countDifference(-35n));
          }
        }`,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  const outputs = await Promise.all(
    NODES.map(async (node) => (await execute(node, [outfile], { maxBuffer: 2 ** 24 })).stdout),
  );
  expect(outputs[0]).toContain('Kuwait\u00A0time');
  expect(outputs[0]).toContain('2026-W47');
  for (const output of outputs) expect(output).toBe(outputs[0]);
}, 60_000);
