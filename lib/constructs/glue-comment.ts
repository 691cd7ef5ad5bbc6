import type { Meaning } from '../lake/lake-column.ts';

/** The longest comment that Glue accepts, characters. */
const LONGEST = 255;

/** The meaning of a column with its unit, as a comment for Glue's catalogue. @throws {RangeError} when it is too long */
export function glueComment({ meaning, unit }: Meaning): string {
  const comment = unit === undefined ? meaning : `${meaning} [${unit}]`;
  if (comment.length > LONGEST) throw new RangeError(`over ${LONGEST} characters: ${comment}`);
  return comment;
}
