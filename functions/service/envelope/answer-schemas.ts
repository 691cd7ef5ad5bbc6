import * as z from 'zod';
import { firstIssue } from '#records/json/schema-issue.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { checkOf } from '#records/rows/contract-types.ts';

/** Whether it is an object without members, which a service may write in place of an empty list. */
function isEmptyObject(value: unknown): boolean {
  return isMembers(value) && Object.keys(value).length === 0;
}

/** The items of a list that {@link listAsSent} has checked: an empty object has none. */
export function listOf<Item>(list: Item[]): Item[] {
  return Array.isArray(list) ? list : [];
}

/** The schema's check. It is built at first use, so no cold start waits for it. */
function checkAtFirstUse(schema: z.ZodType): (value: unknown) => boolean {
  let check: ReturnType<typeof checkOf> | undefined;
  return (value) => (check ??= checkOf(schema))(value);
}

function addIssue(
  { issues, value }: z.core.ParsePayload,
  schema: z.ZodType,
  record: unknown,
  where: readonly PropertyKey[],
): void {
  const { error } = schema.safeParse(record);
  const path = error?.issues[0]?.path;
  if (error === undefined || path === undefined) return;
  issues.push({
    code: 'custom',
    path: [...where, ...path],
    message: firstIssue(error).reason,
    input: value,
    // As with `superRefine`: later checks still run.
    continue: true,
  });
}

/*
 * `check` is used below, not `superRefine`, which makes a new function for each value. Because of these functions, V8 kept nearly everything of a
 * page until it marked its whole heap (docs/adr/0028-one-way-for-a-row.md).
 */

/**
 * Checks a record with its schema and returns the record itself, not a copy. A schema's copy loses a member
 * with the name `__proto__`, which is an ordinary name in JSON.
 * @param schema of an object that may have other members too
 */
export function asSent<Row>(schema: z.ZodType<Row>): z.ZodType<Row> {
  const fits = checkAtFirstUse(schema);
  return z.custom<Row>().check((payload) => {
    if (!fits(payload.value)) addIssue(payload, schema, payload.value, []);
  });
}

/** For lists with many thousands. Some services write an empty list as an empty object, which stays one (`listOf`). */
export function listAsSent<Row>(schema: z.ZodType<Row>): z.ZodType<Row[]> {
  const fits = checkAtFirstUse(schema);
  return z
    .custom<Row[]>((list) => Array.isArray(list) || isEmptyObject(list), 'must be array')
    .check((payload) => {
      const { value, issues } = payload;
      for (let index = 0; index < value.length && issues.length === 0; index += 1) {
        const record = value[index];
        if (!fits(record)) addIssue(payload, schema, record, [index]);
      }
    });
}

/** More than any day has. Four such counts still add up exactly. */
const MOST_STATED = 1_000_000_000_000;
const STATED_DIGITS = /^\d{1,12}$/;

/** A count as a number or digits. `null` is unreadable: unknown, and not zero. */
export function countOf(value: unknown): number | null {
  if (typeof value === 'string') return STATED_DIGITS.test(value) ? Number(value) : null;
  const isCount =
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_STATED;
  return isCount ? value : null;
}
