import { STATEMENTS as PREFIX } from '#records/storage/keys.ts';
import { mustHoldWhere, objectKey } from './sealed-files.ts';
import { GROUP_PAGES } from './tables/group-pages.ts';
import { STATEMENTS } from './tables/statements.ts';

interface SealedPages {
  table: string;
  /** The first word of the folder of each owner's pages. */
  folder: 'merchant' | 'group';
  /** The column with the owner's name. */
  owner: string;
  /** A column that is never null. */
  content: string;
  /** In errors. */
  called: string;
}

/** The end of a key: the owner's name, and the number of the revision, with zeros up to four digits. */
const OWNER_AND_REVISION = '([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$';

/**
 * The newest revision of each owner and period. Merchants' statements and groups' pages are in the same folders: the key says whose
 * an object is. Objects with other keys, such as copies, are left out. An object that is not the page of its key stops the query of
 * its period.
 *
 * A condition on `year` and `part` reaches the partitions, because rows are numbered within a period.
 */
function newestPages({ table, folder, owner, content, called }: SealedPages): string {
  const pattern = `'^${PREFIX}period=[^/]+/${folder}=${OWNER_AND_REVISION}'`;
  const isPageOfItsKey = `"${owner}" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "${content}" IS NOT NULL`;
  return `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "${owner}" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        ${objectKey(`"${table}"`)} AS "object_key",
        regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 1) AS "key_owner",
        CAST(regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 2) AS bigint) AS "key_revision"
      FROM "${table}"
    )
    WHERE ${mustHoldWhere('"key_owner" IS NOT NULL', isPageOfItsKey, `'a line is no ${called}: ' || "object_key"`)}
  ) WHERE "age" = 1
)`;
}

/** The newest statement of each merchant and period. */
export const NEWEST_STATEMENTS = newestPages({
  table: STATEMENTS.name,
  folder: 'merchant',
  owner: 'merchantcode',
  content: 'days',
  called: 'statement',
});

/** The newest page of each group and period. */
export const NEWEST_GROUP_PAGES = newestPages({
  table: GROUP_PAGES.name,
  folder: 'group',
  owner: 'group',
  content: 'merchants',
  called: 'page of a group',
});
