import * as z from 'zod';
import { firstIssue } from '../json/schema-issue.ts';
import { checkOf } from './contract-check.ts';

/** The schema's check, made when the first value is to be checked: no cold start waits for it. */
function checkAtFirstUse(schema: z.ZodType): (value: unknown) => boolean {
  let check: ReturnType<typeof checkOf> | undefined;
  return (value) => (check ??= checkOf(schema))(value);
}

function addIssue(
  context: z.RefinementCtx,
  schema: z.ZodType,
  record: unknown,
  where: readonly PropertyKey[],
): void {
  const { error } = schema.safeParse(record);
  const path = error?.issues[0]?.path;
  if (error === undefined || path === undefined) return;
  context.addIssue({ code: 'custom', path: [...where, ...path], message: firstIssue(error).reason });
}

/**
 * Checks a record with its schema and passes it on as the service sent it, not as a copy. What a schema itself puts out
 * lacks a member of the name `__proto__`, which in JSON is a name like any other.
 *
 * @param schema of an object that may have members which it does not name
 */
export function asSent<Row>(schema: z.ZodType<Row>): z.ZodType<Row> {
  const fits = checkAtFirstUse(schema);
  return z.custom<Row>().superRefine((record, context) => {
    if (!fits(record)) addIssue(context, schema, record, []);
  });
}

/** The same for a list of records, one of many thousands. */
export function listAsSent<Row>(schema: z.ZodType<Row>): z.ZodType<Row[]> {
  const fits = checkAtFirstUse(schema);
  return z
    .custom<Row[]>((list) => Array.isArray(list), 'must be array')
    .superRefine((list, context) => {
      for (const [index, record] of list.entries()) {
        if (!fits(record)) addIssue(context, schema, record, [index]);
        if (context.issues.length > 0) return;
      }
    });
}
