import { s3Errors } from './errors.ts';

/** URL encoding as S3 does it in listings: the slash stays, a space is a plus sign. */
export function urlEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
}

/**
 * A parameter that is a number from 0 up; `undefined` if absent.
 * @throws ServiceError InvalidArgument
 */
export function numberParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw s3Errors.invalidArgument(`Provided ${name} not an integer or within integer range`, name, text);
  }
  return Number(text);
}

/** The id that a request about an upload names; empty, and so unknown, if none. */
export function uploadIdOf(query: URLSearchParams): string {
  return query.get('uploadId') ?? '';
}
