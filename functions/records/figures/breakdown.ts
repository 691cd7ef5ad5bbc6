import * as z from 'zod';
import { CHARGE_COLUMNS } from './charges.ts';
import { addAmounts, allKnown, parseSum, sealedTypes, sumOfParts } from '../money/money.ts';
import type { Extent } from '../money/money.ts';
import { INVOICE_STATES } from './figure-schemas.ts';
import { ofEachState } from './invoice-state-totals.ts';

export const MOST_NAMED = 20;
const MOST_LISTED = MOST_NAMED + 1;
/** Characters (code points) of a payment method. The service's text may have any length. */
export const LONGEST_METHOD = 60;

export function breakdownSchemaOf(extent: Extent) {
  return z.lazy(() => {
    const { count, amount } = sealedTypes(extent);
    const countAndAmount = z.object({ count, amount });
    const ofType = z.object({
      /** That was asked for; `null` for all beyond {@link MOST_NAMED}. */
      type: z.string().nullable(),
      all: countAndAmount,
      /** `null` when the registry does not name the statuses. */
      states: z.record(z.enum(INVOICE_STATES), countAndAmount).nullable(),
    });
    const ofMethod = countAndAmount.extend({
      /** The service's own text, cut. `null`: it says none, or one beyond the named. */
      method: z.string().nullable(),
    });
    const ofCharge = z.object({
      column: z.enum(CHARGE_COLUMNS),
      /** `null` when a paid invoice has no amount in the column. */
      total: amount.nullable(),
    });
    return z.object({
      byType: z.array(ofType).max(MOST_LISTED),
      /** `null` when nobody knows which invoices are paid. */
      byMethod: z.array(ofMethod).max(MOST_LISTED).nullable(),
      /** `null` likewise. Every column that may be a charge, whatever the registry's `charges`. */
      charges: z.array(ofCharge).nullable(),
    });
  });
}

export const dayBreakdownSchema = breakdownSchemaOf('day');
/** Of a week or month. What loses its name may be the sum of many of each day. */
export const breakdownSchema = breakdownSchemaOf('group');

/**
 * Invoices of a day or period by type, paid ones by method and charge. Only the rows decide it, so it is
 * sealed with them. Types are in the registry's order, methods by name.
 */
export type Breakdown = z.infer<typeof breakdownSchema>;
export type TypeBreakdown = Breakdown['byType'][number];
/** The sum is a decimal string with three fraction digits. */
export type CountAndAmount = TypeBreakdown['all'];
export type MethodBreakdown = NonNullable<Breakdown['byMethod']>[number];
export type ChargeBreakdown = NonNullable<Breakdown['charges']>[number];

type Named = readonly [name: string, size: CountAndAmount];

function largerFirst([name, size]: Named, [otherName, otherSize]: Named): number {
  if (size.count !== otherSize.count) return otherSize.count - size.count;
  const more = parseSum(otherSize.amount) - parseSum(size.amount);
  if (more !== 0n) return more > 0n ? 1 : -1;
  return name < otherName ? -1 : 1;
}

/**
 * Parts with one of the largest names, by count, then amount, then name, in the order of the names' first parts;
 * all others come last.
 */
function byName<Part>(
  parts: readonly Part[],
  nameOf: (part: Part) => string | null,
  sizeOf: (part: Part) => CountAndAmount,
): [name: string | null, parts: Part[]][] {
  const sizes = [...Map.groupBy(parts, nameOf)].flatMap(([name, group]): Named[] =>
    name === null ? [] : [[name, sumOfParts(group.map(sizeOf))]],
  );
  const largest = new Set(
    sizes
      .sort(largerFirst)
      .slice(0, MOST_NAMED)
      .map(([name]) => name),
  );
  const groups = Map.groupBy(parts, (part) => {
    const name = nameOf(part);
    return name !== null && largest.has(name) ? name : null;
  });
  return [...groups].sort(([one], [other]) => Number(one === null) - Number(other === null));
}

function addTypes(parts: readonly TypeBreakdown[]): TypeBreakdown[] {
  const named = byName(
    parts,
    ({ type }) => type,
    ({ all }) => all,
  );
  return named.map(([type, group]) => {
    const states = allKnown(group.map((part) => part.states));
    return {
      type,
      all: sumOfParts(group.map(({ all }) => all)),
      states: states && ofEachState((state) => sumOfParts(states.map((each) => each[state]))),
    };
  });
}

function byCodeUnit({ method }: MethodBreakdown, other: MethodBreakdown): number {
  if (method === other.method) return 0;
  if (method === null || other.method === null) return method === null ? 1 : -1;
  return method < other.method ? -1 : 1;
}

function addMethods(parts: readonly MethodBreakdown[]): MethodBreakdown[] {
  const named = byName(
    parts,
    ({ method }) => method,
    (part) => part,
  );
  return named.map(([method, group]) => ({ method, ...sumOfParts(group) })).sort(byCodeUnit);
}

/** A column that one of the lists lacks is not known. */
function addCharges(lists: readonly (readonly ChargeBreakdown[])[]): ChargeBreakdown[] {
  return CHARGE_COLUMNS.map((column) => {
    const totals = allKnown(lists.map((list) => list.find((each) => each.column === column)?.total ?? null));
    return { column, total: totals && addAmounts(totals) };
  });
}

/**
 * The exact sum of breakdowns; `null` in one is `null` in the sum. Types keep their first order, methods are
 * sorted; beyond {@link MOST_NAMED} the smallest lose their names. An empty list is no invoices.
 * @throws {AmountError} when an amount is not a decimal string with three fraction digits
 */
export function addBreakdowns(list: readonly Breakdown[]): Breakdown {
  const methods = allKnown(list.map(({ byMethod }) => byMethod));
  const charges = allKnown(list.map((each) => each.charges));
  return {
    byType: addTypes(list.flatMap(({ byType }) => byType)),
    byMethod: methods && addMethods(methods.flat()),
    charges: charges && addCharges(charges),
  };
}

const METHOD_COLUMNS = ['transaction', 'transaction_payment_type'];

/** Without what the registry redacts now, as if before sealing. @param columns of `redactedColumns` */
export function redactedBreakdown(breakdown: Breakdown, columns: ReadonlySet<string>): Breakdown {
  const { byType, byMethod, charges } = breakdown;
  const hidesMethods = METHOD_COLUMNS.some((column) => columns.has(column));
  // Without a paid invoice the sum of a charge is zero, whether the column is known or not.
  const isPaid = byMethod !== null && byMethod.length > 0;
  const redacted: Breakdown = {
    byType,
    byMethod: byMethod && byMethod.map((each) => (hidesMethods ? { ...each, method: null } : each)),
    charges:
      charges &&
      charges.map((each) => (isPaid && columns.has(each.column) ? { ...each, total: null } : each)),
  };
  // A sum of one: the methods without a name become one.
  return addBreakdowns([redacted]);
}
