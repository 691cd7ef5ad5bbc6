import * as z from 'zod';
import { firstIssue } from '../schema-issue.ts';

/**
 * Checks a record with its schema and passes it on as the service sent it. What a schema itself puts out lacks a
 * member of the name `__proto__`, which in JSON is a name like any other.
 */
export function asSent<Row>(schema: z.ZodType<Row>): z.ZodType<Row> {
  return z.custom<Row>().superRefine((record, context) => {
    const { error } = schema.safeParse(record);
    const path = error?.issues[0]?.path;
    if (error === undefined || path === undefined) return;
    context.addIssue({ code: 'custom', path: [...path], message: firstIssue(error).reason });
  });
}
