import { awsComplaint } from '../stage/aws-complaint.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { CannotLookError, unknown } from './finding.ts';
import type { Check } from './check.ts';
import type { Finding, Verdict } from './finding.ts';
import type { Patient } from './patient.ts';

/** A check and what it found. */
export interface Examined {
  check: string;
  lookedAt: string;
  findings: Finding[];
}

/**
 * Makes all checks at the same time. A check that fails hides no other.
 *
 * @param done called after each check, with the count so far
 */
export async function examine(
  patient: Patient,
  checks: readonly Check[],
  done: (count: number) => void,
): Promise<Examined[]> {
  let count = 0;
  return Promise.all(
    checks.map(async (check) => {
      const findings = await lookAt(patient, check);
      done((count += 1));
      return { check: check.name, lookedAt: check.looksAt(patient), findings };
    }),
  );
}

async function lookAt(patient: Patient, check: Check): Promise<Finding[]> {
  try {
    return await check.look(patient);
  } catch (error) {
    return [unknown(reasonOf(error))];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotLookError || error instanceof CommandError) return error.message;
  return awsComplaint(error) ?? (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/** How many findings there are of each verdict. */
export function countsOf(examined: readonly Examined[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { wrong: 0, warning: 0, unknown: 0, fine: 0 };
  for (const { verdict } of examined.flatMap(({ findings }) => findings)) counts[verdict] += 1;
  return counts;
}
