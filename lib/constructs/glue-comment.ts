import type { Meaning } from '../lake/lake-column.ts';

/** Characters that Glue takes for a comment. */
const LONGEST = 255;

/** What a column means, with its unit, as Glue's catalogue takes it. @throws {RangeError} when it is too long */
export function glueComment({ meaning, unit }: Meaning): string {
  const comment = unit === undefined ? meaning : `${meaning} [${unit}]`;
  if (comment.length > LONGEST) throw new RangeError(`over ${LONGEST} characters: ${comment}`);
  return comment;
}
