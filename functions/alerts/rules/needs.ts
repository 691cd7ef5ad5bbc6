import type { Need } from './readings.ts';
import type { Rule } from './rule.ts';

export interface Needs {
  needs: ReadonlySet<Need>;
  /** Days before today whose sealed pages are read for `expiring`. */
  sealedDaysBack: number;
}

export function needsOf(rules: readonly Rule[]): Needs {
  return {
    needs: new Set(rules.flatMap((rule) => rule.needs)),
    sealedDaysBack: Math.max(0, ...rules.map((rule) => rule.sealedDaysBack)),
  };
}
