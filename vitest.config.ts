import { defineConfig } from 'vitest/config';

const inContinuousIntegration = process.env['CI'] === 'true';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Every file starts servers of its own and sets the SDK's variables, so each has a process to itself.
    pool: 'forks',
    setupFiles: ['test/quiet-functions.ts'],
    slowTestThreshold: 5_000,
    reporters: inContinuousIntegration
      ? ['default', ['json', { outputFile: '.local/test-results.json' }]]
      : ['default'],
  },
});
