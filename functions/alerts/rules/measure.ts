import * as z from 'zod';
import type { Thousandths } from '#records/money/money.ts';
import type { AlertItem, Unit } from '#mail/ledger/alert-line.ts';
import type { Need, Readings } from './readings.ts';

/** In thousandths of the unit; `null` when it is unknown. */
export type ValueOf = (readings: Readings) => Thousandths | null;

export type BehindOf = (readings: Readings) => readonly AlertItem[];

export interface MeasureOfRule {
  value: ValueOf;
  /** Days before today whose sealed pages are read for it. 0: none. */
  sealedDaysBack: number;
  behind: BehindOf;
  /** Days ahead that it looks; `null` when it does not. */
  days: number | null;
}

export interface Measure {
  name: string;
  unit: Unit;
  needs: readonly Need[];
  /** Of one day, starting again at midnight. */
  ofDay: boolean;
  /** Of the members of a rule that only this measure has. */
  parameterNames: readonly string[];
  /** Reads those members of a rule. */
  parameters: z.ZodType<MeasureOfRule>;
}

interface MeasureDefinition<Parameters extends z.ZodObject> {
  name: string;
  unit: Unit;
  needs: readonly Need[];
  ofDay: boolean;
  parameters: () => Parameters;
  value: (readings: Readings, parameters: z.infer<Parameters>) => Thousandths | null;
  sealedDaysBack?: (parameters: z.infer<Parameters>) => number;
  behind?: (readings: Readings, parameters: z.infer<Parameters>) => readonly AlertItem[];
  days?: (parameters: z.infer<Parameters>) => number;
}

export const NO_PARAMETERS = () => z.object({});

/** Makes a measure. A new one needs an entry in `measures/index.ts`. */
export function measureOf<Parameters extends z.ZodObject>(
  definition: MeasureDefinition<Parameters>,
): Measure {
  const { name, unit, needs, ofDay, parameters, value, sealedDaysBack, behind, days } = definition;
  let names: readonly string[] | undefined;
  return {
    name,
    unit,
    needs,
    ofDay,
    get parameterNames() {
      return (names ??= Object.keys(parameters().shape));
    },
    parameters: z.lazy(() =>
      parameters().transform((given) => ({
        value: (readings: Readings) => value(readings, given),
        sealedDaysBack: sealedDaysBack?.(given) ?? 0,
        behind: (readings: Readings) => behind?.(readings, given) ?? [],
        days: days?.(given) ?? null,
      })),
    ),
  };
}

/** In thousandths; `null` when it is unknown. */
export function thousandthsOf(count: number | null | undefined): Thousandths | null {
  return count === null || count === undefined ? null : BigInt(count) * 1_000n;
}

/**
 * A share in thousandths of a percent, rounded half up. `null` when a part is unknown or the whole is zero.
 */
export function shareOf(
  part: Thousandths | null | undefined,
  whole: Thousandths | null | undefined,
): Thousandths | null {
  if (part === null || part === undefined || whole === null || whole === undefined) return null;
  if (whole <= 0n) return null;
  const doubled = part * 200_000n + whole;
  const share = doubled / (whole * 2n);
  // BigInt division cuts towards zero, so a negative share would be rounded up twice.
  return doubled < 0n && doubled % (whole * 2n) !== 0n ? share - 1n : share;
}
