import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Answer } from '../service.ts';
import type { ObjectFiles } from './files/object-files.ts';

/** URL encoding as in S3's listings: a slash stays, a space becomes a plus sign. */
export function urlEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
}

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

export interface S3Request {
  message: IncomingMessage;
  headers: IncomingHttpHeaders;
  bucket: string;
  /** Empty for a request on the bucket. */
  key: string;
  query: URLSearchParams;
}

export type S3Operation = (files: ObjectFiles, request: S3Request) => Answer | Promise<Answer>;
