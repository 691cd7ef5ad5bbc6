import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '#support/faults/random-faults.ts';
import { FaultyService } from '#support/faults/faulty-service.ts';

/** For a longer run: `FAULT_SEEDS=a,b,c FAULT_RUNS=500`. The same seed gives the same faults. */
const SEEDS = (process.env['FAULT_SEEDS'] ?? 'daybook,ledger').split(',');
const RUNS = Number(process.env['FAULT_RUNS'] ?? 24);

let service: FaultyService;
beforeAll(async () => {
  service = await FaultyService.start();
});
afterAll(() => service.close());

describe.each(SEEDS)('faults in combination, seed %s', (seed) => {
  const outcomes: string[] = [];

  it.each(Array.from({ length: RUNS }, (_, index) => index))(
    'give an honest and bounded result in run %i',
    async (run) => {
      const scenario = faultsOf(service, `${seed} ${run}`);
      const outcome = await service.pull(scenario.options);
      const became = await service.expectHonest(outcome).catch((cause: unknown) => {
        throw new Error(`after ${scenario.words.join(', ')}`, { cause });
      });
      if (scenario.lies) expect(became).not.toBe('balanced');
      service.expectBounded(outcome, scenario.struck());
      outcomes.push(became);
    },
  );

  it('end in a balanced day in more than a third of the runs', () => {
    const balanced = outcomes.filter((became) => became === 'balanced');
    expect(outcomes).toHaveLength(RUNS);
    expect(balanced.length).toBeGreaterThan(RUNS / 3);
  });
});
