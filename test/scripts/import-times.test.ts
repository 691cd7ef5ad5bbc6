import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildError } from '#scripts/bundle.ts';
import { assertWithinTime, importTimes, type ImportTime } from '#scripts/import-times.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

let times: Map<string, ImportTime>;
beforeAll(async () => {
  const folder = newDirectory();
  const bundles = {
    // Ten times the time of the SDK's clients on a current machine, however busy it is.
    slow: 'while (process.cpuUsage().user < 500_000) for (let i = 0; i < 1e6; i += 1);',
    quick: 'export const handler = 1;',
    // The environment of this process must not reach the bundle.
    closed: "if (process.env.PATH !== undefined) throw new Error('sees the environment');",
  };
  const files = Object.entries(bundles).map(async ([name, code]) => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, code);
    return { name, file };
  });
  times = await importTimes(await Promise.all(files), [3, 5]);
}, 120_000);

test('is measured for each bundle, as a multiple of the time of the SDK alone', () => {
  expect([...times.keys()].sort()).toEqual(['closed', 'quick', 'slow']);
  expect(defined(times.get('slow')).milliseconds).toBeGreaterThan(300);
  expect(defined(times.get('slow')).ratio).toBeGreaterThan(2);
  expect(defined(times.get('quick')).ratio).toBeLessThan(1);
});

test('fails the build when it is too long, in a line that names the bundle and the times, and not before', () => {
  expect(() => assertWithinTime(times)).toThrow(BuildError);
  expect(() => assertWithinTime(times)).toThrow(
    /^importing slow takes \d+\.\d\d times as long as the SDK's three clients, and must take under 2 \(scripts\/import-times\.ts\)$/,
  );
  const short = new Map([...times].filter(([name]) => name !== 'slow'));
  expect(() => assertWithinTime(short)).not.toThrow();
});
