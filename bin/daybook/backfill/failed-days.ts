import * as z from 'zod';
import type { PlanItem } from '#domain/plan/plan-item.ts';

/** A child of a round that failed, as its results have it. */
export interface FailedChild {
  Input: PlanItem;
  /** The name of its first error. */
  Error: string;
  /** Such as `2 of 4 failed: ["2026-11-20: LoginRefusedError", …]`. Any text when Step Functions ended the child. */
  Cause: string;
}

/** A day that could not be reported. */
export interface FailedDay {
  merchantCode: string;
  day: string;
  /** The name of the error. */
  error: string;
}

const DAY_AND_ERROR = /^(\d{4}-\d\d-\d\d): (.+)$/s;
const failuresSchema = z.array(z.string().regex(DAY_AND_ERROR)).min(1);

function failuresIn(cause: string): [day: string, error: string][] {
  const list = /^\d+ of \d+ failed: (\[.*\])$/s.exec(cause)?.[1];
  if (list === undefined) return [];
  try {
    return failuresSchema.parse(JSON.parse(list)).map((text) => {
      const [, day = '', error = ''] = DAY_AND_ERROR.exec(text) ?? [];
      return [day, error];
    });
  } catch {
    return [];
  }
}

/** The days of a child that failed, each with its error. All of its days where the cause does not name them. */
export function failedDays({ Input: { merchantCode, days }, Error: error, Cause }: FailedChild): FailedDay[] {
  const named = failuresIn(Cause);
  if (named.length === 0) return days.map((day) => ({ merchantCode, day, error }));
  return named.map(([day, name]) => ({ merchantCode, day, error: name }));
}
