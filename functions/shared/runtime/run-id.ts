import { randomBytes } from 'node:crypto';

/**
 * A new id for a pull, or for a run that sends a mail: time and random part, such as `20261121T030005Z-9f2c61aa`. Ids sort
 * by time.
 *
 * @param now when it began, milliseconds UTC
 */
export function newRunId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
