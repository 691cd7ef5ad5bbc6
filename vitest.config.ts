import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

const inContinuousIntegration = process.env['CI'] === 'true';
/** Where a machine reads the counts; a run besides the main one names a file of its own. */
const results = process.env['DAYBOOK_TEST_RESULTS'] ?? '.local/test-results.json';

/**
 * What takes minutes: it builds, starts many processes or a browser, reads with another program, or tries what it can by the
 * thousand. All else is `everyday`, and runs under a shifted date as well (`npm run test:dates`).
 */
const DEEP = [
  'test/bench/fleet.test.ts',
  'test/bin/**',
  'test/browser/**',
  'test/bundle.test.ts',
  'test/crash/**',
  'test/faults/**',
  'test/fuzz/**',
  'test/hostile-shapes/**',
  'test/lake/**',
  'test/scripts/**',
  'test/soak/**',
  'test/stacks/**',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Every file starts servers of its own and sets the SDK's variables, so each has a process to itself.
    pool: 'forks',
    // The default leaves a core to an editor: on two cores that is half of the machine.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
    setupFiles: ['test/quiet-functions.ts'],
    slowTestThreshold: 5_000,
    reporters: inContinuousIntegration ? ['default', ['json', { outputFile: results }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'everyday', include: ['test/**/*.test.ts'], exclude: DEEP } },
      { extends: true, test: { name: 'deep', include: DEEP.map(testsIn) } },
    ],
  },
});

function testsIn(pattern: string): string {
  return pattern.replace(/\*\*$/, '**/*.test.ts');
}
