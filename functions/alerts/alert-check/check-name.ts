import { createHash } from 'node:crypto';
import type { AlertLine } from '#mail/ledger/alert-line.ts';

export const CHECK_NAME = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
const NAME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-/;

/**
 * The name of a check: its tick and a hash of what its mail says, such as `20261120T103000Z-9f2c61aa`. The
 * same check's mail gets the same ledger on every run.
 * @param tick milliseconds UTC
 */
export function checkName(merchantCode: string, tick: number, lines: readonly AlertLine[]): string {
  const at = new Date(tick).toISOString();
  const hash = createHash('sha256')
    .update(JSON.stringify([merchantCode, at, lines]))
    .digest('hex');
  return `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${hash.slice(0, 8)}`;
}

/** The tick in a check's name, to the second: ISO 8601 in UTC. */
export function tickOf(check: string): string {
  const tick = check.replace(NAME, '$1-$2-$3T$4:$5:$6Z ').slice(0, 20);
  return new Date(tick).toISOString();
}
