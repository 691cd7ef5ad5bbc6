import { isDeepStrictEqual } from 'node:util';
import type { GroupPage } from '#page/figures/group-page.ts';
import type { Statement } from '#page/figures/statement.ts';
import { dayName, periodName, type BrokenPromise, type Evidence } from './evidence.ts';

/** Figures as they are stored: numbers, sums as decimal strings, and members of both. */
type StoredFigures = number | string | null | { readonly [member: string]: StoredFigures };

function decimal(thousandths: bigint): string {
  const digits = (thousandths < 0n ? -thousandths : thousandths).toString().padStart(4, '0');
  return `${thousandths < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** Members that a part does not have, such as a status of refunds, add nothing. */
function addedMembers(parts: readonly Exclude<StoredFigures, number | string | null>[]): StoredFigures {
  const names = [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      addedFigures(parts.flatMap((part) => (name in part ? [part[name] ?? null] : []))),
    ]),
  );
}

/** The sum of figures, in a way of its own: Daybook's code is what it checks. Unknown (`null`) is unknown in the sum. */
function addedFigures(parts: readonly StoredFigures[]): StoredFigures {
  let count = 0;
  let thousandths = 0n;
  const members: Exclude<StoredFigures, number | string | null>[] = [];
  for (const part of parts) {
    if (part === null) return null;
    if (typeof part === 'number') count += part;
    else if (typeof part === 'string') thousandths += BigInt(part.replace('.', ''));
    else members.push(part);
  }
  if (members.length > 0) return addedMembers(members);
  return parts.some((part) => typeof part === 'string') ? decimal(thousandths) : count;
}

type Added = Pick<Statement, 'counts' | 'amounts' | 'refunds'>;

function figuresOf({ counts, amounts, refunds }: Added): StoredFigures {
  return { counts, amounts, refunds };
}

function isSum(sum: Added, parts: readonly Added[]): boolean {
  // The same order of members on both sides.
  return isDeepStrictEqual(addedFigures([figuresOf(sum)]), addedFigures(parts.map(figuresOf)));
}

function statementFaults({ days }: Evidence, statement: Statement, before: Statement | undefined): string[] {
  const { merchantCode, from, to, missing, unbalanced, final } = statement;
  const named = statement.days.map(({ day, revision }) => {
    return days.get(dayName({ merchantCode, day }))?.find((manifest) => manifest.revision === revision);
  });
  const pages = named.filter((page) => page !== undefined);
  const faults: string[] = [];
  if (pages.length < named.length) faults.push('names a revision of a day that is not sealed');
  if (!isSum(statement, pages)) faults.push('is not the sum of the days that it names');
  const cameIn = pages.map(({ received }) => received && { count: received.count, sum: received.sum });
  const { received } = statement;
  const said = received && { count: received.count, sum: received.sum };
  if (!isDeepStrictEqual(addedFigures([said]), addedFigures(cameIn)))
    faults.push('does not say what came in on the days that it names');
  if (statement.days.some(({ day }) => day < from || day > to)) faults.push('has a day of another period');
  if (
    !isDeepStrictEqual(
      unbalanced,
      pages.flatMap(({ balanced, day }) => (balanced ? [] : [day])),
    )
  )
    faults.push('does not name the days that do not balance');
  if (final !== (missing.length === 0 && unbalanced.length === 0))
    faults.push(`says of itself that it is ${final ? 'final' : 'provisional'}`);
  const older = before?.days.some(({ day, revision }) => {
    return (statement.days.find((one) => one.day === day)?.revision ?? 0) < revision;
  });
  return older === true ? [...faults, 'names an older revision of a day than the one before it'] : faults;
}

function pageFaults(evidence: Evidence, page: GroupPage, codes: readonly string[]): string[] {
  const { period, merchants, missing, byCurrency } = page;
  const named = merchants.map(({ merchantCode, revision }): Added | undefined => {
    const day = evidence.days.get(dayName({ merchantCode, day: period }));
    const pages = day ?? evidence.statements.get(periodName({ merchantCode }, period));
    return pages?.find((one) => one.revision === revision);
  });
  const pages = named.filter((one) => one !== undefined);
  const faults: string[] = [];
  if (pages.length < named.length) faults.push('names a page of a merchant that is not sealed');
  const [sum, ...others] = Object.values(byCurrency);
  // All merchants of a run have one currency.
  if (sum === undefined || others.length > 0 || !isSum(sum, pages))
    faults.push('is not the sum of the pages that it names');
  const strangers = [...merchants, ...missing].filter(({ merchantCode }) => !codes.includes(merchantCode));
  return [
    ...faults,
    ...strangers.map(({ merchantCode }) => `shows ${merchantCode}, which is not in its group`),
  ];
}

/** Revisions are numbered without gaps. */
function gapFaults(place: number, revision: number): string[] {
  return revision === place + 1 ? [] : [`is number ${place + 1} in the list`];
}

/**
 * Every sealed statement and every page of a group is the sum of the revisions that it names, and says truly what is
 * missing. A page shows no merchant of another group.
 *
 * @param codes of the group's merchants
 */
export function statementSums(evidence: Evidence, codes: readonly string[]): BrokenPromise[] {
  const ofStatements = [...evidence.statements.values()].flatMap((revisions) =>
    revisions.flatMap((statement, place): BrokenPromise[] => {
      const { merchantCode, period, revision } = statement;
      const faults = statementFaults(evidence, statement, revisions[place - 1]);
      return [...gapFaults(place, revision), ...faults].map((what) => ({
        merchantCode,
        what: `the statement of ${period}, revision ${revision}, ${what}`,
      }));
    }),
  );
  const ofPages = [...evidence.pages.values()].flatMap((revisions) =>
    revisions.flatMap((page, place): BrokenPromise[] => {
      const { group, period, revision } = page;
      return [...gapFaults(place, revision), ...pageFaults(evidence, page, codes)].map((what) => ({
        what: `the page of ${group}, ${period}, revision ${revision}, ${what}`,
      }));
    }),
  );
  return [...ofStatements, ...ofPages];
}
