import type * as z from 'zod';

/** The members of an object as names of columns, in the order in which `UNNEST` gives them. */
export function membersOf(schema: z.ZodLazy<z.ZodObject>): string {
  return Object.keys(schema.unwrap().shape)
    .map((member) => `"${member.toLowerCase()}"`)
    .join(', ');
}
