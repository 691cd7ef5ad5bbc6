import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfAnswer, faultsOfRemains } from '#bench/fleet/check-report.ts';
import { fleetSizes } from '#bench/fleet/sizes.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { runScript } from '#support/run-script.ts';
import * as z from 'zod';

const number = z.number();
/** The part of `--json` that is read here. */
const resultsSchema = z.object({
  fleet: z.object({
    days: z.array(
      z.object({
        invoices: number,
        refunds: number,
        requests: z.looseObject({ invoices: number }),
        aws: z.record(z.string(), z.unknown()),
        cpu: number,
        bytes: number,
      }),
    ),
    again: z.array(z.unknown()),
  }),
  comparisons: z.array(z.unknown()),
  largeDays: z.array(z.object({ invoices: number, perPage: number })),
});

const COMMAND = join(import.meta.dirname, '../../../bench/fleet/run.ts');
const LONGEST_RUN = 5 * 60_000;
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-fleet-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

const run = (...args: string[]) => runScript(COMMAND, args);

describe('npm run bench:fleet', () => {
  it(
    'reports every merchant of a small fleet once, and can print its figures again',
    { timeout: LONGEST_RUN },
    async () => {
      const file = join(directory, 'figures.json');
      const args = ['--merchants', '5', '--large', '600', '--latency', '5', '--workers', '2', '--json', file];
      const { code, out, complaints } = await run(...args);
      expect({ code, complaints }).toEqual({
        code: 0,
        complaints: textWith('sealed, balanced'),
      });

      const { fleet, comparisons, largeDays } = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      const sizes = fleetSizes(5, 'daybook');
      expect(fleet.days.map(({ invoices, refunds }) => ({ invoices, refunds }))).toEqual(sizes);
      for (const { invoices, refunds, requests, aws, cpu, bytes } of fleet.days) {
        expect(requests).toMatchObject({ login: 1, refundList: 1, refunds });
        expect(requests.invoices).toBeGreaterThanOrEqual(Math.max(4, invoices / 15));
        // A report of a merchant without a history lists seventy times more.
        expect(aws).toMatchObject({ mail: 1, notice: 0, s3List: 2 });
        expect([cpu, bytes]).toEqual([
          expect.toSatisfy((n: number) => n > 0),
          expect.toSatisfy((n: number) => n > 0),
        ]);
      }
      expect(fleet.again).toHaveLength(5);
      expect(comparisons).toHaveLength(4);
      expect(largeDays.map(({ invoices, perPage }) => [invoices, perPage])).toEqual([
        [600, 15],
        [300, 15],
        [300, 100],
      ]);
      expect(out).toMatch(/A day of the fleet[\s\S]*What a day costs[\s\S]*Invoices a day in 15 minutes/);

      const again = await run('--from', file, '--markdown');
      expect(again).toMatchObject({ code: 0, complaints: '' });
      expect(again.out).toMatch(/^\*\*A day of the fleet\*\*\n\n\| merchants /);
    },
  );

  it('prints its options, and refuses an unknown option or a wrong value', async () => {
    expect((await run('--help')).out).toMatch(/--merchants <n>[\s\S]*Exit status/);
    expect(await run('--merchants', '0')).toEqual({
      code: 2,
      out: '',
      complaints: 'bench:fleet: --merchants must be a whole number from 1 to 10000, not "0"\n',
    });
    expect(await run('--merchant', 'x')).toMatchObject({ code: 2, out: '' });
    expect(await run('--from', join(directory, 'none.json'))).toMatchObject({ code: 2, out: '' });
  });
});

describe('the check of a report', () => {
  const size = { invoices: 3, refunds: 1 };
  const answer = {
    revision: 1,
    unchanged: false,
    balanced: true,
    counts: { total: 3 },
    refunds: { count: 1 },
    mail: { status: 'sent' },
  };
  const files = ['invoices', 'refunds'].flatMap((table) =>
    ['json', 'csv'].map((format) => ({ table, format, rows: table === 'invoices' ? 3 : 1, bytes: 10 })),
  );
  const remains = { objects: 8, bytes: 40, mails: 1, manifest: JSON.stringify({ balanced: true, files }) };

  it('finds nothing wrong with a complete report', () => {
    expect(faultsOfAnswer(answer, size, 'first')).toEqual([]);
    expect(faultsOfRemains(remains, size)).toEqual([]);
  });

  it('names what is missing', () => {
    const wrong = { ...answer, balanced: false, counts: { total: 2 }, mail: { status: 'held' } };
    expect(faultsOfAnswer(wrong, size, 'first')).toEqual(['not balanced', '2 of 3 invoices', 'mail held']);
    expect(faultsOfAnswer(answer, size, 'again')).toEqual(['changed', 'mail sent']);
    expect(faultsOfRemains({ ...remains, mails: 2 }, size)).toEqual(['2 mails']);
    expect(faultsOfRemains({ ...remains, manifest: null }, size)).toEqual(['nothing is sealed']);
    expect(faultsOfRemains(remains, { ...size, refunds: 2 })).toEqual([
      '1 refunds in json',
      '1 refunds in csv',
    ]);
  });
});
