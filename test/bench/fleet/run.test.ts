import { join } from 'node:path';
import { faultsOfRemains } from '#bench/fleet/run-fleet.ts';
import { fleetSizes } from '#bench/fleet/sizes.ts';
import { textWith } from '#support/assertions/index.ts';
import { rowsOf } from '#support/documentation/markdown.ts';
import { runScript } from '#support/run-script.ts';

const COMMAND = join(import.meta.dirname, '../../../bench/fleet/run.ts');
const run = (...args: string[]) => runScript(COMMAND, args);

describe('npm run bench:fleet', () => {
  it('reports every merchant of a small fleet once, and counts its calls', { timeout: 300_000 }, async () => {
    const { code, out, complaints } = await run('--merchants', '5', '--workers', '2');
    expect({ code, complaints }).toEqual({ code: 0, complaints: textWith('sealed, balanced') });
    const counted = new Map(
      rowsOf(out, 'what').map(([what = '', together = '']) => [what, Number(together)]),
    );
    const invoices = fleetSizes(5, 'daybook').reduce((sum, size) => sum + size.invoices, 0);
    expect(counted.get('invoices')).toBe(invoices);
    expect(counted.get('mails')).toBe(5);
    // A report of a merchant without a history lists ninety times more, and one of an older day looks for later ones.
    expect(counted.get('S3: LIST')).toBe(10);
    expect(counted.get('requests to the service')).toBeGreaterThanOrEqual(5 * 6);
    expect(out).toMatch(/CPU of the reports[\s\S]*peak memory of a worker[\s\S]*peak memory of plan/);
  });

  it('refuses a wrong value', async () => {
    expect(await run('--merchants', '0')).toEqual({
      code: 2,
      out: '',
      complaints: 'bench:fleet: --merchants must be a whole number from 1 to 10000, not "0"\n',
    });
  });
});

describe('the check of a report', () => {
  const size = { invoices: 3, refunds: 1 };
  const files = ['invoices', 'refunds'].flatMap((table) =>
    ['json', 'csv'].map((format) => ({ table, format, rows: table === 'invoices' ? 3 : 1 })),
  );
  const remains = {
    mails: 1,
    manifest: JSON.stringify({ revision: 1, balanced: true, files }),
  };

  it('finds nothing wrong with a complete report', () => {
    expect(faultsOfRemains(remains, size)).toEqual([]);
  });

  it('names what is missing', () => {
    expect(faultsOfRemains({ ...remains, mails: 2 }, size)).toEqual(['2 mails']);
    const corrected = JSON.stringify({ revision: 2, balanced: false, files });
    expect(faultsOfRemains({ ...remains, manifest: corrected }, size)).toEqual([
      'revision 2',
      'sealed, but not balanced',
    ]);
    expect(faultsOfRemains({ ...remains, manifest: null }, size)).toEqual(['nothing is sealed']);
    expect(faultsOfRemains(remains, { ...size, refunds: 2 })).toEqual([
      '1 refunds in json',
      '1 refunds in csv',
    ]);
  });
});
