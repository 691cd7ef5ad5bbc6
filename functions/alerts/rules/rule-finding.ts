import { formatAmount } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { RulePlace, RuleState } from './alert-state.ts';
import type { AlertLine, Severity, Side, Unit } from '#records/ledger/alert-line.ts';
import type { Rule } from './rule.ts';

/** Why a check says nothing about a rule in a mail. */
type Silence =
  | 'waits'
  | 'no data'
  | 'muted'
  /** It is out of bounds, but not for enough checks in a row. */
  | 'pending'
  /** It fires, and recipients know. */
  | 'known'
  | 'in bounds';

export interface RuleFinding {
  rule: string;
  measure: string;
  unit: Unit;
  severity: Severity;
  /** `null`: unknown, or not looked at yet. */
  value: string | null;
  bound: { side: Side; at: string };
  /** A value here or further on the good side ends a firing. */
  clearAt: string;
  from: RulePlace;
  to: RulePlace;
  /** Checks in a row out of bounds, this one included. */
  checks: number;
  forChecks: number;
  /** ISO 8601 in UTC; `null` where it does not apply. */
  firingSince: string | null;
  noDataSince: string | null;
  /** `null` when the rule is not muted now. */
  mutedUntil: string | null;
  /** `HH:MM` in the merchant's zone. */
  notBefore: string | null;
  announcedAt: string | null;
  repeatsAt: string | null;
  /** What the mail would say about it: nothing, one line, or two. */
  says: AlertLine['says'][];
  silence: Silence | null;
}

interface CheckedRuleState {
  from: RulePlace;
  state: RuleState;
  value: Thousandths | null;
  isDue: boolean;
  isMuted: boolean;
  lines: readonly AlertLine[];
}

function silenceOf({ state, value, isDue, isMuted, lines }: CheckedRuleState): Silence | null {
  if (lines.length > 0) return null;
  if (!isDue) return 'waits';
  if (value === null) return 'no data';
  if (state.place === 'ok' && state.cameBack === null) return 'in bounds';
  if (isMuted) return 'muted';
  return state.place === 'pending' ? 'pending' : 'known';
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

export function findingOf(rule: Rule, checked: CheckedRuleState): RuleFinding {
  const { from, state, value, isMuted, lines } = checked;
  const { announced } = state;
  const repeatsAt =
    announced === null || rule.repeatAfter === null ? null : Date.parse(announced.at) + rule.repeatAfter;
  return {
    rule: rule.name,
    measure: rule.measure,
    unit: rule.unit,
    severity: rule.severity,
    value: value === null ? null : formatAmount(value),
    bound: { side: rule.side, at: formatAmount(rule.bound) },
    clearAt: formatAmount(rule.clearAt),
    from,
    to: state.place,
    checks: state.checks,
    forChecks: rule.forChecks,
    firingSince: state.firingSince,
    noDataSince: state.noDataSince,
    mutedUntil: isMuted ? timeOrNull(rule.muteUntil) : null,
    notBefore: rule.notBefore,
    announcedAt: announced?.at ?? null,
    repeatsAt: timeOrNull(repeatsAt),
    says: lines.map(({ says }) => says),
    silence: silenceOf(checked),
  };
}
