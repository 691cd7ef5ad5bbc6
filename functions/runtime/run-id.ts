import { randomBytes } from 'node:crypto';

/** An id such as `20261121T030005Z-9f2c61aa`, which sorts by time. @param now milliseconds UTC */
export function newRunId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
