/** Figures as they are stored: numbers, sums as decimal strings, and members of both. */
export type StoredFigures = number | string | null | { readonly [member: string]: StoredFigures };

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
export function addedFigures(parts: readonly StoredFigures[]): StoredFigures {
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
