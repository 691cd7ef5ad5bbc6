import { defineConfig } from 'vitest/config';
import { DEEP, LAMBDA, NOT_UNIT, TRINO, UNIT, patternsOf, unitFiles } from '#test/projects.ts';
import { SlowestFirst } from '#support/slowest-first.ts';
import { Took } from '#support/took.ts';

/** Where a machine reads the counts, for the commands that name a file. */
const results = process.env['DAYBOOK_TEST_RESULTS'];

export default defineConfig({
  test: {
    globals: true,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // The default leaves a core to an editor: on two cores that is half of the machine.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['test/support/own-environment.ts', 'test/support/files-in-memory.ts'],
    setupFiles: ['test/support/each-file.ts'],
    slowTestThreshold: 5_000,
    reporters: [
      'default',
      new Took(),
      ...(results === undefined ? [] : [['json', { outputFile: results }] satisfies [string, object]]),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: patternsOf(UNIT),
          exclude: NOT_UNIT,
          isolate: false,
          setupFiles: ['test/support/pure-tests.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          isolate: false,
          include: ['test/**/*.test.ts'],
          // The files of UNIT, not its folders: the files of NOT_UNIT are in those folders, and run here.
          exclude: [
            ...unitFiles(import.meta.dirname),
            ...patternsOf(DEEP),
            ...patternsOf([...TRINO, ...LAMBDA]),
          ],
        },
      },
      { extends: true, test: { name: 'deep', include: patternsOf(DEEP) } },
      { extends: true, test: { name: 'lambda', include: patternsOf(LAMBDA) } },
      {
        extends: true,
        test: {
          name: 'trino',
          include: patternsOf(TRINO),
          fileParallelism: false,
          // Each file would load the CDK again.
          isolate: false,
          // A test has up to hundreds of statements, and other checks may run beside it.
          testTimeout: 1_200_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
