import { awsComplaint } from '../stage/aws-complaint.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { CannotLookError, unknown } from './finding.ts';
import type { Check } from './check.ts';
import type { Finding, Verdict } from './finding.ts';
import type { CheckedStage } from './checked-stage.ts';

/** A check and what it found. */
export interface CheckResult {
  check: string;
  lookedAt: string;
  findings: Finding[];
}

/**
 * Makes all checks at the same time. A check that fails hides no other.
 *
 * @param done called after each check, with the count so far
 */
export async function runChecks(
  checked: CheckedStage,
  checks: readonly Check[],
  done: (count: number) => void,
): Promise<CheckResult[]> {
  let count = 0;
  return Promise.all(
    checks.map(async (check) => {
      const findings = await lookAt(checked, check);
      done((count += 1));
      return { check: check.name, lookedAt: check.looksAt(checked), findings };
    }),
  );
}

async function lookAt(checked: CheckedStage, check: Check): Promise<Finding[]> {
  try {
    return await check.look(checked);
  } catch (error) {
    return [unknown(reasonOf(error))];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotLookError || error instanceof CommandError) return error.message;
  return awsComplaint(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/** How many findings there are of each verdict. */
export function countsOf(results: readonly CheckResult[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { wrong: 0, warning: 0, unknown: 0, fine: 0 };
  for (const { verdict } of results.flatMap(({ findings }) => findings)) counts[verdict] += 1;
  return counts;
}
