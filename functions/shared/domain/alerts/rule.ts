import * as z from 'zod';
import type { Thousandths } from '../money/money.ts';
import type { Rejection } from '../registry/merchants.ts';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';
import type { Severity, Side } from './alert-state.ts';
import type { BehindOf, Unit, ValueOf } from './measure.ts';
import { MEASURES } from './measures/index.ts';
import type { Need } from './readings.ts';
import { RULE_BODIES, ruleHeadSchema, ruleMembers } from './rule-members.ts';

/**
 * A rule of `alert-check` that was read and checked. Bounds are in thousandths of the unit, times in
 * milliseconds.
 */
export interface Rule {
  name: string;
  /** The measure's name. */
  measure: string;
  unit: Unit;
  needs: readonly Need[];
  /** Whether its measure is a figure of one day, which starts again at midnight. */
  ofDay: boolean;
  /** How many days before today sealed days are read for it. 0: none. */
  sealedDaysBack: number;
  side: Side;
  /** A value beyond it is out of bounds. The bound itself is not. */
  bound: Thousandths;
  /**
   * A value here or further on the good side ends a firing. It is the bound itself unless the rule says
   * otherwise.
   */
  clearAt: Thousandths;
  /** Checks in a row that must be out of bounds. */
  forChecks: number;
  /** Milliseconds after which a mail repeats that it fires, `null` for never. */
  repeatAfter: number | null;
  /** No mail is sent about it until this time (milliseconds UTC). `null` when it is not muted. */
  muteUntil: number | null;
  severity: Severity;
  /**
   * `HH:MM` of the merchant's clock. Before it, the day's figure is not looked at unless the day is sealed.
   */
  notBefore: string | null;
  /** In thousandths of the unit, `null` when it is unknown. */
  value: ValueOf;
  /** The invoices or refunds that a mail names. Empty when the measure has none. */
  behind: BehindOf;
  /** How many days ahead the measure looks, `null` when it does not. */
  days: number | null;
  /** The merchant's own words for mails. */
  title: string | null;
  note: string | null;
}

/** The rules of a merchant, and what is wrong with them. */
export interface ReadRules {
  /** Every usable rule, in the registry's order. */
  rules: Rule[];
  /** Rules that are left out, with the reason. */
  rejected: Rejection[];
  /** Paths of members of rules that this version does not know. They are reported and cause no failure. */
  unknownMembers: string[];
}

const claimSchema = z.lazy(() => z.object({ name: z.string() }));

/** The name in a rule, whatever else is wrong with the rule. */
function nameInRule(given: unknown): string | undefined {
  return claimSchema.safeParse(given).data?.name;
}

/** A rule that was read, or the first fault by its path within the rule. */
type RuleOrFault = { rule: Rule; fault?: never } | { rule?: never; fault: Rejection };

function readRule(given: unknown): RuleOrFault {
  const head = ruleHeadSchema.safeParse(given);
  if (!head.success) return { fault: firstIssue(head.error) };
  const { name, measure } = head.data;
  const body = RULE_BODIES[measure.unit].safeParse(given);
  if (!body.success) return { fault: firstIssue(body.error) };
  const { above, below, clearAt, forChecks, repeatAfter, muteUntil, severity, notBefore, title, note } =
    body.data;
  const parameters = measure.parameters.safeParse(given);
  if (!parameters.success) return { fault: firstIssue(parameters.error) };
  if (notBefore !== undefined && !measure.ofDay) {
    return { fault: { path: 'notBefore', reason: 'is for measures of one day only' } };
  }
  const bound = above ?? below ?? 0n;
  return {
    rule: {
      name,
      measure: measure.name,
      unit: measure.unit,
      needs: measure.needs,
      ofDay: measure.ofDay,
      sealedDaysBack: parameters.data.sealedDaysBack,
      side: above === undefined ? 'below' : 'above',
      bound,
      clearAt: clearAt ?? bound,
      forChecks,
      repeatAfter: repeatAfter ?? null,
      muteUntil: muteUntil ?? null,
      severity,
      notBefore: notBefore ?? null,
      value: parameters.data.value,
      behind: parameters.data.behind,
      days: parameters.data.days,
      title: title ?? null,
      note: note ?? null,
    },
  };
}

/** Names of members that neither every rule nor the rule's measure has. */
function unknownNames(given: unknown, measure: string): string[] {
  const own = MEASURES.find(({ name }) => name === measure)?.parameterNames ?? [];
  const members = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  return members.filter((member) => !ruleMembers().includes(member) && !own.includes(member));
}

/**
 * Reads the `alerts` of a merchant's settings, one by one. The second rule with the same name is left out,
 * whether the first one is usable or not. Otherwise it would take over the first one's state whenever that
 * one is mistyped.
 *
 * @param at the place of the list, for paths such as `alerts[1].above`
 */
export function readRules(alerts: readonly unknown[], at: readonly PropertyKey[] = ['alerts']): ReadRules {
  const read: ReadRules = { rules: [], rejected: [], unknownMembers: [] };
  const names = new Set<string>();
  for (const [index, given] of alerts.entries()) {
    const path = fieldPath([...at, index]);
    const { rule, fault } = readRule(given);
    const name = nameInRule(given);
    if (fault !== undefined) {
      read.rejected.push({
        path: fault.path === '(root)' ? path : `${path}.${fault.path}`,
        reason: fault.reason,
      });
    } else if (names.has(rule.name)) {
      read.rejected.push({ path: `${path}.name`, reason: 'is the name of a rule before it' });
    } else {
      read.rules.push(rule);
      // One by one: a call with some hundred thousand arguments overflows the stack.
      for (const member of unknownNames(given, rule.measure)) read.unknownMembers.push(`${path}.${member}`);
    }
    if (name !== undefined) names.add(name);
  }
  return read;
}
