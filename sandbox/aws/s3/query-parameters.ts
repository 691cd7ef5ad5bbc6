import { s3Errors } from './errors.ts';

/** URL encoding as in S3's listings: a slash stays, a space becomes a plus sign. */
export function urlEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
}

/**
 * A parameter that is an integer from 0; `undefined` if absent.
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

/** The id in a request on an upload. Empty, and so unknown, if there is none. */
export function uploadIdOf(query: URLSearchParams): string {
  return query.get('uploadId') ?? '';
}
