import type { Need } from './readings.ts';
import type { Rule } from './rule.ts';

/** What a check must read for its rules. */
export interface Needs {
  needs: ReadonlySet<Need>;
  /** How many days before today sealed days are read for `expiring`. 0: none. */
  sealedDaysBack: number;
}

/** What these rules need, and nothing else. */
export function needsOf(rules: readonly Rule[]): Needs {
  return {
    needs: new Set(rules.flatMap((rule) => rule.needs)),
    sealedDaysBack: Math.max(0, ...rules.map((rule) => rule.sealedDaysBack)),
  };
}
