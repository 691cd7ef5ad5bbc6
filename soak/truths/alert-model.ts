import type { SoakRule } from '../merchants.ts';

/** The state of a rule by the service's own figures. */
interface Standing {
  place: 'ok' | 'pending' | 'firing';
  checks: number;
  /** Whether its recipients were told that it fires. */
  isTold: boolean;
}

/** The result of a tick: each rule's state, and whether there is something to mail. */
export interface Expected {
  places: Record<string, Standing['place']>;
  tells: boolean;
}

/** A merchant's rules, by `docs/alerts.md`: on figures of the day, above a bound, never muted, mailed once. */
export class AlertModel {
  readonly #rules: readonly SoakRule[];
  readonly #standings = new Map<string, Standing>();
  #day: string | undefined;

  constructor(rules: readonly SoakRule[]) {
    this.#rules = rules;
  }

  /** Changes every rule by a check that counted. @param valueOf the figure; `null` when it could not be known */
  count(day: string, valueOf: (rule: SoakRule) => number | null): Expected {
    if (day !== this.#day) this.#standings.clear();
    this.#day = day;
    let tells = false;
    for (const rule of this.#rules) {
      const before = this.#standings.get(rule.name) ?? { place: 'ok', checks: 0, isTold: false };
      const value = valueOf(rule);
      const after = value === null ? before : moved(rule, before, value);
      tells ||= after.isTold !== before.isTold;
      this.#standings.set(rule.name, after);
    }
    const places = [...this.#standings].map(([name, { place }]) => [name, place] as const);
    return { places: Object.fromEntries(places), tells };
  }
}

function moved({ above, clearAt, forChecks }: SoakRule, before: Standing, value: number): Standing {
  if (before.place === 'firing') {
    return value <= clearAt ? { place: 'ok', checks: 0, isTold: false } : before;
  }
  if (value <= above) return { place: 'ok', checks: 0, isTold: false };
  const checks = before.checks + 1;
  const fires = checks >= forChecks;
  return { place: fires ? 'firing' : 'pending', checks, isTold: fires };
}
