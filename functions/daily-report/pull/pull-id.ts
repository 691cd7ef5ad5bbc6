import { randomBytes } from 'node:crypto';

/** A pull's id, from its beginning. @param now milliseconds UTC */
export function newPullId(now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
