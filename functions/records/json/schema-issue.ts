import type * as z from 'zod';

/** A path in the usual form: `response.invoices.data[3].amount`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Zod's own messages may quote the value, a customer's data or a secret. So this has the expectation only. */
function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'custom':
      return issue.message;
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'is not what it must be' : issue.message;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `must be a valid ${issue.format}` : issue.message;
    case 'unrecognized_keys':
      return 'has members that are not known here';
    case 'too_big':
      return `is out of bounds (at most ${String(issue.maximum)})`;
    case 'too_small':
      return `is out of bounds (at least ${String(issue.minimum)})`;
    default:
      return 'is not what it must be';
  }
}

/** The first thing that a schema found wrong: the place, and what was expected. It never repeats the value. */
export function firstIssue(error: z.ZodError): { path: string; reason: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '(root)', reason: 'is not usable' };
  return { path: issue.path.length === 0 ? '(root)' : fieldPath(issue.path), reason: reasonOf(issue) };
}

interface SchemaIssue {
  at: readonly PropertyKey[];
  /** What was expected. It never repeats the value. */
  reason: string;
  /** Whether the value has another type than the schema, or is missing. */
  isOfType: boolean;
  candidates: readonly string[] | undefined;
}

export function allIssues(error: z.ZodError): SchemaIssue[] {
  return error.issues.map((issue) => ({
    at: issue.path,
    reason: reasonOf(issue),
    isOfType: issue.code === 'invalid_type',
    candidates: issue.code === 'invalid_value' ? issue.values.map(String) : undefined,
  }));
}
