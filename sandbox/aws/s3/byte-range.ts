import { ServiceError } from '../service.ts';

/** A part of an object. Both ends are included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a Range header for an object of this size. For several ranges, or another unit than bytes, S3 sends the whole
 * object; then this returns `undefined`.
 * @throws ServiceError InvalidRange if the range contains no byte of the object
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
