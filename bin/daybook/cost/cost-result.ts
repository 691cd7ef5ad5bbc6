import type { CostLine } from './model/cost.ts';
import type { StageUse } from './model/stage-bill.ts';
import type { SealedSizes } from './sealed-sizes.ts';
import type { StageStatements } from './stage-statements.ts';

/** What a stage costs, and from what it was computed. */
export interface CostResult {
  stage: string;
  lines: CostLine[];
  dollarsADay: number;
  dollarsAMonth: number;
  prices: { asOf: string; region: string };
  use: StageUse;
  /** `null`: the registry asks for none. */
  statements: Pick<StageStatements, 'counts' | 'parts'> | null;
  /** The sealed day that the sizes are from, `null` when none is sealed. */
  sizes: SealedSizes | null;
  /** What is not known, and the usual value that is used instead. A sentence each. */
  assumed: string[];
}
