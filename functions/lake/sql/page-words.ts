import { newestSealed } from './sealed-files.ts';
import { NEWEST_MERCHANTS } from './views/merchants.ts';

/** SQL for what a page seals since it says what its figures mean. A page of an earlier version has what the registry says. */
function sealedOr(member: string): string {
  return `IF(p."currency" IS NULL, m."${member}", p."${member}")`;
}

/** SQL for the day of a moment in the zone; null in a zone that the engine does not know. @param moment SQL, with its zone */
export function dayInZone(moment: string, zone: string): string {
  return `try(CAST(at_timezone(${moment}, ${zone}) AS date))`;
}

const REFUND_STATUSES = sealedOr('refundstatuses');
const ZONE = `coalesce(p."timezone", m."timezone")`;
/** A pull's id begins with its time. */
const BEGAN = `with_timezone(date_parse(substr(p."pull", 1, 15), '%Y%m%dT%H%i%s'), 'UTC')`;

/**
 * {@link newestSealed} with what each page's numbers mean:
 *
 * - `its_statuses`, `its_refund_statuses`: the words by number, null where there are none
 * - `its_currency`, `its_zone`, `its_charges`, `its_name`; `words_from`: page or registry
 * - `its_last_day`: the day on which the pull began, or the day of the page if that is later
 * - `its_seen`: by invoice, the days on which a later reading first saw it paid
 */
export function newestWithWords(from?: string): string {
  return `(
  SELECT
    p.*,
    ${sealedOr('invoicestatuses')} AS "its_statuses",
    IF(cardinality(${REFUND_STATUSES}) > 0, ${REFUND_STATUSES}) AS "its_refund_statuses",
    coalesce(p."currency", m."currency") AS "its_currency",
    ${ZONE} AS "its_zone",
    ${sealedOr('charges')} AS "its_charges",
    coalesce(p."merchantname", m."name") AS "its_name",
    IF(p."currency" IS NULL, 'registry', 'page') AS "words_from",
    greatest(CAST(p."day" AS date), ${dayInZone(BEGAN, ZONE)}) AS "its_last_day",
    multimap_from_entries(flatten(transform(p."outcomes"."seen", s -> transform(s."ids", i -> ROW(i, s."day"))))) AS "its_seen"
  FROM ${newestSealed(from)} AS p
  LEFT JOIN ${NEWEST_MERCHANTS} AS m ON m."merchantcode" = p."merchantcode"
)`;
}
