import type * as z from 'zod';
import { DaybookError } from './daybook-error.ts';
import { fieldPath, firstIssue } from '../json/schema-issue.ts';

/** An event that docs/interfaces.md, 4 Events and answers does not allow. Names the member, not its value. */
export class InvalidEventError extends DaybookError {
  override readonly name = 'InvalidEventError';
  readonly member: string;
  constructor(member: string, reason: string) {
    super(`the event is not usable: ${member}: ${reason}`);
    this.member = member;
  }
}

/** @throws {InvalidEventError} names the first member that is wrong or unknown */
export function readEvent<Schema extends z.ZodType>(schema: Schema, event: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    // A misspelt member must not count as left out: `form` for `from` would mean "yesterday, for all".
    throw new InvalidEventError(fieldPath([...issue.path, ...issue.keys.slice(0, 1)]), 'is not known here');
  }
  const { path, reason } = firstIssue(parsed.error);
  throw new InvalidEventError(path, reason);
}
