import * as z from 'zod';
import { changedMemberSchema, groupMemberSchema, groupPageSchema } from './group-page.ts';

/**
 * A list that is read up to the first value that does not fit: zod's own name every fault of every value,
 * which takes seconds and more memory than a function has.
 */
function boundedList<T>(schema: z.ZodType<T>, most: number): z.ZodType<T[]> {
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

/** The most merchants of a registry, and with them as many codes of a group that the registry does not have. */
const [MOST_MEMBERS, MOST_MISSING] = [20_000, 40_000];

/** {@link groupPageSchema}, in bounded time and memory for a page that Daybook did not write. */
export const storedGroupPageSchema = z.lazy(() => {
  const page = groupPageSchema.unwrap();
  return page.extend({
    merchants: boundedList(groupMemberSchema, MOST_MEMBERS),
    missing: boundedList(page.shape.missing.element, MOST_MISSING),
    corrections: boundedList(changedMemberSchema, MOST_MEMBERS),
  });
});
