import * as z from 'zod';

/**
 * A list that is read one value after the other, up to the first that does not fit. The schema of zod's own lists names
 * every fault of every value. For a long list that takes seconds, and more memory than a function has.
 *
 * @param most the most values of the list
 */
export function boundedList<T>(schema: z.ZodType<T>, most: number): z.ZodType<T[]> {
  return z
    .array(z.unknown())
    .max(most)
    .transform((values, context): T[] => {
      const list: T[] = [];
      for (const [index, value] of values.entries()) {
        const read = schema.safeParse(value);
        if (!read.success) {
          const issue = read.error.issues[0];
          context.addIssue({
            code: 'custom',
            path: [index, ...(issue?.path ?? [])],
            message: issue?.message ?? 'does not fit',
          });
          return z.NEVER;
        }
        list.push(read.data);
      }
      return list;
    });
}
