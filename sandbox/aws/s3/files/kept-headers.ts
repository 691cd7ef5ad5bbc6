import type { IncomingHttpHeaders } from 'node:http';

const kept = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]);

/** The headers of a write that S3 stores with the object and returns with it, including user metadata. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !(kept.has(name) || name.startsWith('x-amz-meta-'))) continue;
    const text = name === 'content-encoding' ? withoutAwsChunked(value.toString()) : value.toString();
    if (text !== '') result[name] = text;
  }
  return result;
}

/** `aws-chunked` belongs to the transfer and not to the object. */
function withoutAwsChunked(encoding: string): string {
  return encoding
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked' && coding !== '')
    .join(',');
}
