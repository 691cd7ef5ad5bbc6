import { objectKey } from '../sealed-files.ts';
import { GROUP_PAGES } from '../tables/group-pages.ts';
import { periodName } from '../views/period-columns.ts';
import { literal } from './personal-columns.ts';

/**
 * Finds the groups' pages that have a merchant: as a row, as missing, or as corrected. All revisions. The rows of other merchants and
 * the sums are in the same object, so it can only be deleted as a whole.
 *
 * One row for each page: group, period, revision, and the key of the object.
 */
export function findMerchantInGroups(merchantCode: string): string {
  const named = literal(`"${merchantCode}"`);
  return `SELECT "group" AS group_name, ${periodName()} AS period, revision, ${objectKey(GROUP_PAGES.name)} AS key
FROM ${GROUP_PAGES.name}
WHERE any_match(merchants, m -> m.merchantcode = ${literal(merchantCode)})
  OR strpos(missing, ${named}) > 0
  OR strpos(corrections, ${named}) > 0
ORDER BY 1, 2, 3`;
}
