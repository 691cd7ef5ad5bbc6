import type { Thousandths } from '../money.ts';
import type { Rejection } from '../registry.ts';
import type { Severity, Side } from './alert-state.ts';
import type { Unit, ValueOf } from './measure.ts';
import type { Need } from './readings.ts';

/** A rule of `alert-check`, read and checked. Bounds are in thousandths of the unit, times in milliseconds. */
export interface Rule {
  name: string;
  /** The measure's name. */
  measure: string;
  unit: Unit;
  needs: readonly Need[];
  /** Whether its measure is a figure of one day, which begins anew at midnight. */
  ofDay: boolean;
  /** How many days before today sealed days are read for it; 0 where none are. */
  sealedDaysBack: number;
  side: Side;
  /** A value beyond it is out of bounds; the bound itself is not. */
  bound: Thousandths;
  /** A value here or further on the good side ends a firing; the bound itself unless the rule says otherwise. */
  clearAt: Thousandths;
  /** Checks in a row that must be out of bounds. */
  forChecks: number;
  /** After how many milliseconds it is said again that it fires, `null` for never. */
  repeatAfter: number | null;
  /** Milliseconds UTC until which no mail tells of it, `null` where it is not muted. */
  muteUntil: number | null;
  severity: Severity;
  /** `HH:MM` of the merchant's clock, before which the day's figure is not looked at unless the day is sealed. */
  notBefore: string | null;
  /** In thousandths of the unit, `null` when it cannot be known. */
  value: ValueOf;
}

export interface ReadRules {
  /** Every usable rule, in the registry's order. */
  rules: Rule[];
  /** Rules that are left out, by what is wrong with them. */
  rejected: Rejection[];
  /** Members of rules that this version does not know, by their paths: reported, not fatal. */
  unknownMembers: string[];
}

/**
 * Reads the `alerts` of a merchant's settings, one by one.
 *
 * @param at where they stand, for the paths: `alerts[1].above`
 */
export function readRules(alerts: readonly unknown[], at: readonly PropertyKey[] = ['alerts']): ReadRules {
  throw new Error(`to be written: ${alerts.length} ${at.length}`);
}
