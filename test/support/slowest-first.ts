import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest on a quiet machine, longest first. */
const SLOWEST = [
  'test/crash/matrix.test.ts',
  'test/fuzz/stored-figures.test.ts',
  'test/browser/mails.test.ts',
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

/** On a fresh checkout, Vitest begins with the largest files: a small one that takes minutes would come last. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
