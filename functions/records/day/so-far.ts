import { dayAt } from './business-day.ts';
import type { Manifest } from '../revision/manifest.ts';

/**
 * When the pull of an unfinished day began (ISO 8601, UTC); `null` for a whole day. Computed from `pulledAt`
 * for manifests of earlier versions.
 */
export function soFarUntil(
  manifest: Pick<Manifest, 'day' | 'pulledAt' | 'soFarUntil'>,
  timeZone: string,
): string | null {
  const { day, pulledAt, soFarUntil: said } = manifest;
  if (said !== undefined) return said;
  return dayAt(Date.parse(pulledAt), timeZone) > day ? null : pulledAt;
}
