import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest on a quiet machine, longest first. */
const SLOWEST = [
  'test/crash/matrix.test.ts',
  'test/bin/local-pairs.test.ts',
  'test/bin/local.test.ts',
  'test/soak/run.test.ts',
  'test/soak/truths/ledger-of-truths.test.ts',
  'test/crash/at-once.test.ts',
  'test/functions/page/daily-report/pull/rotation.test.ts',
];

function place({ moduleId }: TestSpecification): number {
  const index = SLOWEST.findIndex((file) => moduleId.endsWith(file));
  return index < 0 ? SLOWEST.length : index;
}

/**
 * Begins with the slowest files. Vitest begins with the largest where it does not remember how long each took, as on a fresh
 * checkout; then a small file that takes minutes comes late, and all other workers wait for it.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
