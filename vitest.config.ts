import { defineConfig } from 'vitest/config';

const inContinuousIntegration = process.env['CI'] === 'true';
/** Where a machine reads the counts; a run besides the main one names a file of its own. */
const results = process.env['DAYBOOK_TEST_RESULTS'] ?? '.local/test-results.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Every file starts servers of its own and sets the SDK's variables, so each has a process to itself.
    pool: 'forks',
    setupFiles: ['test/quiet-functions.ts'],
    slowTestThreshold: 5_000,
    reporters: inContinuousIntegration ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
