import { ServiceError } from '../service.ts';

/** A part of an object, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a Range header against an object's size. One range only: S3 sends the whole object for several, or for
 * what is not a range of bytes, and so `undefined` is returned.
 * @throws ServiceError InvalidRange if no byte of the object is in the range
 */
export function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    throw new ServiceError(416, 'InvalidRange', 'The requested range is not satisfiable', {
      headers: { 'content-range': `bytes */${size}` },
      details: { RangeRequested: header ?? '', ActualObjectSize: String(size) },
    });
  }
  return { first, last };
}
