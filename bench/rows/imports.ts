import { build } from '#scripts/build.ts';
import { BUDGETS } from '#scripts/bundle-budgets.ts';
import { importTimes } from '#scripts/import-times.ts';
import { milliseconds } from './row.ts';
import type { Row } from './row.ts';

/** The import time of each function, divided by that of a bundle of the three SDK clients. */
export async function imports(): Promise<Row[]> {
  const built = await build();
  const times = await importTimes(built, BUDGETS);
  return built.map(({ name, minified }) => {
    const time = times.get(name) ?? { ratio: Number.NaN, milliseconds: Number.NaN };
    const most = BUDGETS[name]?.importRatio;
    return {
      measured: `import of ${name}, relative to the SDK's three clients`,
      ratio: time.ratio,
      bound: most === undefined ? undefined : { atMost: most },
      detail: `${milliseconds(time.milliseconds)}, ${(minified / 1_000).toFixed(0)} kB`,
    };
  });
}
