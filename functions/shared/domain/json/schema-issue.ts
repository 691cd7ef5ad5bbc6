import type * as z from 'zod';

/** A path in the usual form: `response.invoices.data[3].amount`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/**
 * The first thing that a schema found wrong: the place, and what was expected. Zod's own messages may quote
 * the value, which may be a customer's data or a secret. So the reason contains the expectation only.
 */
export function firstIssue(error: z.ZodError): { path: string; reason: string } {
  const issue = error.issues[0];
  if (issue === undefined) return { path: '(root)', reason: 'is not usable' };
  const path = issue.path.length === 0 ? '(root)' : fieldPath(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return { path, reason: `must be ${issue.expected}` };
    case 'invalid_value':
      return { path, reason: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'custom':
      return { path, reason: issue.message };
    case 'invalid_format':
      return {
        path,
        reason: issue.message.startsWith('Invalid') ? `must be a valid ${issue.format}` : issue.message,
      };
    case 'unrecognized_keys':
      return { path, reason: 'has members that are not known here' };
    case 'too_big':
    case 'too_small':
      return {
        path,
        reason: `is out of bounds (${issue.code === 'too_big' ? 'at most' : 'at least'} ${String(issue.code === 'too_big' ? issue.maximum : issue.minimum)})`,
      };
    default:
      return { path, reason: 'is not what it must be' };
  }
}
