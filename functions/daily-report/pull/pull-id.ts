import { randomBytes } from 'node:crypto';

/** A new id for a pull. @param now when the pull began, milliseconds UTC */
export function newPullId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
