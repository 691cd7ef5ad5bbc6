import * as z from 'zod';
import { boundedList } from '../json/bounded-list.ts';
import { changedMemberSchema, groupMemberSchema, groupPageSchema } from './group-page.ts';

/** The most merchants of a registry, and with them as many codes of a group that the registry does not have. */
const [MOST_MEMBERS, MOST_MISSING] = [20_000, 40_000];

/**
 * A group's page as it is read from the bucket: {@link groupPageSchema}, but a page that Daybook did not write takes no
 * more time and memory than one that it wrote.
 */
export const storedGroupPageSchema = z.lazy(() => {
  const page = groupPageSchema.unwrap();
  return page.extend({
    merchants: boundedList(groupMemberSchema, MOST_MEMBERS),
    missing: boundedList(page.shape.missing.element, MOST_MISSING),
    corrections: boundedList(changedMemberSchema, MOST_MEMBERS),
  });
});
