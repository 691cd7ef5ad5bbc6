import { formatAmount, parseSum } from '../money/money.ts';
import { MOST_NAMED } from './breakdown.ts';
import type {
  Breakdown,
  ChargeBreakdown,
  CountAndAmount,
  MethodBreakdown,
  TypeBreakdown,
} from './breakdown.ts';
import { CHARGE_COLUMNS } from './charges.ts';
import { sumOfParts } from './counted-sum.ts';
import { ofEachState } from './invoice-states.ts';

interface NamedPart<Part> {
  name: string | null;
  size: CountAndAmount;
  part: Part;
}

type Named = readonly [name: string, size: CountAndAmount];

function largerFirst([name, size]: Named, [otherName, otherSize]: Named): number {
  if (size.count !== otherSize.count) return otherSize.count - size.count;
  const more = parseSum(otherSize.amount) - parseSum(size.amount);
  if (more !== 0n) return more > 0n ? 1 : -1;
  return name < otherName ? -1 : 1;
}

/** The largest by count, then amount, then name, whatever the order of the parts. */
function largestNames<Part>(parts: readonly NamedPart<Part>[]): ReadonlySet<string> {
  const byName = Map.groupBy(parts, ({ name }) => name);
  const sizes = [...byName].flatMap(([name, group]): Named[] =>
    name === null ? [] : [[name, sumOfParts(group.map(({ size }) => size))]],
  );
  if (sizes.length > MOST_NAMED) sizes.sort(largerFirst);
  return new Set(sizes.slice(0, MOST_NAMED).map(([name]) => name));
}

/** In the order of the names' first parts; those without one of the largest names come last. */
function byName<Part>(parts: readonly NamedPart<Part>[]): [name: string | null, parts: Part[]][] {
  const names = largestNames(parts);
  const groups = Map.groupBy(parts, ({ name }) => (name !== null && names.has(name) ? name : null));
  return [...groups]
    .sort(([one], [other]) => Number(one === null) - Number(other === null))
    .map(([name, group]) => [name, group.map(({ part }) => part)]);
}

function allKnown<Part>(parts: readonly (Part | null)[]): Part[] | null {
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? known : null;
}

function addTypes(parts: readonly TypeBreakdown[]): TypeBreakdown[] {
  const named = parts.map((part) => ({ name: part.type, size: part.all, part }));
  return byName(named).map(([type, group]) => {
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
  const named = parts.map((part) => ({ name: part.method, size: part, part }));
  return byName(named)
    .map(([method, group]) => ({ method, ...sumOfParts(group) }))
    .sort(byCodeUnit);
}

/** A column that one of the lists lacks is not known. */
function addCharges(lists: readonly (readonly ChargeBreakdown[])[]): ChargeBreakdown[] {
  return CHARGE_COLUMNS.map((column) => {
    const totals = allKnown(lists.map((list) => list.find((each) => each.column === column)?.total ?? null));
    const total = totals && formatAmount(totals.reduce((sum, each) => sum + parseSum(each), 0n));
    return { column, total };
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
